# make walk and make test do all the set-up on a machine with git, make and Python 3.11 or newer.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
SOURCES := $(shell find footfall -type f -not -name '*.pyc')

.PHONY: walk test nojit lint format docs bench clean

walk: $(VENV)/.package
	$(BIN)/footfall walk quadruped --terrain jacksboro --out walk.glb --report walk.html

test: $(VENV)/.dev
	@if $(BIN)/footfall warm --help >/dev/null 2>&1; then $(BIN)/footfall warm; fi
	$(BIN)/python -m pytest -n 2 -q

nojit: $(VENV)/.dev  # the kernels as plain Python
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -m nojit

lint: $(VENV)/.dev  # all of them, then the verdict
	@failed=; \
	for check in "ruff check ." "ruff format --check ." mypy "python -m pytest -q tests/test_import_order.py"; do \
	  echo "$(BIN)/$$check"; $(BIN)/$$check || failed="$$failed $${check%% *}"; \
	done; \
	[ -z "$$failed" ] || { echo "lint: failed:$$failed"; exit 1; }

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

bench: $(VENV)/.package  # compares with a C program where there is gcc
	$(BIN)/footfall bench

clean:
	rm -rf $(VENV) build dist site

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "footfall needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)

# For users: the package as built. Where the developers' editable install is in place, that one serves.
$(VENV)/.package: pyproject.toml $(SOURCES) | $(BIN)/python
	@[ $(VENV)/.dev -nt pyproject.toml ] || { echo "Installing footfall into $(VENV)"; $(PIP) install .; }
	@touch $@

# For developers: editable, with the tools.
$(VENV)/.dev: pyproject.toml | $(BIN)/python
	@echo "Installing footfall and its development tools into $(VENV)"
	@$(PIP) install --editable '.[dev]'
	@touch $@
