# Everything sets itself up: `make run` and `make test` work on a fresh clone with Python 3.11 or newer. The tests also
# want node, javac and cc, which .ci/tools gets from Debian if it may.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: run test tools setup lint documents golden bench build clean

run: setup  ## play a complete game of five
	$(BIN)/wateringhole game 5

test: tools lint  ## everything that must hold
	$(BIN)/pytest -n auto --dist worksteal -q
	$(BIN)/pytest -q --cov --cov-report= tests/rules tests/test_dealer.py tests/agents
	$(BIN)/coverage report --include 'src/wateringhole/rules/*,src/wateringhole/dealer.py' --fail-under=100

tools:  ## the compilers that the kits in other languages are tested with
	.ci/tools

lint: setup  ## style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

documents: setup  ## write the generated parts of the pages anew
	$(BIN)/python -m tests.documents

golden: setup  ## write the golden games anew; read the diff before you commit it
	$(BIN)/python -m tests.golden

bench: setup  ## games per second, and the server under load
	$(BIN)/python bench/games.py
	records=$$(mktemp -d) && $(BIN)/python bench/server.py --folder "$$records"; rm -rf "$$records"

build: setup  ## a source archive and a wheel in dist/
	$(BIN)/python -m build

setup: $(READY)  ## the environment in .venv, with the command at .venv/bin/wateringhole

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else f"wateringhole needs Python 3.11 or newer; $(PYTHON) is {sys.version.split()[0]}. Try: make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

clean:
	rm -rf .venv build dist src/*.egg-info .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
