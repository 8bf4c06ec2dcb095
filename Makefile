# Two commands for a fresh machine: `make demo` and `make test`; `make check` after each change.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# linear algebra on small matrices is slower with threads, and they disturb the servo
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1
export MKL_NUM_THREADS := 1

QUIETLY := --quiet --disable-pip-version-check --no-compile

# tests that need processors alone share them, a file at a time: what a module made is made once
SHARED := --numprocesses=auto --dist=loadfile
# those of processes wait more than they compute
WAITING = --numprocesses=$(shell expr 2 \* $$($(PYTHON) -c 'import os; print(os.cpu_count())')) --dist=loadfile
# `make test` runs one in so many cases of slow parametrised tests, `make test-all` each
EVERY := 5

# how often controllers are mistreated, and where the random numbers begin
TRIALS := 10000
SEED := 0

.PHONY: demo check test test-all test-browser lint style types arithmetic bench bench-check campaign docs install clean

# the first 37 s of 49 end with both hands at rest; libraries are compiled as far as they are imported
demo: export PYTHONDONTWRITEBYTECODE :=
demo: $(VENV)/.demo ## move Dreamer in simulation and print its table
	$(BIN)/controlit demo hands --duration 37

check: export HYPOTHESIS_PROFILE := quick
check: style ## format, lint, and types beside the tests that answer at once
	@$(MAKE) --no-print-directory --jobs=2 types arithmetic

test: export HYPOTHESIS_PROFILE := ci
test: lint ## run every check, slow ones on a sample of their cases
	@$(BIN)/python -m pytest $(SHARED) --every $(EVERY) -m "not processes or commands"; shared=$$?; \
	$(BIN)/python -m pytest $(WAITING) --every $(EVERY) -m "processes and not commands" && exit $$shared

test-all: EVERY := 1
test-all: test ## run every check on every case, as before a release

lint: style types ## format, lint and types

style: install
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: install
	$(BIN)/mypy

arithmetic: install
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -q $(SHARED) \
		-m "not processes and not simulation and not thorough" --durations=5

# the pages of `controlit console` in a real browser, which CI has not
BROWSER := $(firstword $(foreach name,chromium chromium-browser google-chrome,$(shell command -v $(name))))

test-browser: export CONTROLIT_BROWSER := $(BROWSER)
test-browser: install ## drive the operator's screen with Chromium, or the browser that BROWSER names
	@test -n "$(BROWSER)" || \
		{ echo "There is no Chromium. On Debian: apt install chromium. Elsewhere: make test-browser BROWSER=/path/to/chromium"; exit 1; }
	@$(BIN)/python -c 'import playwright' 2>/dev/null || $(BIN)/python -m pip install --quiet 'playwright>=1.40'
	$(BIN)/python -m pytest test/console/test_in_browser.py

bench: install ## time the controller and what it is compared with
	$(BIN)/controlit bench

bench-check: install ## fail if the kernels have lost their lead over NumPy
	$(BIN)/python benchmarks/check.py

campaign: install ## mistreat controllers in every way, TRIALS times, and print what came of it
	PYTHONPATH=test $(BIN)/python -W ignore test/campaign/campaign.py --trials $(TRIALS) --seed $(SEED)

docs: install ## renew the tables of docs/configuration.md
	$(BIN)/python docs/reference.py

install: $(VENV)/.dev ## everything the checks need

$(VENV)/.dev: EXTRAS := dev
$(VENV)/.dev: COMPILE_ALL = -$(BIN)/python -m compileall -qq --workers 0 $(VENV)/lib
$(VENV)/.demo: EXTRAS := demos,report
$(VENV)/.dev $(VENV)/.demo: setup.py setup.cfg pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
		{ echo "controlit needs Python 3.10 or newer; found $$($(PYTHON) --version). Choose one with PYTHON=..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "Python's venv module is missing. On Debian and Ubuntu: apt install python3-venv"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv --without-pip $(VENV)
	@# pip 23.0, which Python 3.10 brings, tries every version of every package before it gives one up;
	@# before 25.1 it takes longer to read which there are than to install them. The machine's pip, if
	@# there is one, brings another in a third of the time that Python's own takes to unpack its old one
	$(PYTHON) -m pip --python $(BIN)/python install $(QUIETLY) --no-input 'pip>=25.1' 2>/dev/null && \
		$(BIN)/python -c 'import pip' 2>/dev/null || \
		{ $(BIN)/python -m ensurepip >/dev/null && $(BIN)/python -m pip install $(QUIETLY) 'pip>=25.1'; }
	@# what is here already is compiled meanwhile, or as it is imported
	$(BIN)/python -m compileall -qq controlit_ros controlit_demos & \
		PYTHONWARNINGS='ignore:Editable installation' \
		$(BIN)/python -m pip install $(QUIETLY) --editable '.[$(EXTRAS)]' && wait
	$(COMPILE_ALL)
	touch $@

clean: ## remove what was built
	rm -rf $(VENV) build dist *.egg-info reports .mypy_cache .ruff_cache .pytest_cache .hypothesis
