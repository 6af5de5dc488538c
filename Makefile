# Every target sets up what it needs. `make help` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)
# One thread a test process, and results that do not depend on BLAS.
export OPENBLAS_NUM_THREADS = 1
# Tests start hundreds of processes: with bytecode switched off each would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

ifeq ($(UV),)
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
else
INSTALL = $(UV) pip install --quiet --python $(BIN)/python --constraint constraints.txt
endif

# Installing into another clone's environment would make that clone run this one's sources.
OWN = if [ -L $(VENV) ]; then \
	echo "$(VENV) is a link to the environment of another clone: remove the link, and make creates one here" >&2; exit 1; fi

.PHONY: help setup demo test test-all check browser dist docs gallery notebooks format types lint bench shared-check clean

help: ## What there is to make
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  \1\t\2/' | expand -t 18

$(BIN)/python:
	$(if $(UV),$(UV) venv --quiet --python $(PYTHON) $(VENV),$(PYTHON) -m venv $(VENV))

# Only what running needs, so that a newcomer waits for nothing else.
$(VENV)/.run: pyproject.toml constraints.txt | $(BIN)/python
	@$(OWN)
	@echo "setting up: installing what cardwin needs (once, about a minute)"
	@$(INSTALL) --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	@$(OWN)
	@echo "setting up: installing cardwin, its test oracles and its tools (once, about two minutes)"
	@$(INSTALL) --editable '.[cluster,test,bench,docs]'
	@touch $(VENV)/.run $(VENV)/.docs $@

$(VENV)/.docs: pyproject.toml constraints.txt | $(BIN)/python
	@$(OWN)
	@echo "setting up: installing cardwin and what builds its site (once, about a minute)"
	@$(INSTALL) --editable '.[docs]'
	@touch $(VENV)/.run $@

setup: $(VENV)/.dev ## Make .venv with cardwin and the test oracles

demo: $(VENV)/.run ## Run the main job and say what to look at
	@$(BIN)/cardwin demo
	@echo "  where cardwin is             source $(BIN)/activate"

# Three processes for two cores: a fifth of the time tests wait for pages, programs and runs in processes of their own.
# Work-stealing lets them begin in different folders of tests, so that they seldom compile the same kernels at once.
test: $(VENV)/.dev ## Run all tests but the slow ones
	$(BIN)/pytest -n 3 --dist worksteal -m "not slow"

test-all: $(VENV)/.dev ## Run all tests
	$(BIN)/pytest -n 3 --dist worksteal

lint: $(VENV)/.dev
	$(BIN)/ruff format --check src tests tools studies benchmarks
	$(BIN)/ruff check src tests tools studies benchmarks

types: $(VENV)/.dev
	$(BIN)/mypy

check: lint types test ## Format, lint, types and tests: what CI runs

format: $(VENV)/.dev ## Put the code into its format
	$(BIN)/ruff format src tests tools studies benchmarks
	$(BIN)/ruff check --fix src tests tools studies benchmarks

docs: $(VENV)/.docs ## Build the documentation site into build/site; a warning is an error
	@$(BIN)/python tools/build_site.py build
	@echo "the site is built: open build/site/index.html"

dist: $(VENV)/.dev ## Build the wheel and the sdist, and try each in an empty environment
	@rm -rf dist
	@$(BIN)/python -m build --quiet --installer $(if $(UV),uv,pip) --outdir dist
	@$(BIN)/python tools/smoke_test.py dist/*

gallery: $(VENV)/.run ## Write the pages and pictures of the gallery from the registries
	$(BIN)/python tools/gallery.py docs/gallery

notebooks: $(VENV)/.dev ## Run the notebooks anew and keep what they show
	$(BIN)/python tools/run_notebooks.py

browser: ## Have a browser for the tests of the page, if one can be installed
	@if [ -n "$$CARDWIN_BROWSER" ]; then echo "the tests use $$CARDWIN_BROWSER"; \
	elif found=$$(command -v chromium || command -v chromium-browser || command -v google-chrome); then echo "the tests use $$found"; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get install -y chromium || { apt-get update && apt-get install -y chromium; } || echo "no browser could be installed here: the tests of the page in one are left out"; \
	else echo "no browser here: install Chromium (as root: apt-get install chromium), or let CARDWIN_BROWSER name one"; fi

bench: $(VENV)/.dev ## Measure us beside our peers
	$(BIN)/cardwin bench --peers

shared-check: $(VENV)/.dev ## Check the public interface from outside, where ../shared exists
	@if [ -x ../shared/checks/contract ]; then ../shared/checks/contract; else echo "no ../shared here: nothing to check"; fi
	@$(BIN)/python tools/check_anchors.py

clean: ## Remove the environment and everything made by tools
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
