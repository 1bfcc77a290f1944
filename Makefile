# One virtual environment, .venv, with everything pinned; every target makes it first where it needs it.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: install train test lint types coverage bench docs clean-cache

install: $(READY)

$(READY): pyproject.toml constraints.txt requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	{ echo "bgai needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1). Name another: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv .venv
	grep '^setuptools==' requirements.lock | $(BIN)/pip install --quiet --require-hashes --no-deps --requirement /dev/stdin
	$(BIN)/pip install --quiet --require-hashes --no-deps --no-build-isolation --requirement requirements.lock
	$(BIN)/pip install --quiet --constraint constraints.txt --no-build-isolation --editable '.[dev]'
	@touch $@

# A new folder for every run: nothing that was trained before is touched.
train: RUN := runs/quick-$(shell date +%Y-%m-%d_%H-%M-%S)
train: install
	$(BIN)/bgai train experiment=quick run=$(RUN)
	$(BIN)/bgai openings --checkpoint $(RUN)/last.safetensors

test: install
	$(BIN)/python -m pytest

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: install
	$(BIN)/mypy

# Lines covered in each of three rooms, by their own tests but for those that take long because they count. Coverage
# doesn't see into compiled kernels: tests marked `uncompiled` run once more with Numba switched off.
ROOMS := tests/test_board.py tests/test_plays.py tests/test_game.py tests/test_rules.py tests/test_chouette.py \
	tests/notation tests/evaluator
REPORT := $(BIN)/coverage report --fail-under=95 --include

coverage: install
	$(BIN)/python -m pytest --cov --cov-report= $(ROOMS) \
		-k 'not 000 and not honest and not filter and not luck_measured'
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -W ignore --cov --cov-append --cov-report= $(ROOMS) -m uncompiled
	$(REPORT) 'bgai/board.py,bgai/one_roll.py,bgai/plays.py,bgai/game.py,bgai/chouette.py'
	$(REPORT) 'bgai/notation/*'
	$(REPORT) 'bgai/evaluator/*'

bench: install
	$(BIN)/python scripts/bench.py

# What is made from the program: the command reference, the output shown in pages, the rules to print.
docs: install
	$(BIN)/python scripts/command_reference.py
	$(BIN)/python scripts/console_output.py
	$(BIN)/python scripts/rules_memo.py

# Numba doesn't notice a change in a kernel that another file calls: clean its caches after editing one.
clean-cache:
	find bgai scripts tests -name '*.nb[ic]' -delete
