# For a machine that has only python3 (3.11 or newer), make, gcc and git.
#
#   make         set up, then run every study at laptop scale: results/report/index.html
#   make quick   the same in miniature, in minutes
#   make paper   the full replications
#   make setup   only set up: .venv with the locked dependencies
#   make test    set up, then run the tests; says what it skipped and why
#   make coverage  the tests, with the lines and branches they reach
#   make check   lint, formatting and types, within a minute
#   make bench   jobs per second for each policy; saved under results/bench
#   make lock    compile the lock files anew from pyproject.toml

PYTHON ?= python3
CORES ?= $(shell $(PYTHON) -c 'import os; print(os.cpu_count())')
BIN := .venv/bin
SNAKEMAKE := $(BIN)/snakemake --cores $(CORES)

.DEFAULT_GOAL := all
.PHONY: all quick paper setup develop test coverage check bench lock clean

all: setup
	$(SNAKEMAKE) all
	@echo "The report: results/report/index.html"

quick: setup
	$(SNAKEMAKE) quick
	@echo "The report: results/quick/report/index.html"

paper: setup
	$(SNAKEMAKE) paper
	@echo "The report: results/paper/report/index.html"

setup: .venv/.run-ready
develop: .venv/.develop-ready

# uv installs in seconds what pip takes minutes for; where it cannot (an index only pip is configured for), pip does.
# Versions and hashes are those of the lock file either way. Bytecode is made now: where PYTHONDONTWRITEBYTECODE is set,
# each of the hundreds of processes of a run would make it anew, and start three times slower.
define install
$(BIN)/uv pip install --quiet --compile-bytecode --no-deps --require-hashes --python $(BIN)/python -r $(1) \
	|| $(BIN)/pip install --quiet --no-deps --require-hashes -r $(1)
$(BIN)/uv pip install --quiet --no-deps --no-build-isolation --offline --python $(BIN)/python -e . \
	|| $(BIN)/pip install --quiet --no-deps --no-build-isolation -e .
$(BIN)/python -m compileall -q slotwise scheduler_core traces reports workflow studies
endef

.venv/bin/uv: requirements-setup.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "slotwise needs python 3.11 or newer; found $$($(PYTHON) --version). Say PYTHON=... to use another."; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-setup.lock
	@touch $@

.venv/.run-ready: .venv/bin/uv requirements.lock pyproject.toml
	@test -e .venv/.develop-ready || { set -e; $(MAKE) --no-print-directory .install-run; }
	@touch $@

.venv/.develop-ready: .venv/bin/uv requirements-dev.lock pyproject.toml
	@$(MAKE) --no-print-directory .install-develop
	@touch $@ .venv/.run-ready

.PHONY: .install-run .install-develop
.install-run:
	$(call install,requirements.lock)
.install-develop:
	$(call install,requirements-dev.lock)

# Kernels first, so that two test processes do not both compile them.
test: develop
	$(BIN)/python -c "from scheduler_core.runs.simulation import compile_kernels; compile_kernels($(CORES))"
	$(BIN)/python -m pytest -n $(CORES) --dist loadgroup -q

# Counting lines and branches makes the tests take half as long again.
coverage: develop
	$(BIN)/python -c "from scheduler_core.runs.simulation import compile_kernels; compile_kernels($(CORES))"
	$(BIN)/python -m pytest -n $(CORES) --dist loadgroup --cov --cov-report=term:skip-covered -q

check: develop
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow/rules
	$(BIN)/mypy

bench: develop
	@mkdir -p results/bench
	$(BIN)/slotwise bench --json > results/bench/latest.json.part && mv results/bench/latest.json.part results/bench/latest.json
	$(BIN)/python -m tests.bench.summary results/bench

lock:
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--no-emit-index-url pyproject.toml --group build -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--no-emit-index-url pyproject.toml --group build --group test --group lint -c requirements.lock -o requirements-dev.lock

clean:
	@echo "Results are yours: remove results/ by hand. To rebuild the environment, remove .venv."
