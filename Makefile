# make demo   train on generated data, or on TRAIN=... TEST=... [VALID=...], and show the metrics
# make test   every test, C++ and Python
# make lint   what the pre-commit hooks and CI check
# make bench  the C++ benchmarks
# make fuzz   every fuzz target for MINUTES=1
# make faults saves and trainings of which calls fail, or that are killed, PASSES=1 times
# make nightly the Python tests of the bindings under AddressSanitizer and UBSan: an hour
# make clean  remove everything that these made
#
# Each does its own set-up: a Python environment in .venv, the package built into it, and Debian
# packages where they are missing and may be installed. A second call finds it done.

PYTHON ?= python3
CXX ?= g++
export PYTHON CXX
unexport PYTHONPATH PYTHONHOME  # .venv alone decides what is imported

VENV := .venv
BIN := $(CURDIR)/$(VENV)/bin
export PATH := $(BIN):$(PATH)

# The extension is built from these. Python's own files are used where they lie, but the names of
# the modules are noted when the package is installed.
CPP_SOURCES := $(shell find cpp/include bindings cmake -type f) CMakeLists.txt

# The demo's files; `make demo TRAIN=a.txt TEST=b.txt VALID=c.txt` takes others.
ifndef TRAIN
TRAIN := demo/train.txt
VALID := demo/valid.txt
TEST := demo/test.txt
DEMO_DATA := demo/train.txt
endif

.PHONY: demo test test-cpp test-python lint lint-cpp lint-python bench fuzz faults nightly clean FORCE
.DELETE_ON_ERROR:

$(VENV)/.created:
	tools/need.sh compiler python
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"  # the first with --group
	touch $@

$(VENV)/.modules: $(VENV)/.created FORCE
	@find python -name '*.py' | sort >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(VENV)/.installed: pyproject.toml $(CPP_SOURCES) $(VENV)/.created $(VENV)/.modules
	pip install --quiet --group build
	pip install --quiet --no-build-isolation --editable .
	touch $@

$(VENV)/.test-tools: pyproject.toml $(VENV)/.created
	pip install --quiet --group build --group test
	touch $@

$(VENV)/.lint-tools: pyproject.toml | $(VENV)/.installed
	pip install --quiet --group test --group lint
	touch $@

# Boosting stops early where validation data say when; a forest needs no such thing.
demo: $(VENV)/.installed $(DEMO_DATA)
	$(if $(TEST),,$(error TRAIN=... needs TEST=..., the data to measure the model on))
	mkdir -p demo
	ltr-train --algorithm lambdamart --train $(TRAIN) --model demo/lambdamart.rf --quiet \
	  $(if $(VALID),--valid $(VALID) --early-stopping-rounds 50)
	ltr-train --algorithm random_forest --train $(TRAIN) --model demo/random_forest.rf --quiet
	ltr-eval --data $(TEST) --model demo/lambdamart.rf --model demo/random_forest.rf

demo/train.txt: $(VENV)/.installed
	python -m rankforest.cli.demo demo

test: test-cpp test-python

test-cpp: $(VENV)/.test-tools
	tools/need.sh doctest
	cmake --workflow --preset release

test-python: $(VENV)/.installed $(VENV)/.test-tools
	pytest --numprocesses auto --dist worksteal

lint: lint-cpp lint-python

lint-cpp: $(VENV)/.lint-tools
	clang-format --dry-run --Werror $$(git ls-files '*.hpp' '*.cpp')
	clang-tidy --quiet --warnings-as-errors='*' cpp/include/rankforest/rankforest.hpp \
	  -- -x c++ -std=c++17 -Icpp/include

lint-python: $(VENV)/.lint-tools
	ruff check
	ruff format --check
	mypy
	stubtest rankforest._core --mypy-config-file pyproject.toml --allowlist tests/typing/stubtest.txt

bench: $(VENV)/.test-tools
	tools/need.sh benchmark
	cmake --workflow --preset bench
	for program in build/bench/bench/cpp/bench_*; do $$program || exit 1; done

# An input that fails is left in build/fuzz/tests/fuzz.
MINUTES ?= 1
fuzz: $(VENV)/.test-tools
	cmake --preset fuzz -D RANKFOREST_FUZZ_SECONDS=$$(($(MINUTES) * 60))
	cmake --build --preset fuzz
	ctest --preset fuzz --verbose

PASSES ?= 1
faults: $(VENV)/.installed $(VENV)/.test-tools
	python tests/faults/save_faults.py --passes $(PASSES)
	python tests/faults/kill_trainings.py --kills $$((3 * $(PASSES)))

# An environment of its own, so that the extension of .venv stays as it is. Python itself leaks at
# its end, and only what is preloaded sees its allocations. Tests of other systems' compiled code,
# of forks, memory and time are left out: they would test those, or the sanitizer. What is found
# ends a process of pytest, and is shown at the end.
ASAN_VENV := build/asan-python
ASAN_REPORT := $(CURDIR)/$(ASAN_VENV)/report
NIGHTLY_TESTS ?= tests/python
nightly:
	tools/need.sh compiler python
	test -d $(ASAN_VENV) || $(PYTHON) -m venv $(ASAN_VENV)
	rm -f $(ASAN_REPORT).*
	$(ASAN_VENV)/bin/python -m pip install --quiet "pip>=25.1"
	PATH=$(CURDIR)/$(ASAN_VENV)/bin:$$PATH; export PATH; \
	  pip install --quiet --group build --group test && \
	  pip install --quiet --no-build-isolation --editable . \
	    --config-settings=build-dir=build/asan-extension \
	    --config-settings=cmake.define.CMAKE_CXX_FLAGS_RELEASE="-O1 -g1" \
	    --config-settings=cmake.define.RANKFOREST_SANITIZE=address,undefined,float-cast-overflow && \
	  LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	  ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:log_path=$(ASAN_REPORT) \
	  UBSAN_OPTIONS=print_stacktrace=1:log_path=$(ASAN_REPORT) PYTHONMALLOC=malloc \
	  pytest --numprocesses auto --dist worksteal -p no:cacheprovider $(NIGHTLY_TESTS) \
	    -k "not (peers or trec_eval or ir_measures or fork or memory or save_faults or killed)" \
	  || { cat $(ASAN_REPORT).* 2>/dev/null; exit 1; }

clean:
	rm -rf build dist demo $(VENV)
