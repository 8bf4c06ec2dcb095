# Two commands for a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# linear algebra on small matrices is slower with threads, and they disturb the servo
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1
export MKL_NUM_THREADS := 1

# a busy machine may stop a process for longer than a test of real processes bears: once is told in
# the summary (RERUN), twice fails
RERUNS := --reruns 1 -raR

# how often controllers are mistreated, and where the random numbers begin
TRIALS := 10000
SEED := 0

.PHONY: demo test lint bench bench-check campaign docs install clean

# the first 37 s of 49 end with both hands at rest, and a fresh machine is through in two minutes
demo: $(VENV)/.demo ## move Dreamer in simulation and print its table
	$(BIN)/controlit demo hands --duration 37

test: install lint ## run every check
	$(BIN)/python -m pytest $(RERUNS)

lint: install ## format, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

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
$(VENV)/.demo: EXTRAS := demos,report
$(VENV)/.dev $(VENV)/.demo: setup.py setup.cfg pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
		{ echo "controlit needs Python 3.10 or newer; found $$($(PYTHON) --version). Choose one with PYTHON=..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "Python's venv module is missing. On Debian and Ubuntu: apt install python3-venv"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@# pip 23.0, which Python 3.10 brings, tries every version of every package before it gives one up
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip>=23.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	touch $@

clean: ## remove what was built
	rm -rf $(VENV) build dist *.egg-info reports .mypy_cache .ruff_cache .pytest_cache .hypothesis
