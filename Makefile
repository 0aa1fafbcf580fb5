# `make demo` and `make test` need Python 3.11+, git and make; all else they install into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# The tests of the app wait more than they compute.
WORKERS ?= 4

.PHONY: demo test lint types fast slow bench golden screenshots format lock clean

$(READY): requirements-dev.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q reviewer
	touch $(READY)

demo: $(READY)
	$(BIN)/reviewer open

test: lint types fast

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

fast: $(READY)
	$(BIN)/python -m pytest -n $(WORKERS) --ignore=tests/slow --ignore=tests/bench tests

# The released Inspect writes logs for the slow lane, in an environment of its own: it brings a hundred packages.
INSPECT ?= $(VENV)/inspect/bin/python

$(VENV)/inspect/.ready: requirements-inspect.lock $(READY)
	$(PYTHON) -m venv $(VENV)/inspect
	$(VENV)/inspect/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-inspect.lock
	touch $(VENV)/inspect/.ready

slow: $(READY) $(VENV)/inspect/.ready
	INSPECT=$(abspath $(INSPECT)) $(BIN)/python -m pytest -n $(WORKERS) tests/slow
	$(BIN)/python -m pytest -n $(WORKERS) --hypothesis-profile=roaming tests/property tests/ui/test_flow.py

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
	uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -o requirements.lock
	uv pip compile --group inspect --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -o requirements-inspect.lock
	uv pip compile pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -o requirements-dev.lock

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache
