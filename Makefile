# The front door: a fresh Debian 12 needs git and make, the rest is installed. CMake does the building.

PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 300

.PHONY: help run configure build test check bench bench-peers bench-web fuzz torture coverage mutate python wasm web site format install clean

help: ## Show this list
	@echo "Tumble $$(cat VERSION): exact, real-time collision detection between polygon models"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: configure ## Build and run the demonstration: a part is pulled out of its housing
	@cmake --build --preset release --target tumble-cli
	build/release/tumble demo
	build/release/tumble demo clash

configure:
	@scripts/setup.sh run
	@mkdir -p build
	@cmake --preset release >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }

build: configure ## Build the libraries, the command, the examples and the benchmarks in build/release
	@cmake --build --preset release

test: ## Build with gcc, optimised, and run its tests: a few minutes
	@scripts/setup.sh test
	@scripts/test.sh test

check: ## Run all other checks and tests: clang, sanitizers, OpenCL, fuzzers ... (STAGES="asan tsan" for some)
	@scripts/setup.sh check
	@scripts/test.sh check $(STAGES)

bench: build ## Run the benchmarks, the short version (BENCH=--full for the long one); tables and plots in out/bench
	@scripts/setup.sh bench
	@bench/run.sh $(BENCH)

bench-peers: ## Compare with the collision libraries that Debian packages, some minutes; results in out/bench-peers
	@scripts/setup.sh bench-peers
	@mkdir -p build
	@cmake -S . -B build/peers -G Ninja -DCMAKE_BUILD_TYPE=Release -DTUMBLE_NATIVE=ON -DTUMBLE_BUILD_BENCH=ON \
		-DTUMBLE_BENCH_PEERS=ON -DTUMBLE_BUILD_CLI=OFF -DTUMBLE_BUILD_EXAMPLES=OFF >build/configure.log 2>&1 || \
		{ cat build/configure.log; exit 1; }
	@cmake --build build/peers --target tumble_peers tumble_bench
	@bench/peers/run.sh $(BENCH)

bench-web: ## Compare the npm package with three-mesh-bvh, in Node.js and Chromium; the table is also in out/bench-web
	@scripts/setup.sh web
	@scripts/wasm.sh module package
	@scripts/web_modules.sh
	@node bench/web/run.mjs $(BENCH)

fuzz: ## Fuzz every reader and the queries, FUZZ_SECONDS=300 for each
	@scripts/setup.sh fuzz
	@cmake --preset fuzz
	@cmake --build --preset fuzz
	TUMBLE_FUZZ_SECONDS=$(FUZZ_SECONDS) ctest --preset fuzz -j $$(nproc)

torture: ## Compare random answers with rational arithmetic, until interrupted (HOURS=0.5 for half an hour)
	@scripts/setup.sh torture
	@mkdir -p build
	@cmake --preset ci >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
	@cmake --build --preset ci --target tumble_torture
	POCL_CACHE_DIR=$(CURDIR)/build/pocl build/ci/torture/tumble_torture $(if $(HOURS),--hours $(HOURS)) $(TORTURE)

coverage: ## Run the tests and check how many lines and branches of src/ they run
	@scripts/setup.sh coverage
	@scripts/coverage.sh

mutate: ## Break the library in 200 places, one at a time, and tell which the tests do not notice (MUTATE="--seed 2")
	@scripts/setup.sh mutate
	@scripts/mutate.sh $(MUTATE)

python: ## Build the Python package, install it into build/python-env, and run its tests
	@scripts/setup.sh python
	@scripts/python.sh

wasm: ## Build the npm package in build/web/package, and compare it with the native library
	@scripts/setup.sh wasm
	@scripts/wasm.sh

web: ## Build the page where models are tried in the browser, and serve it on this machine
	@scripts/setup.sh wasm
	@scripts/wasm.sh module package
	@scripts/page.py serve

site: ## Build the documentation site, with the references of C and Python, in build/site/html
	@scripts/setup.sh site
	@scripts/python.sh wheel
	@scripts/wasm.sh module package
	@scripts/page.py
	@scripts/site.sh page
	@echo "open build/site/html/index.html"

format: ## Format the sources
	@scripts/format.sh

install: configure ## Install to PREFIX=/usr/local: libraries, headers, command, completions, docs, examples
	@cmake --build --preset release --target installed
	DESTDIR=$(DESTDIR) cmake --install build/release --prefix $(PREFIX)

clean: ## Remove everything that was built
	rm -rf build out
