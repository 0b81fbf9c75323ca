# Everything runs in .venv, which the first command makes by itself; nothing outside this folder is touched.
#   make run ARGS="--port 9000"      words for the program (run) or for pytest (test, test-all)
#   make test PYTHON=python3.12      another Python; .venv is then made anew with it

PYTHON ?= python3
VENV ?= .venv
ARGS ?=
BIN := $(VENV)/bin
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')

# A stamp a job: made again when pyproject.toml changes, for another version of Python, or when the folder has moved.
STAMP := $(VENV)/ready-$(VERSION)
ifneq ($(shell cat $(VENV)/home 2>/dev/null),$(CURDIR))
$(STAMP)-run $(STAMP)-test: moved
endif

.DEFAULT_GOAL := help
.PHONY: help run test test-all check format bench pictures install uninstall clean moved drivers

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-18s %s\n", $$1, $$2 }'

run: $(STAMP)-run ## play: start the board on this machine, and print the address of its page
	@exec $(BIN)/muggins run $(ARGS)

test: $(STAMP)-test drivers ## all tests but the long ones (minutes); lists what it had to skip
	@$(BIN)/python -m pytest $(ARGS)

test-all: $(STAMP)-test drivers ## all tests, the long ones too
	@$(BIN)/python -m pytest --all $(ARGS)

check: $(STAMP)-test ## formatting, lint, types, and who may import whom
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: $(STAMP)-test ## put the code into the house's form
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(STAMP)-run ## how fast it is, measured here and now (minutes)
	@$(BIN)/python .ci/venv.py $(VENV) bench
	@$(BIN)/python tests/bench/bench.py $(ARGS)

pictures: $(STAMP)-test ## draw the pictures of the README and the guides anew
	@$(BIN)/python docs/pictures.py $(ARGS)

install: ## put the board on this machine as a service: sudo make install (ARGS=--yes: ask nothing)
	@/usr/bin/python3 -B systemd/install.py $(ARGS)

uninstall: ## take the service off this machine; the games stay: sudo make uninstall
	@/usr/bin/python3 -B systemd/install.py --uninstall $(ARGS)

clean: ## remove .venv and all caches; games and settings in .muggins stay
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find engine hardware firmware tests docs .ci -name __pycache__ -type d -prune -exec rm -rf {} +

moved:

# A driver that could not be built is tried again once there is a compiler.
drivers: $(STAMP)-test
	@if [ -e $(VENV)/unbuilt ]; then $(BIN)/python .ci/venv.py $(VENV) drivers; fi

$(STAMP)-run: pyproject.toml .ci/venv.py
	@$(PYTHON) .ci/venv.py $(VENV) run
	@touch $@

$(STAMP)-test: pyproject.toml .ci/venv.py
	@$(PYTHON) .ci/venv.py $(VENV) test
	@touch $@
