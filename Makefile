PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
GUARDS = $(BIN)/nsroute check --rules .ci/guards.toml --include "codemod/**" \
	--exclude "codemod/demo/sample/**"

.PHONY: snapshots demo test fuzz mutants bench docs lint clean

# For each of the four parts of `fuzz`.
MINUTES ?= 60

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

fuzz: $(VENV)/.installed  ## look for a wrong rewrite for hours; see docs/proof.md
	@status=0; for part in proof world faults hostile; do \
		echo "== $$part"; \
		$(BIN)/python -m tests.$$part --minutes $(MINUTES) || status=1; \
	done; exit $$status

mutants: $(VENV)/.installed  ## change the code that decides, and see what the tests notice
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[mutation]"
	$(BIN)/python -m tests.mutation --minutes $(MINUTES)

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
