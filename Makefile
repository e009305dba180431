# make setup        install the Debian packages that are missing
# make demo         watch cards go into simulated wallets, from end to end
# make serve        run the gateway beside the sandbox, for the README's session and docs/switching.md
# make test         lint, build, and run every test: ours, the vendors' clients, openapi, the kits, the console, docker/,
#                   a sixth processor
# make check        the same, and hold every import to the manifest
# make openapi      hold the API's description to a running gateway, and the gateway to it; SEED=7 makes other requests,
#                   RECORD=1 writes the answers of the examples into it
# make clients      compile the TypeScript kit strictly, and test it, at last against a running gateway
# make fault-matrix show what every call of every processor makes of every fault
# make secrecy      look for card numbers, keys, nonces and handoffs wherever they must not be, and say where
# make soak         kill the gateway a hundred times under load, and look for what was acknowledged
# make fuzz         put what comes from outside before libFuzzer, target by target; SECONDS=30 is for each, 60 unless told.
#                   TARGETS="requests replies" runs those alone. make test replays fuzz/corpora without a fuzzer
# make sanitize     run the tests under ThreadSanitizer and AddressSanitizer; the first time takes an hour.
#                   SUITES="HTTPServerTests|StorageTests" runs those alone, SANITIZERS=thread under one of the two
# make console      drive the console in Chromium, and take pictures of it into .build/console
# make deployment   check what lies in docker/, and try the proxy and the alerts with real programs
# make image        build the image's steps in a bare Debian tree, and try what comes out; takes minutes, needs root
# make bench        measure the gateway beside nginx, Go, Node and FastAPI; half an hour. bench-quick takes three minutes
# make budget       count the instructions of a request, and hold them to bench/budget.json; budget-write takes them over
# make generate     write anew what is made of the contracts: Swift of errors.json, golden envelopes and handoffs
# make format       put the sources in the house style
# make clean        remove what was built

SWIFT ?= swift
# How many tests run at once. They open real sockets, processes and stores, and more at once only wait for each other.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 2
SOURCES := Sources Providers Contracts Tests examples fuzz Package.swift

.DEFAULT_GOAL := help
.PHONY: help setup libraries demo serve test check vendor openapi clients console sixth-provider deployment image \
	fault-matrix secrecy soak fuzz sanitize lint bench bench-quick budget budget-write scaling paper generate format clean

help:
	@sed -n 's/^# //p' Makefile

setup:
	@.ci/setup postgresql

# What building takes, without the server that tests start.
libraries:
	@.ci/setup

demo: libraries
	@echo "Building the gateway and the laboratory; the first time takes a few minutes."
	@$(SWIFT) build --product passgate
	@$(SWIFT) build --product passgate-lab
	@"$$($(SWIFT) build --show-bin-path)/passgate-lab" demo

serve: libraries
	@echo "Building the gateway and the laboratory; the first time takes a few minutes."
	@$(SWIFT) build --product passgate
	@$(SWIFT) build --product passgate-lab
	@examples/serve "$$($(SWIFT) build --show-bin-path)"

test: setup lint
	$(SWIFT) test --disable-xctest
	@$(MAKE) --no-print-directory vendor openapi clients console deployment sixth-provider paper

check: setup lint
	$(SWIFT) build --build-tests --explicit-target-dependency-import-check error
	$(SWIFT) test --disable-xctest
	@$(MAKE) --no-print-directory vendor openapi clients console deployment sixth-provider paper

# The processors' own client libraries, against the emulators.
vendor:
	@.ci/setup python3-venv
	@$(SWIFT) build --product passgate-lab
	@.ci/vendor "$$($(SWIFT) build --show-bin-path)/passgate-lab"

# Contracts/openapi.json: by itself, with its examples executed, and with requests that schemathesis makes of it.
SEED ?= 1
openapi:
	@.ci/setup python3-venv
	@$(SWIFT) build --product passgate
	@$(SWIFT) build --product passgate-lab
	@.ci/openapi/run "$$($(SWIFT) build --show-bin-path)" --seed $(SEED) $(if $(RECORD),--record)

# The TypeScript kit: its own tests on the contract's files, then its example against the sandboxed gateway.
clients:
	@.ci/setup nodejs node-typescript
	@$(SWIFT) build --product passgate
	@$(SWIFT) build --product passgate-lab
	@.ci/clients "$$($(SWIFT) build --show-bin-path)"

