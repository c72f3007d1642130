# Podium: the engine of a model checking contest on Petri nets.
# `make contest` runs a whole contest, `make test` runs all tests.

GO      ?= go
OUT     ?= out/contest
# They keep cgo out of the standard library, so that programs with cgo and without share
# what is compiled.
PURE    := netgo,osusergo
TAGSETS := $(PURE) libvirt_dlopen,$(PURE)
# Other systems that everything compiles for; what needs machines says there what is missing.
SYSTEMS := linux/arm64 darwin/arm64 js/wasm
# Virtual machines need cgo; without it this tag has no effect.
TAGS    ?= libvirt_dlopen,$(PURE)
# make check runs go vet.
TESTFLAGS = -vet=off -tags=$(TAGS)
# All builds forget the directory they are made in, and so share what is compiled.
export GOFLAGS := $(strip $(filter-out -trimpath -tags=$(PURE),$(shell $(GO) env GOFLAGS)) -trimpath -tags=$(PURE))
# INSTALL=no keeps `make test` from installing system packages.
INSTALL ?= yes
# FUZZTIME is the time of each fuzz target, BENCH selects benchmarks.
FUZZTIME ?= 20s
BENCH    ?= .
ROOMS    ?= confidence scoring scoring/whatif scoring/explain examinations examinations/formula examinations/output examinations/oracle
SIZE     ?= short
MAN      ?= out/man/man1
CONTEST_FLAGS ?= --cpu 10s --memory 2GB

.PHONY: help build programs pages contest setup test machines rooms check fmt vet lint dead race soak bench fuzz mutants man dist samples clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Programs that podium carries: for virtual machines, linked without cgo, and for the pages of a site.
STATIC := internal/carried/static

build: programs ## build bin/podium
	@$(GO) build -tags=$(TAGS),embed_guest -o bin/podium ./cmd/podium

# The gain of gzip -9 over -6 is half a percent, for three times its time.
programs: pages
	@set -e; for p in vm/guest/agent cmd/podium; do CGO_ENABLED=0 $(GO) build -ldflags='-s -w' -o $(STATIC)/$$(basename $$p) ./$$p; done
	@gzip -6nf $(STATIC)/agent $(STATIC)/podium

pages:
	@mkdir -p $(STATIC)
	@GOOS=js GOARCH=wasm $(GO) build -ldflags='-s -w' -o $(STATIC)/podium.wasm ./internal/wasm
	@cp "$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js" $(STATIC)/
	@gzip -6nf $(STATIC)/podium.wasm $(STATIC)/wasm_exec.js

contest: ## run a whole contest on built-in models: OUT=out/contest, SIZE=short or full
	@echo "building podium: a minute or two for the first time"
	@CGO_ENABLED=0 $(GO) build -v -o bin/contest/podium ./cmd/podium
	@echo "building what the pages of a site run in the browser"
	@$(MAKE) --no-print-directory pages
	@echo "linking podium with it"
	@CGO_ENABLED=0 $(GO) build -tags=embed_pages,$(PURE) -o bin/contest/podium ./cmd/podium
	@bin/contest/podium contest --out $(OUT) --size $(SIZE) $(CONTEST_FLAGS)

setup: ## install the system packages that the tests need (INSTALL=no: only say which)
	@sh .ci/setup $(INSTALL)

test: setup build ## run all tests, after installing what they need
	@# Tests of machines wait for some of the time: the other rooms are tested meanwhile.
	@$(MAKE) --no-print-directory -j2 machines rooms

# The sandbox is tested beside libvirt: each finds only the leftovers of its own process.
machines:
	$(GO) test $(TESTFLAGS) -timeout 60m -p 2 ./vm/...

# Without cgo a program starts in half the time. Some packages wait for clusters and browsers
# most of the time: three run side by side. GOGC=300 collects garbage less often, which saves
# searches a tenth of their processor time. Tests of machines, which wait more, have priority.
rooms:
	CGO_ENABLED=0 GOGC=300 nice -n 5 $(GO) test $(TESTFLAGS) -timeout 40m -p 3 $$($(GO) list ./... | grep -v /vm)

check: fmt vet lint dead race ## what the tests do not see: format, vet, staticcheck, dead code, races

fmt:
	@files=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$files" ] || { echo "not gofmt'd:"; echo "$$files"; exit 1; }

vet:
	@for tags in $(TAGSETS); do echo "vet -tags=$$tags"; $(GO) vet -tags=$$tags ./... || exit 1; done
	@for system in $(SYSTEMS); do echo "vet for $$system"; GOOS=$${system%/*} GOARCH=$${system#*/} $(GO) vet ./... || exit 1; done

lint:
	@for tags in $(TAGSETS); do echo "staticcheck -tags=$$tags"; $(GO) tool staticcheck -tags=$$tags ./... || exit 1; done

