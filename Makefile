# Two commands matter: `make play` and `make test`. Each sets up what it needs in .venv; only Python 3.11+ and make are assumed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: play test lint types layers cases check bench maps docs format clean

play: $(READY)
	$(BIN)/sandtable play

test: lint types layers check

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Sandtable needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	@echo "Setting up $(VENV) ..."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --editable '.[all]' --group dev
	@touch $(READY)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

layers: $(READY)
	$(BIN)/lint-imports

check: $(READY)
	$(BIN)/pytest --numprocesses auto

cases: $(READY)
	$(BIN)/sandtable adjudicate tests/cases

bench: $(READY)
	$(BIN)/python -m benchmarks

maps: $(READY)
	$(BIN)/pip install --quiet --group maps
	$(BIN)/python -m tools.maps all

docs: $(READY)
	$(BIN)/pip install --quiet --group docs
	$(BIN)/zensical build --strict

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) site dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