# An invented processor, added to a copy of the tree: it must take one folder and an entry in three lists.
sixth-provider:
	@SWIFT="$(SWIFT)" .ci/sixth-provider

# The console, as a person uses it: Debian's Chromium before a real gateway.
console:
	@.ci/setup python3-venv chromium
	@$(SWIFT) build --product passgate
	@$(SWIFT) build --product passgate-lab
	@.ci/console "$$($(SWIFT) build --show-bin-path)"

# What an operator takes from docker/: linted, checked, the proxy tried before two gateways, and the alerts by a Prometheus.
deployment:
	@.ci/setup python3-venv haproxy systemd prometheus
	@$(SWIFT) build --product passgate
	@$(SWIFT) build --product passgate-lab
	@.ci/deployment "$$($(SWIFT) build --show-bin-path)/passgate"
	@.ci/proxy "$$($(SWIFT) build --show-bin-path)"
	@.ci/monitoring "$$($(SWIFT) build --show-bin-path)"

image:
	@.ci/image

# The faults of the wire and of answers, counted at the processors' end. The same cells are a test of `make test`.
FAULT_MATRIX := $(CURDIR)/.build/fault-matrix
fault-matrix: setup
	@$(SWIFT) build --build-tests
	@rm -f "$(FAULT_MATRIX).txt"; status=0; \
	FAULT_MATRIX="$(FAULT_MATRIX).txt" $(SWIFT) test --skip-build --disable-xctest --filter FaultMatrixTests \
		> "$(FAULT_MATRIX).log" 2>&1 || status=$$?; \
	cat "$(FAULT_MATRIX).txt" 2> /dev/null || cat "$(FAULT_MATRIX).log"; exit $$status

# What was looked for, and in which places; the report stays in .build. The same search is a test of `make test`.
SECRECY := $(CURDIR)/.build/secrecy
secrecy: setup
	@$(SWIFT) build --build-tests
	@rm -f "$(SECRECY).txt"; status=0; \
	SECRECY_REPORT="$(SECRECY).txt" $(SWIFT) test --skip-build --disable-xctest --filter SecrecyMatrixTests \
		> "$(SECRECY).log" 2>&1 || status=$$?; \
	cat "$(SECRECY).txt" 2> /dev/null || cat "$(SECRECY).log"; exit $$status

# SIGKILL under load, again and again; five rounds of it are a test of `make test`.
soak: setup
	@$(SWIFT) build --build-tests
	SOAK_ROUNDS=$${SOAK_ROUNDS:-100} $(SWIFT) test --skip-build --disable-xctest --filter SoakTests

# What it finds stays in .build/fuzz; the seeds are in fuzz/corpora, and fuzz/seeds writes them.
SECONDS ?= 60
fuzz: setup
	@SWIFT="$(SWIFT)" .ci/fuzz $(SECONDS) $(TARGETS)

# Each sanitizer has a build of its own: .build/tsan, .build/asan. CONTRIBUTING says what it does not run, and why.
SANITIZERS ?= thread,address
sanitize: setup
	@SWIFT="$(SWIFT)" .ci/sanitize "$(SANITIZERS)" "$(SUITES)"

lint:
	$(SWIFT) format lint --strict --recursive $(SOURCES)

bench: setup
	bench/run.sh

bench-quick: setup
	bench/run.sh --quick

# Counted by callgrind, so nearly the same on a busy machine; it needs the release build.
budget:
	@.ci/setup valgrind python3
	$(SWIFT) build -c release --static-swift-stdlib --product passgate
	python3 bench/budget.py

budget-write:
	@.ci/setup valgrind python3
	$(SWIFT) build -c release --static-swift-stdlib --product passgate
	python3 bench/budget.py --write

# Writes what bench/simulate.py reckons into docs/scaling.md; paper says whether it is there.
scaling:
	python3 bench/simulate.py --write

paper:
	@python3 bench/simulate.py --check

generate:
	UPDATE_GENERATED=1 UPDATE_GOLDEN=1 $(SWIFT) test --disable-xctest --filter 'ProblemAdviceTests|EnvelopeTests|HandoffRenderingTests'

format:
	$(SWIFT) format --in-place --recursive $(SOURCES)

clean:
	rm -rf .build