# Functions that nothing calls, tests included, are errors; those that only tests
# call are listed in .ci/dead with the reason.
dead:
	@$(GO) tool deadcode -test -tags=$(TAGS) ./... | { ! grep . || { echo 'nothing calls these functions: remove them'; exit 1; }; }
	@grep -v '^#' .ci/dead | awk '{ print $$1 }' > .dead; \
	  $(GO) tool deadcode -tags=$(TAGS) ./... | grep -Evf .dead; status=$$?; rm -f .dead; \
	  [ $$status -eq 1 ] || { echo 'only tests call these functions: move them to the tests, or list them in .ci/dead'; exit 1; }

# Rooms where something runs beside something else, as their code says. In the others
# the race detector has nothing to look for, and those who share them are in the list;
# internal/explorer evaluates what several cores of internal/explorer/space search.
RACY = git grep -lE '^[[:space:]]+(defer )?go [a-z]|[.]Go[(]|"sync' -- '*.go' ':!*_test.go' | xargs -n1 dirname | sort -u | sed 's:^:./:'

# Each process of a test would wait for a second at its end: a tenth is enough for
# what the detector has still to say.
# Of cmd, tests whose commands do something beside something else. The others run one command after the
# other, and what these share is in the list.
RACY_OF_CMD := TestAwait|TestSecondInterrupt|TestServed|TestWorkers|TestClusterUnderFaults|TestFailuresInsidePodium|TestCampaignSurvives|TestRunAgain|TestScripts/(again|competition|contest|extend|provisional|qualify|serve|shards|status|taskvalidation|try|workers)

race: export GORACE = atexit_sleep_ms=100
race:
	$(GO) test -race -short -timeout 40m ./internal/explorer $$($(RACY) | grep -v -e '^./vm/' -e '^./cmd$$')
	$(GO) test -race -short -timeout 40m -run '$(RACY_OF_CMD)' ./cmd
	$(GO) test -race -short -timeout 40m -p 1 $$($(RACY) | grep '^./vm/')

module: ## give the module another path, in go.mod and in every import: MODULE=example.org/podium
	@test -n '$(MODULE)' || { echo 'say which path: make module MODULE=example.org/podium'; exit 2; }
	old=$$($(GO) list -m) && $(GO) mod edit -module '$(MODULE)' && \
	  git grep -l "\"$$old/" -- '*.go' | xargs sed -i "s|\"$$old/|\"$(MODULE)/|g" && git ls-files '*.go' | xargs gofmt -w

soak: build ## the long campaigns of random cases, kills and faults: hours
	@sh .ci/setup $(INSTALL) soak
	PODIUM_SOAK=1 PODIUM_FAULTS=long PODIUM_ALL_RESULTS=1 PODIUM_RUNS=300 PODIUM_KILLS=50 \
	  $(GO) test -tags=$(TAGS) -timeout 12h -p 1 ./...

bench: build ## run the benchmarks: BENCH=regexp
	$(GO) test -tags=$(TAGS) -run '^$$' -bench '$(BENCH)' -benchmem -timeout 60m ./...

fuzz: ## run every fuzz target for FUZZTIME=20s each
	@for pkg in $$($(GO) list ./...); do \
	  for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
	    echo "$$pkg $$target"; $(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$pkg || exit 1; \
	  done; \
	done

mutants: ## change the rooms of the rules in small ways and see whether tests notice: ROOMS="confidence scoring"
	nice $(GO) run ./internal/mutants $(ROOMS)

man: ## write the man pages of all commands: MAN=out/man/man1
	@$(GO) run -tags=$(TAGS) ./internal/manpages $(MAN)

# What a release is made of: the program, its man pages, completion, documents, and
# the digest of every file.
dist: build man ## make a release archive: out/dist/podium-VERSION-SYSTEM.tar.gz, with its digest
	@set -e; v=$$(bin/podium version | awk '{ sub(",", "", $$2); print $$2 }'); name=podium-$$v-$$($(GO) env GOOS)-$$($(GO) env GOARCH); \
	  dir=out/dist/$$name; rm -rf $$dir; mkdir -p $$dir/bin $$dir/man/man1 $$dir/completion; \
	  cp bin/podium $$dir/bin/; cp $(MAN)/*.1 $$dir/man/man1/; cp -r README.md CHANGELOG.md LICENSE docs $$dir/; \
	  for shell in bash zsh fish; do bin/podium completion $$shell > $$dir/completion/podium.$$shell; done; \
	  (cd $$dir && find . -type f ! -name SHA256SUMS | LC_ALL=C sort | sed 's:^\./::' | xargs -d '\n' sha256sum > SHA256SUMS); \
	  tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@$$(git log -1 --format=%ct) -C out/dist -cf - $$name | gzip -9n > out/dist/$$name.tar.gz; \
	  rm -r $$dir; cd out/dist && sha256sum $$name.tar.gz | tee $$name.tar.gz.sha256

samples: build ## make the sample data of the tests again
	internal/realdata/make-samples bin/podium

clean: ## remove what was built
	rm -rf bin out
