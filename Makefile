# Everything runs from .venv; python3 (3.11 or newer) and make are all that must be there before.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: install quickstart test fix check faults bench wheel lock ci

# Make .venv from the lock file and put the project into it, editable.
install: .venv/project

# Install, then run the main job: real questions, a rule-based caller, four kinds of grades.
quickstart: install
	$(BIN)/assay run examples/quickstart/experiment.yaml

# Install, then run every test: the docstrings of the installed package, the tests and the README.
test: install
	$(BIN)/python -m pytest --doctest-modules --pyargs assay tests README.md

# Repair what a tool can repair: lint findings and layout.
fix: install
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Judge without running: lint, layout, types, and which folder may import which.
check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy examples/quickstart
	$(BIN)/lint-imports

# Kill runs at 200 random moments and fail disks, servers and stores: print what was kept and lost.
faults: install
	FAULTS_KILLS=200 $(BIN)/python -m pytest -q tests/faults

# Print the tables of costs: a trial, a regraded receipt, a million grades; a call of each evaluator.
bench: install
	$(BIN)/python benchmarks/bench.py
	$(BIN)/python benchmarks/evaluators.py

# Build the wheel and run the quickstart from it, away from the checkout.
wheel: install
	sh .ci/wheel $(BIN)/python

# Write the lock files anew from pyproject.toml, the newest versions it allows.
lock:
	$(PYTHON) -m venv --clear build/lock
	build/lock/bin/python -m pip install -qq "uv>=0.13"
	build/lock/bin/uv pip compile --quiet --upgrade $(LOCK) --output-file requirements.lock
	build/lock/bin/uv pip compile --quiet --upgrade $(LOCK) --group dev \
	  --constraint requirements.lock --output-file requirements-dev.lock
LOCK := pyproject.toml --universal --python-version 3.11 --generate-hashes --custom-compile-command "make lock"

# Do all that a change must pass, in the order of the README.
ci:
	$(MAKE) quickstart
	$(MAKE) test
	$(MAKE) check
	$(MAKE) wheel

.venv/packages: requirements-dev.lock
	$(PYTHON) -c 'import sys; sys.exit("Assay needs Python 3.11 or newer, not " + sys.version if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install -qq --require-hashes --only-binary :all: --requirement requirements-dev.lock
	touch $@

.venv/project: .venv/packages pyproject.toml
	$(BIN)/python -m pip install -qq --no-deps --no-build-isolation --editable .
	touch $@
