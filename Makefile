# Everything sets itself up: on a machine with Python 3.11+, `make play` or `make test` is all you type.
# Works with the make of Debian and of macOS (3.81).

BIN := .venv/bin
LOCKED := pyproject.toml requirements.lock scripts/setup.sh scripts/make_venv.py
PLAYER := .venv/.player
INSTALLED := .venv/.installed
FIRST := .venv/.first
WARMED := .venv/.warmed
BENCH := .venv/.bench
SCALE := .venv/.scale
NODE_MODULES := web/node_modules/.package-lock.json
KERNELS := $(shell find src/felt -name '*kernels.py' -o -name _warm.py)
# The theme announces its successor on every build; that is not for readers of the log.
export NO_MKDOCS_2_WARNING := 1
# Compiled modules and rewritten tests are kept for the next run, whatever the shell says.
export PYTHONDONTWRITEBYTECODE :=
heading = @printf '\n== %s ==\n'

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup play test test-long soak lint types layers unit nojit docs docs-serve bench web page mutate format lock licences clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

setup: $(INSTALLED) $(WARMED) ## build .venv and compile the kernels; nothing to do afterwards
	@:

$(PLAYER): $(LOCKED)
	@sh scripts/setup.sh play
	@touch $@

$(INSTALLED): $(LOCKED)
	@sh scripts/setup.sh dev
	@touch $(PLAYER) $@

$(WARMED): $(INSTALLED) $(KERNELS) src/felt/_jit.py
	@$(BIN)/python -m felt._warm $(if $(CI),--strict)
	@touch $(FIRST) $@

$(FIRST): $(PLAYER) $(KERNELS) src/felt/_jit.py
	@$(BIN)/python -m felt._warm --first
	@touch $@

play: $(FIRST) ## play in the browser: starts the service and opens the page; other kernels are compiled behind it
	@$(BIN)/felt serve

test: setup $(NODE_MODULES) ## everything that CI checks first, in minutes: lint, types, layers, docs, unit, nojit
	@MAKE='$(MAKE)' sh scripts/side_by_side.sh types 'lint layers docs'
	@$(MAKE) --no-print-directory unit nojit
	$(heading) 'All checks passed'

lint: setup $(NODE_MODULES) ## style and formatting, of the page too
	$(heading) 'Lint'
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@sh scripts/npm.sh run --silent lint

types: setup ## static types
	$(heading) 'Types'
	@$(BIN)/mypy

layers: setup ## which package may import which
	$(heading) 'Layers'
	@$(BIN)/lint-imports --no-logo

test-long: setup $(SCALE) page ## the tests that take longer, on top of `make test`
	$(heading) 'Long tests'
	@sh scripts/get_chromium.sh
	@FELT_SLOW_TESTS=1 $(BIN)/pytest -n 2 --dist worksteal -m 'long or grows'

unit: setup ## the tests, and every example in the docs
	$(heading) 'Tests and examples'
	@sh scripts/get_chromium.sh
	@$(BIN)/pytest -n 2

soak: setup ## half an hour of play under attack, with kills: prints the table of docs/service/hardening.md
	@$(BIN)/python -m tests.server.soak

nojit: setup ## the tests of the kernels again, without the compiler
	$(heading) 'Kernels without the compiler'
	@NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n 2 -p no:schemathesis -m no_jit $$(grep -rl no_jit tests --include='test_*.py')

docs: setup ## the documentation site, into site/
	$(heading) 'Documentation'
	@$(BIN)/mkdocs build --strict --quiet

docs-serve: setup ## the documentation site on http://127.0.0.1:8000, rebuilt as you write
	@$(BIN)/mkdocs serve

bench: setup $(BENCH) ## compare with other libraries; writes docs/project/benchmarks.md
	@$(BIN)/python -m benchmarks

$(SCALE): $(INSTALLED)
	@sh scripts/setup.sh scale
	@touch $@

$(BENCH): $(INSTALLED)
	@sh scripts/setup.sh bench
	@touch $@

web: $(NODE_MODULES) ## check, test and build the page into the package
	$(heading) 'Page'
	@for step in check test build; do sh scripts/npm.sh run --silent $$step || exit 1; done

page: $(NODE_MODULES) ## check and test the page, and that the package has what web/ builds
	$(heading) 'Page'
	@for step in check test; do sh scripts/npm.sh run --silent $$step || exit 1; done
	@sh scripts/check_page.sh

$(NODE_MODULES): web/package-lock.json $(INSTALLED)
	@sh scripts/npm.sh ci --silent

mutate: setup ## test the tests: change 200 places of the kernels in turn, list what no test notices
	@nice $(BIN)/python -m scripts.mutation

format: setup $(NODE_MODULES) ## rewrite the code in the house style
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@sh scripts/npm.sh run --silent format

lock: $(INSTALLED) ## write requirements.lock anew, with the newest versions; KEEP=1 changes only what must change
	@$(BIN)/python scripts/lock.py $(if $(KEEP),--keep)

licences: $(INSTALLED) $(SCALE) $(BENCH) ## list the licences of all dependencies, in docs/project/licences.md
	@sh scripts/setup.sh node
	@$(BIN)/python scripts/licences.py

clean: ## remove .venv and everything else that was built
	rm -rf .venv site build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
