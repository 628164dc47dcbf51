# Everything sets itself up: `make run` and `make test` work on a fresh clone with Python 3.11 or newer. The tests also
# want node, javac and cc, which .ci/tools gets from Debian if it may.
#
# Two environments: .venv has the game installed, with a compiled core where there is a C compiler; .venv-dev is for
# working on it, in plain Python, because compiled files beside the sources would hide every change.
PYTHON ?= python3
BIN := .venv/bin
DEV := .venv-dev/bin
READY := .venv-dev/.ready
FILES := $(shell find src -type f -not -path '*/__pycache__*' -not -path '*.egg-info*')
SOURCES := pyproject.toml setup.py constraints.txt $(FILES)
# The number in the name changes with the list of files, so that one that has gone is noticed.
INSTALLED := .venv/.ready-$(shell echo $(sort $(FILES)) | cksum | cut -d ' ' -f 1)
NPM := tests/web/node_modules
# With the versions that the tests have passed with: a release of a package cannot make them fail in an unchanged clone.
PIP := pip install --quiet --disable-pip-version-check --constraint constraints.txt
# What `make pythons` tries.
PYTHONS ?= 3.11 3.12 3.13 3.14
# How many worlds `make simulate` plays.
SEEDS ?= 1000
# What a game runs through, for the tests that plain Python and the compiled core both have to pass.
CORE_TESTS := tests/rules tests/laws tests/golden tests/agents tests/env \
	$(addprefix tests/test_,$(addsuffix .py,dealer events examples fair game moves packed playout record seed_004 table value view worlds))
# For make quick: what a change most often breaks, less the files that take long.
SLOW_FILES := $(addprefix %/test_,$(addsuffix .py,client_ends fuzz left_behind readme time_limit))
QUICK_TESTS := tests/rules tests/golden tests/agents $(filter-out $(SLOW_FILES),$(wildcard tests/test_*.py tests/wire/test_*.py))

# Where Python keeps no bytecode, each of the many processes that the tests start compiles every module anew.
unexport PYTHONDONTWRITEBYTECODE

.NOTPARALLEL:
.PHONY: constraints course drafts kernel suites kills round-trips run test quick quick-tests page plain coverage compiled tools install setup lint documents golden docs bench simulate build pythons clean

run: install  ## the server: a page for people, a port for programs, bots for empty seats; games are kept in games/
	$(BIN)/wateringhole serve --web --fill silly --players 4 --data games

# setup and install both build in this folder, so they are not made at the same time.
test:  ## everything that must hold: each part, also after one has failed, and a summary
	@MAKE='$(MAKE)' .ci/parts tools setup+page lint+install+docs plain coverage compiled

quick:  ## an answer within a minute: style, types, and the tests of the rules, the core and the dialects
	@MAKE='$(MAKE)' .ci/parts lint quick-tests

quick-tests: setup
	$(DEV)/pytest -n auto --dist worksteal -q -m 'not long' $(QUICK_TESTS)

plain: setup $(NPM)  ## all tests, with the core in plain Python
	$(DEV)/pytest -n auto --dist worksteal -q

coverage: setup  ## the tests of the rules and the dealer reach every branch of them
	$(DEV)/pytest -n auto -q --cov --cov-report= tests/rules tests/test_dealer.py tests/test_moves.py tests/agents/test_silly.py
	$(DEV)/coverage report --include 'src/wateringhole/rules/*,src/wateringhole/dealer.py' --fail-under=100

# The packages that the tests need are those of .venv-dev; the game is found in .venv, because no .pth file counts there.
compiled: install setup  ## the core again, compiled, and both against each other
	PYTHONPATH=$$($(DEV)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))') \
	$(BIN)/python -m pytest -n auto --dist worksteal -q $(CORE_TESTS) tests/compiled

tools:  ## the compilers that the kits in other languages and the core are tested with
	PYTHON=$(PYTHON) .ci/tools

