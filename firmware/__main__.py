"""``python -m firmware`` is ``muggins``."""

from firmware.cli import main

if __name__ == "__main__":
    main()
