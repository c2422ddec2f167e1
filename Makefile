PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
GUARDS = $(BIN)/nsroute check --rules .ci/guards.toml --include "codemod/**" \
	--exclude "codemod/demo/sample/**"

.PHONY: snapshots demo test bench docs lint clean

# The stamp depends on pyproject.toml, so a change of dependencies reinstalls.
$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[test]"
	touch $@

demo: $(VENV)/.installed  ## migrate the sample project and show it
	$(BIN)/nsroute demo

test: $(VENV)/.installed  ## every test, then ruff, mypy strict and our own guards
	$(BIN)/python -m pytest -n auto
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(GUARDS)

lint: $(VENV)/.installed
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy
	$(GUARDS)

snapshots: $(VENV)/.installed  ## write the reviewed series anew
	$(BIN)/python -m tests.series.snapshots

bench: $(VENV)/.installed  ## print every measured figure (fetches packages)
	$(BIN)/python -m bench

docs: $(VENV)/.installed  ## write the pages that are made from the code
	$(BIN)/python -m codemod.docs docs

clean:
	rm -rf $(VENV) dist build bench/.data
