# make run    the complete exchange on a 12x12 torus, its counts beside the paper's formulas
# make test   builds everything but the benchmarks, and runs all tests
# make docs   makes the documentation, in build/docs/html
# make site   the same: documentation, lessons and gallery as one folder, build/docs/html, for any web server
# make pages  writes docs/algorithms.md, docs/problems/ and README's table of problems, from the registry
# make bench  measures the engines, for some minutes; BENCH_ARGS=--quick for a few seconds
# make guard  counts the instructions of a processor-step, and compares them with those that are kept;
#             ARGS=--accept keeps them instead
# make bench-peers  runs the same programs on SimGrid, MPI, threads and fibers, those that are installed,
#             for an hour; BENCH_ARGS=--quick for two minutes
# make viewer  the step viewer of viewer/, which pages of runs embed: its tests, and the bundle in viewer/dist
# make viewer-check  whether that bundle is what its sources give
# make check      what has to hold before a change goes in, in ten to thirty minutes on two cores
# make check-all  what takes longer, and a million random programs on all engines, twice, and a million random
#             sequences of collectives, some of them under ThreadSanitizer, and 10,000 random command lines;
#             PROGRAMS=10000 and COMMAND_LINES=1000 for fewer, SEED=1000001 for others
# make python     the Python package, in build/release/python/package, and a first count
# make python-test   its tests
#
# make mutants    plants wrong formulas, counts, ports and comparisons in a copy, one at a time, and says which of
#             them no test sees
#
# make install PREFIX=/usr/local   the command line, the library, and what finds them
# make package                     Debian packages of both, in build/release/packages
# make python-package              a Debian package for Python, in the same folder
#
# Each first installs what is missing, on Debian and Ubuntu.

BENCH_ARGS ?=
ARGS ?=
PROGRAMS ?= 1000000
COMMAND_LINES ?= 10000
SEED ?= 1
JOBS ?= $(shell getconf _NPROCESSORS_ONLN)
LIBRARY_AND_CLI_ONLY = -D LOCKSTEP_BUILD_TESTS=OFF -D LOCKSTEP_BUILD_EXAMPLES=OFF -D LOCKSTEP_BUILD_BENCH=OFF

PREFIX ?= /usr/local

.PHONY: run test docs site pages bench bench-peers guard viewer viewer-check check check-all python python-test python-package mutants install package clean

run:
	@scripts/setup run
	@test -e build/release/build.ninja || cmake --preset release $(LIBRARY_AND_CLI_ONLY)
	@cmake --build --preset release --target lockstep_cli
	build/release/cli/lockstep run all-to-all --on torus:12x12 --model paragon

test:
	@scripts/setup test
	@cmake --preset release
	@cmake --build --preset release
	@ctest --preset release --parallel "$$(getconf _NPROCESSORS_ONLN)"

docs:
	@scripts/setup docs
	@test -e build/release/build.ninja || cmake --preset release $(LIBRARY_AND_CLI_ONLY)
	@cmake build/release >/dev/null # finds what was installed since
	@cmake --build --preset release --target docs

site: docs
	@echo "The site is build/docs/html; to try it: python3 -m http.server --directory build/docs/html"

pages:
	@scripts/setup test
	@test -e build/release/build.ninja || cmake --preset release $(LIBRARY_AND_CLI_ONLY)
	@cmake --build --preset release --target pages

bench:
	@scripts/setup test
	@cmake --preset release
	@cmake --build --preset release --target lockstep_bench lockstep_oversubscribed
	build/release/bench/lockstep_bench $(BENCH_ARGS)
	build/release/bench/lockstep_oversubscribed

guard:
	@scripts/setup guard
	@cmake --preset release
	@cmake --build --preset release --target lockstep_guard
	@bench/guard/check build/release/bench/guard/lockstep_guard $(ARGS)

bench-peers:
	@scripts/setup peers
	@cmake --preset release -B build/peers $(LIBRARY_AND_CLI_ONLY) -D LOCKSTEP_BUILD_CLI=OFF \
	  -D LOCKSTEP_BUILD_PEERS=ON
	@cmake --build build/peers --target lockstep_peers
	bench/peers/compare.py --build build/peers $(BENCH_ARGS)

viewer:
	@cd viewer && npm ci --no-fund --no-audit && npm run --silent check && npm run --silent build && npm run --silent test

viewer-check:
	@cd viewer && npm ci --no-fund --no-audit && npm run --silent check && npm run --silent current

check:
	@scripts/check gate

check-all:
	@scripts/check rest
	@scripts/random_command_lines "$(COMMAND_LINES)" "$(SEED)" "$(JOBS)" --all-algorithms
	@scripts/random_programs "$(PROGRAMS)" "$(SEED)" "$(JOBS)"

# Beside what `make run` builds. Debian's Python, whatever comes first in PATH.
WITH_PYTHON = -D LOCKSTEP_BUILD_PYTHON=ON -D Python3_EXECUTABLE=/usr/bin/python3

python:
	@scripts/setup python
	@test -e build/release/build.ninja || cmake --preset release $(LIBRARY_AND_CLI_ONLY) $(WITH_PYTHON)
	@cmake build/release $(WITH_PYTHON)
	@cmake --build build/release --target lockstep_python
	@PYTHONPATH=build/release/python/package /usr/bin/python3 -B examples/hypercube_sum.py

python-test: python
	@cmake --build build/release --target lockstep_cli lockstep_python_twins
	@ctest --test-dir build/release/python --output-on-failure --parallel "$$(getconf _NPROCESSORS_ONLN)"

mutants:
	@scripts/setup test
	@PYTHONDONTWRITEBYTECODE=1 python3 tests/mutants/mutants.py

install:
	@scripts/setup run
	@test -e build/release/build.ninja || cmake --preset release $(LIBRARY_AND_CLI_ONLY)
	@cmake --build --preset release --target lockstep_cli
	@cmake --install build/release --prefix "$(PREFIX)"

package:
	@scripts/setup package
	@test -e build/release/build.ninja || cmake --preset release $(LIBRARY_AND_CLI_ONLY)
	@cmake --build --preset release --target lockstep_cli
	@rm -f build/release/packages/lockstep_*.deb build/release/packages/liblockstep-dev_*.deb
	@cd build/release && cpack -D 'CPACK_COMPONENTS_ALL=lockstep_tool;lockstep_development'
	@ls build/release/packages/lockstep_*.deb build/release/packages/liblockstep-dev_*.deb

python-package: python
	@scripts/setup package
	@rm -f build/release/packages/python3-lockstep_*.deb
	@cd build/release && cpack -D CPACK_COMPONENTS_ALL=lockstep_python
	@ls build/release/packages/python3-lockstep_*.deb

clean:
	rm -rf build
