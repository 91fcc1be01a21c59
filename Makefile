# Everything sets itself up: on a machine with Python 3.11+, `make play` or `make test` is all you type.
# Works with the make of Debian and of macOS (3.81).

BIN := .venv/bin
INSTALLED := .venv/.installed
WARMED := .venv/.warmed
BENCH := .venv/.bench
SCALE := .venv/.scale
KERNELS := $(shell find src/felt -name '*kernels.py')
# The theme announces its successor on every build; that is not for readers of the log.
export NO_MKDOCS_2_WARNING := 1
# Compiled modules and rewritten tests are kept for the next run, whatever the shell says.
export PYTHONDONTWRITEBYTECODE :=
heading = @printf '\n== %s ==\n'

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup play test test-long soak lint types layers unit nojit docs docs-serve bench web mutate format clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

setup: $(INSTALLED) $(WARMED) ## build .venv and compile the kernels; nothing to do afterwards
	@:

$(INSTALLED): pyproject.toml scripts/setup.sh scripts/make_venv.py
	@sh scripts/setup.sh
	@touch $@

$(WARMED): $(INSTALLED) $(KERNELS) src/felt/_jit.py $(wildcard src/felt/_warm.py src/felt/*/_warm.py)
	@$(BIN)/python -m felt._warm $(if $(CI),--strict)
	@touch $@

play: setup ## play in the browser: starts the service and opens the page
	@$(BIN)/felt serve

test: lint types layers unit nojit docs ## everything that CI checks first, in minutes
	$(heading) 'All checks passed'

lint: setup ## style and formatting
	$(heading) 'Lint'
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: setup ## static types
	$(heading) 'Types'
	@$(BIN)/mypy

layers: setup ## which package may import which
	$(heading) 'Layers'
	@$(BIN)/lint-imports --no-logo

test-long: setup $(SCALE) ## the tests that take longer, on top of `make test`
	$(heading) 'Long tests'
	@sh scripts/get_chromium.sh
	@FELT_SLOW_TESTS=1 $(BIN)/pytest -n 2 --dist worksteal -m 'long or grows'

unit: setup ## the tests, and every example in the docs
	$(heading) 'Tests and examples'
	@sh scripts/get_chromium.sh
	@$(BIN)/pytest -n 2

soak: setup ## half an hour of play under attack, with kills: prints the table of docs/hardening.md
	@$(BIN)/python -m tests.server.soak

nojit: setup ## the tests of the kernels again, without the compiler
	$(heading) 'Kernels without the compiler'
	@NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n 2 -p no:schemathesis -m no_jit $$(grep -rl no_jit tests --include='test_*.py')

docs: setup ## the documentation site, into site/
	$(heading) 'Documentation'
	@$(BIN)/mkdocs build --strict --quiet

docs-serve: setup ## the documentation site on http://127.0.0.1:8000, rebuilt as you write
	@$(BIN)/mkdocs serve

bench: setup $(BENCH) ## compare with other libraries; writes docs/benchmarks.md
	@$(BIN)/python -m benchmarks

$(SCALE): $(INSTALLED)
	@echo 'Installing Ray …'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[scale]'
	@touch $@

$(BENCH): $(INSTALLED)
	@echo 'Installing the libraries to compare with …'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $@

web: web/node_modules/.package-lock.json ## check, test and build the page into the package
	$(heading) 'Page'
	@for step in check test build; do sh scripts/npm.sh run --silent $$step || exit 1; done

web/node_modules/.package-lock.json: web/package-lock.json $(INSTALLED)
	@sh scripts/npm.sh ci --silent

mutate: setup ## test the tests: change 200 places of the kernels in turn, list what no test notices
	@nice $(BIN)/python -m scripts.mutation

format: setup ## rewrite the code in the house style
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

clean: ## remove .venv and everything else that was built
	rm -rf .venv site build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
