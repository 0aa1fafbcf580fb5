# `make demo` and `make test` need Python 3.11+, git and make; all else they install into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
LOCK := requirements-dev.lock
# The tests of the app wait more than they compute.
WORKERS ?= 4
# Some shells forbid Python to keep what it has compiled. Each process of the tests would then compile all of them anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test lint types fast cover floor slow weather mutants bench golden screenshots format lock clean

# Each library is counted as pip takes it up; a pipe has the exit code of its last part, so pip's is kept beside it.
$(READY): $(LOCK) pyproject.toml
	@echo "Making an environment in $(VENV), once."
	@$(PYTHON) -m venv $(VENV)
	@{ $(BIN)/python -m pip install --progress-bar off --disable-pip-version-check --require-hashes --requirement $(LOCK); \
	  echo $$? > $(VENV)/.pip; } | awk -v all=$$(grep -vc -e win32 -e '^[ #]' $(LOCK)) \
	  '/^(Collecting|Processing) / { printf "\r  library %d of %d", ++n, all; fflush() } \
	  /^Installing/ { printf "\n  installing them"; fflush() } END { print "" }'
	@test "$$(cat $(VENV)/.pip)" = 0
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q reviewer
	@touch $(READY)

demo: $(READY)
	$(BIN)/reviewer open

test: lint types fast

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

FAST := --ignore=tests/slow --ignore=tests/bench tests

# All workers collect all tests at the same time: when none is compiled yet, each would compile all of them.
$(VENV)/.compiled: $(READY)
	@$(BIN)/python -m pytest --collect-only -qq $(FAST) > $@

# COVER=1 measures what the tests run, in the programs that they start too, and wants most of it.
fast: $(VENV)/.compiled
	$(if $(COVER),rm -f .coverage .coverage.*)
	$(BIN)/python $(if $(COVER),-m coverage run) -m pytest -n $(WORKERS) --dist worksteal $(FAST)
	$(if $(COVER),$(BIN)/python -m coverage combine --quiet)
	$(if $(COVER),$(BIN)/python -m coverage report | awk 'NR <= 22')
	$(if $(COVER),$(BIN)/python -m coverage report --format=total)

cover:
	$(MAKE) COVER=1 fast

# The same tests with the lowest version of every dependency that pyproject.toml allows.
floor:
	$(MAKE) VENV=$(VENV)/floor LOCK=requirements-floor.lock test

# Live runs and the logs of the released Inspect are tested in an environment of its own: it brings a hundred packages.
INSPECT ?= $(VENV)/inspect/bin/python

$(VENV)/inspect/.ready: requirements-inspect.lock $(READY)
	$(PYTHON) -m venv $(VENV)/inspect
	$(VENV)/inspect/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-inspect.lock
	touch $(VENV)/inspect/.ready

# Decisions and numbers are changed one at a time, and the tests must notice: all of them, or in the slow lane a tenth.
MUTANTS ?= *
SAMPLE ?= 7
MUTMUT := $(VENV)/mutants/bin/mutmut

$(MUTMUT): requirements-mutants.lock $(LOCK) pyproject.toml
	$(MAKE) VENV=$(VENV)/mutants $(VENV)/mutants/.ready
	$(VENV)/mutants/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-mutants.lock
	touch $(MUTMUT)

mutants: $(MUTMUT)
	$(VENV)/mutants/bin/python -m tests.mutants '$(MUTANTS)'

slow: $(READY) $(VENV)/inspect/.ready
	INSPECT=$(abspath $(INSPECT)) $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal tests/slow
	$(BIN)/python -m pytest -n $(WORKERS) --hypothesis-profile=roaming tests/property tests/ui/test_flow.py
	$(MAKE) mutants MUTANTS='*__mutmut_*$(SAMPLE)'

# The slow lane so many times, several at once: whatever else a machine does, its tests pass.
TIMES ?= 10
BESIDE ?= 3
weather: $(READY) $(VENV)/inspect/.ready
	INSPECT=$(abspath $(INSPECT)) $(BIN)/python -m tests.weather $(TIMES) $(BESIDE)

bench: $(READY)
	$(BIN)/python -m tests.bench

golden: $(READY)
	REVIEWER_GOLDEN=write $(BIN)/python -m pytest tests/ui tests/unit -k golden

screenshots: $(READY)
	$(BIN)/python -m tests.screenshots

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock:
	uv pip compile pyproject.toml --no-strip-extras --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -o requirements.lock
	uv pip compile pyproject.toml --extra run --no-strip-extras --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -o requirements-inspect.lock
	uv pip compile pyproject.toml --group dev --no-strip-extras --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -o requirements-dev.lock
	uv pip compile pyproject.toml --group dev --resolution lowest-direct --no-strip-extras --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -o requirements-floor.lock
	uv pip compile --group mutants --constraint requirements-dev.lock --no-strip-extras --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -o requirements-mutants.lock

clean:
	rm -rf $(VENV) mutants dist build .mypy_cache .ruff_cache .pytest_cache
