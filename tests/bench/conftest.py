"""The runner does not look in here for tests: these files run as a program, by ``make bench``."""

collect_ignore_glob = ["*.py"]
