# Two commands matter: `make play` and `make test`. Each sets up what it needs in .venv; only Python 3.11+ and make are assumed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SYNC := $(if $(filter output-sync,$(.FEATURES)),--output-sync)

# Else each of the many processes that the tests start would compile the package anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: play test lint types layers check page page-check browser chromium cases bench maps film pictures docs format clean

play: page
	$(BIN)/sandtable play

# What keeps one core busy runs in pairs; the tests use all cores by themselves.
test: page
	@$(MAKE) --no-print-directory --jobs 2 $(SYNC) types page-check lint layers
	@$(MAKE) --no-print-directory check
	@$(MAKE) --no-print-directory browser

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Sandtable needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	@echo "Setting up $(VENV) ..."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	HATCH_BUILD_NO_HOOKS=true $(BIN)/pip install --quiet --editable '.[all]' --group dev  # `page` builds the page
	@touch $(READY)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

layers: $(READY)
	$(BIN)/lint-imports

check: page
	$(BIN)/pytest --numprocesses auto --dist worksteal --ignore tests/browser

# The browser game: built when a source is newer, type-checked, its components tested, then driven in a real Chromium.
page: $(READY)
	$(BIN)/python -m tools.page

page-check: page
	$(BIN)/python -m tools.page run check
	$(BIN)/python -m tools.page test

browser: page chromium
	$(BIN)/pytest tests/browser --numprocesses 2 --dist worksteal

chromium:
	@sh tools/chromium.sh

cases: $(READY)
	$(BIN)/sandtable adjudicate tests/cases

bench: $(READY)
	$(BIN)/python -m benchmarks

maps: $(READY)
	$(BIN)/pip install --quiet --group maps
	$(BIN)/python -m tools.maps all

film: page chromium
	$(BIN)/pip install --quiet --group film
	$(BIN)/python -m tools.film

pictures: page chromium
	$(BIN)/pip install --quiet --group film
	$(BIN)/python -m tools.pictures

docs: $(READY)
	$(BIN)/pip install --quiet --group docs
	$(BIN)/zensical build --strict

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) site dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	rm -rf web/node_modules web/src/generated web/src/api/schema.d.ts src/sandtable/server/static
