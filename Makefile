# Everything a contributor runs. Each target's help line is its "##" comment.

export CGO_ENABLED := 0
GOARCH  ?= $(shell go env GOHOSTARCH)
BUILD   := $(CURDIR)/.build
GUEST   := internal/guest/binary/files/glovebox-guest-linux-$(GOARCH)
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS := -s -w -X main.version=$(VERSION)
SOURCES := $(shell find api client clients cmd embed internal py value -name '*.go' -not -name '*_test.go' -o -name '*.py' -o -name '*.bpf') $(wildcard *.go internal/server/page/static/* internal/server/page/templates/*) go.mod go.sum
FUZZ    ?= 60s

# What the tests use beside Go, as command:package.
TEST_NEEDS := docker-registry:docker-registry fsck.erofs:erofs-utils htpasswd:apache2-utils \
              mmdebstrap:mmdebstrap newuidmap:uidmap python3:python3 setpriv:util-linux gcc:gcc curl:curl git:git /usr/lib/postgresql:postgresql
BENCH_NEEDS := dockerd:docker.io docker:docker.io runc:runc bwrap:bubblewrap mmdebstrap:mmdebstrap python3:python3-venv
DEMO_NEEDS := mmdebstrap:mmdebstrap newuidmap:uidmap /etc/ssl/certs/ca-certificates.crt:ca-certificates

.DEFAULT_GOAL := build
.PHONY: help build guest demo check test test-python test-page screenshots race lint lint-python peer wheel cross tidy fresh generate fuzz scan-py soak bench bench-py bench-evaluation bench-agent bench-session bench-journal conformance conformance-py conformance-monty conformance-e2b conformance-http docs clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

build: bin/glovebox ## build bin/glovebox, the one program, for this machine

bin/glovebox: $(SOURCES) $(GUEST)
	go build -trimpath -ldflags '$(LDFLAGS)' -o $@ ./cmd/glovebox

guest: $(GUEST) ## build the guest, which the program embeds

# The guest is rebuilt when its own sources or the protocol change.
$(GUEST): $(shell find cmd/glovebox-guest internal/guest -name '*.go' -not -name '*_test.go') go.mod go.sum
	@mkdir -p $(@D)
	GOOS=linux GOARCH=$(GOARCH) go build -trimpath -ldflags '-s -w' -o $@ ./cmd/glovebox-guest

demo: ## install what is missing, build, and run examples/pipeline
	@.ci/need $(DEMO_NEEDS)
	@echo "building bin/glovebox (the first time takes some minutes)"
	@$(MAKE) --no-print-directory build
	go run ./examples/pipeline

check: guest ## the checks and tests of every change: under two minutes, no root, no network
	.ci/check

# The server of S3 that tests start.
.build/versitygw:
	GOBIN=$(BUILD) go install -trimpath -ldflags '-s -w' github.com/versity/versitygw/cmd/versitygw@v1.8.0

test: guest build .build/versitygw ## run every test, with real cells, as root and as an ordinary user
	@.ci/need $(TEST_NEEDS)
	.ci/test

test-python: build ## run the tests of the Python client, with real cells, on every Python from 3.10 on
	@.ci/need $(TEST_NEEDS)
	.ci/python test-all

test-page: build ## drive the page by a real browser; leaves screenshots in .build/screenshots
	.ci/page

screenshots: build ## write the pictures of the page in docs/images again
	.ci/page --screenshots docs/images

race: guest ## run the tests that need no cell under the race detector
	CGO_ENABLED=1 go test -race -short $(shell go list ./api/... ./internal/... ./py/... | grep -v -e /runsc -e /gvisor)

lint: guest ## gofmt, go vet, staticcheck, import rules
	.ci/format
	go vet ./...
	cd bench && go vet ./...
	go build -C tools -o $(BUILD)/staticcheck honnef.co/go/tools/cmd/staticcheck
	$(BUILD)/staticcheck ./...
	cd bench && $(BUILD)/staticcheck ./...
	go test ./internal/archtest
	.ci/commits

lint-python: ## the form and the types of the Python client
	@.ci/need node:nodejs
	.ci/python lint

peer: build ## compare the Python client with flyte, and docs/FLYTE.md with what is found; UPDATE=-w writes it
	.ci/peer $(UPDATE)

# The program of the wheel is built for it, so that both have one version. There
# is no sdist: the program is Go, and pip could not build it.
wheel: guest ## build the Python wheels in dist/: with the program for GOARCH, and for any system without
	GOARCH=$(GOARCH) go build -trimpath -ldflags '$(LDFLAGS)' -o $(BUILD)/wheel/$(GOARCH)/glovebox ./cmd/glovebox
	GLOVEBOX_WHEEL_PROGRAM=$(BUILD)/wheel/$(GOARCH)/glovebox GLOVEBOX_WHEEL_ARCH=$(GOARCH) GLOVEBOX_WHEEL_VERSION=$(VERSION) .ci/python wheel

# Off Linux there is no engine: the faces are built, and their tests compiled. Of
# each system one architecture is built, with the same flags, so that nothing is
# compiled twice, and without optimizing, which takes half the time; a release builds
# all in full. Without it gVisor does not link, so for arm64 all is compiled and not
# linked: go list does that, and go vet would look at all of gVisor, too.
FACES := . ./api ./client ./embed ./internal/cli ./internal/home ./internal/host ./internal/prune ./cmd/glovebox
QUICKLY := -trimpath -gcflags='all=-N -l'

cross: guest ## compile for arm64, and build the faces for macOS and Windows, to see that they do
	GOARCH=arm64 go list -export -f '' $(QUICKLY) ./cmd/...
	GOOS=darwin GOARCH=arm64 go build $(QUICKLY) $(FACES)
	GOOS=darwin GOARCH=arm64 go vet $(QUICKLY) $(FACES)
	GOOS=windows GOARCH=amd64 go build $(QUICKLY) $(FACES)
	GOOS=windows GOARCH=amd64 go vet $(QUICKLY) $(FACES)

tidy: ## check that go.mod and go.sum name what the code needs
	go mod tidy -diff
	cd tools && go mod tidy -diff
	cd bench && go mod tidy -diff

generate: guest ## write the generated files again
	go test -count=1 ./api -run Fresh -update
	go test -count=1 ./internal/archtest -run Fresh -update
	go test -count=1 ./py/check -run Fresh -update
	go test -count=1 ./py -run Fresh -update
	go test -count=1 ./internal/runsc -run Fresh -update
	go test -count=1 ./internal/server -run Fresh -update
	go test -count=1 ./internal/sandbox/autoio -run Fresh -update
	go run -C tools ./bundle

fresh: guest ## check that the generated files are what make generate writes
	go test -count=1 ./api ./internal/archtest ./internal/runsc ./internal/sandbox/autoio ./internal/server ./internal/server/page ./py/check ./py -run Fresh

fuzz: guest ## run each fuzz target for FUZZ (60s)
	.ci/fuzz $(FUZZ)

scan-py: ## call everything in py with arguments at the edge of what it takes
	GLOVEBOX_TEST_SCAN=1 go test -count=1 -timeout 1h -run TestScan ./py/internal/machine

soak: guest ## make 10 000 runs, warm and cold, and 10 000 cells in a row, and look for leaks; kill a process with runs 500 times
	@.ci/need $(TEST_NEEDS)
	GLOVEBOX_TEST_REAL=1 GLOVEBOX_TEST_SOAK=10000 GLOVEBOX_TEST_CACHE=$(BUILD)/test-cache \
	go test -count=1 -timeout 3h -v -run '^TestSoak$$' .
	GLOVEBOX_TEST_REAL=1 GLOVEBOX_TEST_SOAK=10000 GLOVEBOX_TEST_CACHE=$(BUILD)/test-cache \
	go test -count=1 -timeout 3h -v -run '/Leaks' ./internal/cell/gvisor
	GLOVEBOX_TEST_SOAK=500 go test -count=1 -timeout 1h -v -run '^TestKill$$' ./internal/engine

# Built and not run by go, so that an interrupt reaches it alone and it can clean up.
bench: build ## compare with docker and others, side by side; writes docs/PERFORMANCE.md; BENCH are its flags
	@.ci/need $(BENCH_NEEDS)
	go build -C bench -trimpath -o $(BUILD)/bench/bench .
	$(BUILD)/bench/bench $(BENCH)

bench-py: ## compare py with pydantic-monty and CPython; writes bench/py/RESULTS.md
	@.ci/need python3:python3-venv
	go build -C bench -trimpath -o $(BUILD)/bench/py-peers ./py
	$(BUILD)/bench/py-peers

bench-evaluation: build ## measure evaluations of the Python client beside pydantic-monty, and durable calls; writes bench/evaluation/*.md
	@.ci/need python3:python3-venv
	mkdir -p $(BUILD)
	.ci/python bench measure >$(BUILD)/evaluation.md
	mv $(BUILD)/evaluation.md bench/evaluation/RESULTS.md
	.ci/python bench durable >$(BUILD)/durable.md
	mv $(BUILD)/durable.md bench/evaluation/DURABLE.md

conformance: build ## run all suites of other people, SUITES or those that can be run, and print a table; writes .build/conformance/table.txt
	.ci/conformance $(SUITES)

conformance-py: ## run CPython's and Monty's tests and random programs on py; writes .build/conformance/py.txt
	.ci/conformance-py

conformance-monty: build ## run the tests of pydantic-monty with glovebox as its worker; writes .build/conformance/monty-*.txt
	.ci/conformance-monty

conformance-e2b: build ## run the suites of E2B's SDKs in the directory E2B_SUITE on a server; writes .build/conformance/e2b.txt
	.ci/conformance-e2b

conformance-http: build ## make a TypeScript client of the API's document and use it; ask a server all that the document allows
	@.ci/need node:nodejs npm:npm curl:curl
	.ci/conformance-http

bench-journal: ## measure what the journal costs, and many runs at once; writes bench/journal/RESULTS.md
	go build -C bench -trimpath -o $(BUILD)/bench/journal-costs ./journal
	$(BUILD)/bench/journal-costs

bench-agent: ## measure what an agent costs beside its model and its tools, alone and many at once; writes bench/agent/RESULTS.md; BENCH are its flags
	go build -C bench -trimpath -o $(BUILD)/bench/agent-costs ./agent
	$(BUILD)/bench/agent-costs $(BENCH) >$(BUILD)/agents.md
	mv $(BUILD)/agents.md bench/agent/RESULTS.md

bench-session: build ## measure sessions beside docker, in a home with the default image; writes bench/session/RESULTS.md; BENCH are its flags
	@.ci/need $(BENCH_NEEDS)
	go build -C bench -trimpath -o $(BUILD)/bench/sessions ./session
	bin/glovebox image build >$(BUILD)/image.txt
	$(BUILD)/bench/sessions -docker $(BUILD)/bench $(BENCH) >$(BUILD)/sessions.md
	mv $(BUILD)/sessions.md bench/session/RESULTS.md

docs: ## build the documentation site into .build/site; needs the Python package index the first time
	.ci/docs

clean: ## remove what the other targets made
	rm -rf bin dist $(BUILD) internal/guest/binary/files/glovebox-guest-*