page: $(NPM)  ## what the browser runs: types, and the parts that need no browser
	$(NPM)/.bin/tsc --project tests/web
	node --test --test-timeout=60000 --test-reporter=dot tests/web/pure/*.mjs

$(NPM): tests/web/package.json | tools
	@echo 'Installing what checks the page into $(NPM)'
	npm install --prefix tests/web --no-package-lock --no-audit --no-fund --silent
	@touch $@

lint: setup  ## style and types
	$(DEV)/ruff check
	$(DEV)/ruff format --check
	$(DEV)/mypy

documents: setup  ## write the generated parts of the pages anew
	$(DEV)/python -m tests.documents

docs: setup $(NPM)  ## the documentation as a site, in site/, and the tests of it; to read it: python3 -m http.server -d site
	NO_MKDOCS_2_WARNING=1 $(DEV)/mkdocs build --strict  # not --quiet: with it no warning is counted
	SITE=site $(DEV)/pytest -q tests/built_site

golden: setup  ## write the golden games anew; read the diff before you commit it
	$(DEV)/python -m tests.golden

bench: install  ## how fast the core is, and the server under load; docs/performance.md has more
	$(BIN)/python bench/games.py
	$(BIN)/python bench/clone.py
	$(BIN)/python bench/feedings.py
	$(BIN)/python bench/startup.py
	records=$$(mktemp -d) && $(BIN)/python bench/server.py --folder "$$records"; rm -rf "$$records"

simulate: setup  ## servers that die in simulated worlds: make simulate SEEDS=1000; docs/simulation.md has more
	$(DEV)/python -m tests.simulator --seeds $(SEEDS)

kills: setup  ## a real server, killed again and again; more often with make kills TIMES=50
	TIMES=$(or $(TIMES),20) $(DEV)/pytest -q tests/server/test_kill.py

round-trips: setup  ## positions and moves of 1,000 games as text and back; more with make round-trips TIMES=50
	TIMES=$(or $(TIMES),10) $(DEV)/pytest -n auto -q tests/test_notation.py

drafts: setup  ## 10,000 games of random actions that the masks allow; more with make drafts TIMES=50
	TIMES=$(or $(TIMES),10) $(DEV)/pytest -q tests/env/test_actions.py

suites: setup  ## suites of 10 seeds, each half of which finds all mutants of the rules; more with make suites TIMES=50
	TIMES=$(or $(TIMES),10) $(DEV)/pytest -n auto -q tests/conformance/test_suite_maker.py

course: setup  ## a class of 60 submissions and 60 cases is graded, interrupted and resumed
	TIMES=$(or $(TIMES),10) $(DEV)/pytest -q -o time_limit=3600 -o faulthandler_timeout=3720 tests/course -k only_once

kernel: setup  ## the kernel against the rules in 10,000 games; a million with make kernel TIMES=1000
	TIMES=$(or $(TIMES),10) $(DEV)/pytest -n auto -q tests/kernel

build: setup  ## in dist/: a source archive, a wheel with the compiled core, a wheel for any machine
	@echo 'Installing what builds a release into .venv-dev'
	$(DEV)/$(PIP) 'wateringhole[release]'
	rm -rf dist
	$(DEV)/python -m tests.documents.man_page man/wateringhole.1
	WATERINGHOLE_PURE=1 $(DEV)/python -m build
	PATH="$(CURDIR)/$(DEV):$$PATH" .ci/wheel python dist/*.tar.gz dist
	$(DEV)/twine check --strict dist/*

constraints:  ## constraints.txt with the newest version of every package; make test then says whether they work
	: > constraints.txt
	rm -rf .venv-dev
	$(MAKE) setup
	$(DEV)/$(PIP) 'wateringhole[release]'
	{ echo '# What make installs into .venv and .venv-dev; "make constraints" writes the newest versions.'; \
	$(DEV)/pip freeze --exclude-editable; } > constraints.txt
	@touch $(READY)

pythons: build  ## a wheel, an installation and the tests with each Python at hand: make pythons PYTHONS="3.11 3.12"
	PATH="$(CURDIR)/$(DEV):$$PATH" .ci/pythons $(PYTHONS) -- $(CORE_TESTS) $(addprefix tests/,kernel learned wire)

install: $(INSTALLED)  ## the game in .venv, with the command at .venv/bin/wateringhole

setup: $(READY)  ## the environment for working on it, in .venv-dev

$(INSTALLED): $(SOURCES) | new-enough
	@echo 'Installing wateringhole into .venv; where there is a C compiler, its core is compiled (1 to 2 minutes)'
	$(PYTHON) -m venv .venv
	$(BIN)/$(PIP) --force-reinstall --no-deps .
	$(BIN)/$(PIP) wateringhole
	@rm -f .venv/.ready-*
	@touch $@

$(READY): pyproject.toml constraints.txt | new-enough
	@echo 'Installing what the tests need into .venv-dev (1 to 2 minutes)'
	$(PYTHON) -m venv .venv-dev
	WATERINGHOLE_PURE=1 $(DEV)/$(PIP) --editable '.[dev]'
	@touch $@

.PHONY: new-enough
new-enough:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else f"wateringhole needs Python 3.11 or newer; $(PYTHON) is {sys.version.split()[0]}. Try: make PYTHON=python3.12")'

clean:
	rm -rf .venv .venv-dev $(NPM) build dist man site src/*.egg-info .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
