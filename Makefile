# `make play` and `make test` are the two to know; CONTRIBUTING.md tells about the others.

PYTHON ?= python3
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest

.DEFAULT_GOAL := help
.PHONY: help play test test-all checks bench ladder notebooks format clean

help:
	@echo "make play       play Splendor in JupyterLab"
	@echo "make test       run every check but the slow ones"
	@echo "make test-all   run every check"
	@echo "make bench      measure the speed of the engine"
	@echo "make ladder     measure how strong the agents are"
	@echo "make notebooks  run the notebooks and store what they show"
	@echo "make format     put the code into its form"
	@echo "make clean      remove what the others have made"

play: .venv/installed
	@$(BIN)/splendor-nb

test: checks
	$(PYTEST) --quiet -m "not slow"

test-all: checks
	$(PYTEST) --quiet

checks: .venv/installed-test
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --quiet --check
	$(BIN)/mypy

bench: .venv/installed-test
	@$(BIN)/python tests/bench.py

ladder: .venv/installed-test
	@$(BIN)/python tests/bench_ladder.py

notebooks: .venv/installed-test
	@$(BIN)/python notebooks/build.py

format: .venv/installed-test
	$(BIN)/ruff check --quiet --fix
	$(BIN)/ruff format --quiet

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv .venv

# The test extra holds all that playing needs, so one mark covers the other.
.venv/installed: pyproject.toml | $(BIN)/python
	@echo "Installing into .venv; the first time takes a minute or two."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/installed-test: pyproject.toml | $(BIN)/python
	@echo "Installing with the test tools into .venv; the first time takes some minutes."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[test]"
	@touch .venv/installed $@
