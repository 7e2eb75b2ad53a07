# Everything runs in a private environment that the first target to need it sets up once.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
# On every processor. A test that hangs ends its worker, and is begun once more.
SPREAD := -n auto --dist worksteal --max-worker-restart 1

.DEFAULT_GOAL := help
.PHONY: help run test test-all durations coverage fuzz kernels check bench package docs clean

help:  ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

$(STAMP): pyproject.toml constraints.txt
	@echo "Setting up $(VENV) (once, about a minute)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[all,dev,docs]'
	@touch $@

run: $(STAMP)  ## solve a real hanab.live deck
	@$(BIN)/hanabi solve tests/data/hanab_live/games/2906.json --show
	@printf '\n%s\n' 'Each command compiles what it needs when it is first used; $(BIN)/hanabi compile does it ahead.'

# What the quick tests run: all but searches around more players, which only slow tests play.
QUICK := game information solve rule-based convention rollouts uct belief/convention monte-carlo \
  endgame/rule-based solitaire chances hints count env smart cheating open-hands iggi piers flawed \
  outer van-den-bergh

# Compiled ahead, so that no two processes compile the same; where that cannot be kept, each does.
test: $(STAMP)  ## run the quick tests: most of them, in a few minutes
	-$(BIN)/hanabi compile $(QUICK)
	$(BIN)/python -m pytest $(SPREAD) -m "not thorough"
	@echo 'The slow tests, deselected here, are those of "make test-all".'

test-all: $(STAMP)  ## run the slow tests, which "make test" leaves out
	-$(BIN)/hanabi compile
	$(BIN)/python -m pytest $(SPREAD) -m thorough

# With a cache of its own: what a test has to compile counts. The quick tests are timed a second
# time by themselves, as they may have to compile what a slow one compiled for them before.
TIMED := --durations=0 --durations-min=0.01
durations: export XDG_CACHE_HOME = $(CURDIR)/build/cache
durations: $(STAMP)  ## time all tests, print the slowest, and list anew which are slow
	rm -rf $(XDG_CACHE_HOME)
	-$(BIN)/hanabi compile
	$(BIN)/python -m pytest $(SPREAD) $(TIMED) > durations.txt
	$(BIN)/python tools/durations.py durations.txt
	rm -rf $(XDG_CACHE_HOME)
	-$(BIN)/hanabi compile $(QUICK)
	$(BIN)/python -m pytest $(SPREAD) $(TIMED) -m "not thorough" > quick.txt
	$(BIN)/python tools/durations.py durations.txt quick.txt

# Compiled code runs no line of Python, so what tests it runs a second time uncompiled.
coverage: $(STAMP)  ## print which lines of src the quick tests run
	-$(BIN)/hanabi compile $(QUICK)
	$(BIN)/python -m pytest $(SPREAD) -m "not thorough" --cov --cov-report=
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest $(SPREAD) $(APART) -m "not thorough" \
	  --cov --cov-append --cov-report=term:skip-covered $(UNCOMPILED)

fuzz: $(STAMP)  ## damage inputs of every form, a hundred times as many as the tests do
	HANABI_FUZZ=100 $(BIN)/python -m pytest -n auto -o faulthandler_timeout=3600 tests/fuzz

# Tests of compiled code that are quick enough without the compiler.
UNCOMPILED := tests/unit/kernels $(wildcard tests/unit/rules/*.py) tests/unit/env/test_vector.py \
  tests/exact/test_odd_games.py tests/property/test_game.py tests/property/test_linear_solvers.py

# Tests in processes of their own, which set all of this for themselves.
APART := --ignore tests/unit/kernels/test_cache.py --ignore tests/unit/env/test_damage.py

kernels: $(STAMP)  ## test the compiled code with bounds checked, then as plain Python with poisoned arrays
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest $(SPREAD) $(APART) tests/unit/kernels tests/unit/solvers/winnable \
	  tests/property/test_winnable.py tests/property/test_game.py tests/property/test_linear_solvers.py \
	  $(filter-out %/test_values.py,$(wildcard tests/unit/env/*.py)) tests/property/test_env.py \
	  tests/exact/test_search.py tests/exact/test_linear_solvers.py tests/exact/test_perft.py
	HANABI_POISON=1 NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest $(SPREAD) $(APART) $(UNCOMPILED) \
	  tests/exact/test_search.py::test_small_vectors \
	  tests/exact/test_search.py::test_plain_and_compiled_agree_on_standard_decks

check: $(STAMP)  ## lint, types, import rules, docs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

bench: $(STAMP)  ## print the benchmark tables
	$(BIN)/python -m benchmarks

package: $(STAMP)  ## build wheel and source archive, and try them in empty environments
	$(BIN)/python tools/try_package.py

docs: $(STAMP)  ## build the documentation into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean:  ## remove the environment and everything built
	rm -rf $(VENV) site dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
