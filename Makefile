# Needs python3 (3.11 or newer), make, gcc and git, and nothing else.
#
#   make         set up, then run every study, small, in about ten minutes: results/report/index.html
#   make full    every study as written, in an hour or more
#   make quick   every study in miniature: does it run?
#   make paper   the full replications
#   make setup   only set up: .venv with the locked dependencies
#   make test    set up, then run the tests; say what was skipped and why
#   make test-thorough  the tests, with all cases and four times as many drawn examples
#   make test-fast  the tests without pipelines, browser, reports and oracles, in about a minute and a half
#   make coverage  the tests, with the lines and branches that they reach
#   make check   lint, formatting and types, within a minute
#   make fuzz    hostile inputs for ten minutes; MINUTES=..., or INPUTS=... and SEED=... for some of them again
#   make bench   jobs per second of each policy, saved in results/bench
#   make docs    set up, then build the documentation: build/docs/html/index.html
#   make lock    write the lock files again, from pyproject.toml

PYTHON ?= python3
CORES ?= $(shell $(PYTHON) -c 'import os; print(os.cpu_count())')
BIN := .venv/bin
SNAKEMAKE := PYTHONPATH=workflow/loggers$(if $(PYTHONPATH),:$(PYTHONPATH)) $(BIN)/snakemake --logger slotwise --cores $(CORES)

.DEFAULT_GOAL := all
.PHONY: all full quick paper setup develop test test-thorough test-fast coverage check fuzz bench docs lock clean

all: setup
	@echo "Every study, small: about ten minutes on two processors. \`make full\` runs them as written."
	$(SNAKEMAKE) all
	@echo "The report: results/report/index.html"

full: setup
	$(SNAKEMAKE) full
	@echo "The report: results/full/report/index.html"

quick: setup
	$(SNAKEMAKE) quick
	@echo "The report: results/quick/report/index.html"

paper: setup
	$(SNAKEMAKE) paper
	@echo "The report: results/paper/report/index.html"

setup: .venv/.run-ready
develop: .venv/.develop-ready

# uv installs in seconds, pip in a minute. uv trusts the certificates that the machine trusts: a network behind a proxy often has
# its own. pip takes over where uv fails, for example if only pip knows the package index. Both check the hashes of the lock file.
# The last line compiles bytecode: with PYTHONDONTWRITEBYTECODE set, each of the hundred processes of a run would otherwise compile
# it again, and start three times slower.
define install
$(BIN)/uv pip install --quiet --system-certs --compile-bytecode --no-deps --require-hashes --python $(BIN)/python -r $(1) \
	|| $(BIN)/pip install --quiet --no-deps --require-hashes -r $(1)
$(BIN)/uv pip install --quiet --no-deps --no-build-isolation --offline --python $(BIN)/python -e . \
	|| $(BIN)/pip install --quiet --no-deps --no-build-isolation -e .
$(BIN)/python -m compileall -q slotwise scheduler_core traces reports workflow studies
endef

.venv/bin/uv: requirements-setup.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "slotwise needs python 3.11 or newer; found $$($(PYTHON) --version). Name another with PYTHON=..."; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-setup.lock
	@touch $@

.venv/.run-ready: .venv/bin/uv requirements.lock pyproject.toml
	@test -e .venv/.develop-ready || { set -e; $(MAKE) --no-print-directory .install-run; }
	@touch $@

.venv/.develop-ready: .venv/bin/uv requirements-dev.lock pyproject.toml
	@$(MAKE) --no-print-directory .install-develop
	@touch $@ .venv/.run-ready .venv/.docs-ready

.venv/.docs-ready: .venv/bin/uv requirements-docs.lock pyproject.toml
	@test -e .venv/.develop-ready || { set -e; $(MAKE) --no-print-directory .install-docs; }
	@touch $@

.PHONY: .install-run .install-develop .install-docs
.install-run:
	$(call install,requirements.lock)
.install-develop:
	$(call install,requirements-dev.lock)
.install-docs:
	$(call install,requirements-docs.lock)

# Compile kernels first, so that no two test processes compile the same one.
test: develop
	$(BIN)/python -c "from scheduler_core.runs.simulation import compile_kernels; compile_kernels($(CORES))"
	$(BIN)/python -m pytest -n $(CORES) --dist loadgroup -q

# Before a release, and after a change of an engine, the checker or a reader of files.
test-thorough: export HYPOTHESIS_PROFILE = thorough
test-thorough: export POLARS_MAX_THREADS = 2
test-thorough: test

# A developer's loop: without pipelines, browser, reports and oracles.
test-fast: develop
	$(BIN)/python -m pytest -n $(CORES) --dist loadgroup -q -m "not slow"

# Counting lines and branches makes the tests take 1.5 times as long.
coverage: develop
	$(BIN)/python -c "from scheduler_core.runs.simulation import compile_kernels; compile_kernels($(CORES))"
	$(BIN)/python -m pytest -n $(CORES) --dist loadgroup --cov --cov-report=term:skip-covered -q

check: develop
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow/rules
	$(BIN)/mypy

MINUTES ?= 10
SEED ?= 1
fuzz: develop
	$(BIN)/python -m tests.fuzz --seed $(SEED) --minutes $(MINUTES) $(if $(INPUTS),--inputs $(INPUTS))

bench: develop
	@mkdir -p results/bench
	$(BIN)/slotwise bench --json > results/bench/latest.json.part && mv results/bench/latest.json.part results/bench/latest.json
	$(BIN)/python -m tests.bench.summary results/bench

docs: .venv/.docs-ready
	$(BIN)/python -m docs.build build/docs
	@echo "The documentation: build/docs/html/index.html"

lock:
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--no-emit-index-url pyproject.toml --group build -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--no-emit-index-url pyproject.toml --group build --group docs -c requirements.lock -o requirements-docs.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--no-emit-index-url pyproject.toml --group build --group docs --group test --group lint -c requirements-docs.lock \
		-o requirements-dev.lock

clean:
	@echo "This removes nothing. Remove results/ to discard results, .venv to rebuild the environment."
