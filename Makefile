# Two commands do everything: make fuzz, make test. Each target says after ## what it is
# for; lines below it that begin with ## are what variables change. make help prints both.
# What the targets do is done by the commands tools/reify and tools/lab and by the scripts
# in tools; see go run ./tools/reify -help.
#
# FOR is a duration, N a number, FROM a first seed, WHAT and WITH are words; CC, MODES,
# MIX and PLAN are the flags of those names of reify.
.DEFAULT_GOAL = help
.PHONY: help fuzz test check setup fresh keep hunt triage replay prove trunk bench faults same-as others

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
# Z3 is a witness of tests, where it is here. No command is built with it.
TAGS = $$(sh tools/tags.sh)
# Packages with files for builds without Z3, or with it, and an importer. All else is as with it.
STUB = ./reify/solve/z3 ./reify/repair ./tools/cmdline
# Symbols and what debuggers read are a quarter of a binary.
LDFLAGS ?= -s -w
GO_RUN = go run -ldflags "$(LDFLAGS)"
REIFY = $(GO_RUN) ./tools/reify
LAB = $(GO_RUN) ./tools/lab
# What a target needs of the machine, and is not here.
NEED = @sh tools/setup.sh $@
# A word of the shell, whatever is in it.
quote = '$(subst ','\'',$(1))'
# A flag of reify, if a variable is set.
flag = $(if $(2),-$(1) $(call quote,$(2)))
# A variable that is one of some words, or not set.
among = $(if $(filter-out $(2),$($(1))),$(error $(1)=$($(1)): want $(2), or none))
FROM ?= 1
POOL = out/pool.db

# CC names what reify is to ask, not what builds it.
unexport CC
CC =
# Hunts of compilers that no release has yet, and with variants of others' programs.
ifeq ($(WITH),trunk)
CC = gcc-16@trunk,gcc-17@trunk,clang-23@trunk,clang-24@trunk
PLAN = all every 16; gcc-16@trunk one; clang-24@trunk one
else ifeq ($(WITH),java)
CC = java-28@trunk,java-28@trunk -zero,java
MODES = @int,@c1,@c2,@c2-stress,@tiered,@osr
MIX = jvm
PLAN = all
else ifeq ($(WITH),csmith)
MIX = text-variants
endif

help: ## this text
	@awk -F ': *([a-z]*)? *## ' '/^[a-z-]+:.*## / { sub(/ *##.*/, "", $$1); printf "%-8s  %s\n", $$1, $$2; next } \
		sub(/^## ?/, "") { printf "          %s\n", $$0 }' Makefile

fuzz: ## programs under all compilers that are here, by Go's fuzzing engine, for FOR (60s)
## WHAT=function|program|go|wasm|jvm, or without compilers generate|mutate|portfolio|class
	$(NEED)
	@sh tools/fuzz.sh $(or $(WHAT),function) $(or $(FOR),$(FUZZTIME),60s)

# What takes longest is begun first, so that no core has nothing to do in the end. One package
# more than there are cores is tested at a time, for some wait.
LONG = ./tools/reify ./tools/reify/hunt ./reify/oracle ./reify/triage ./reify/emit/c ./tools/prove

test: ## all tests
	$(NEED)
	@sh tools/test.sh -tags "$(TAGS)" -vet off -timeout 9m -p $$(($$(nproc) + 1)) $(LONG) ./...

check: ## formatting, vet, staticcheck, go.mod: what CI runs before the tests
	$(NEED)
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "gofmt: the files above need formatting"; exit 1; }
	go vet -tags "$(TAGS)" ./...
	go vet $(STUB)
	go run $(STATICCHECK) -tags "$(TAGS)" ./...
	go mod tidy -diff

setup: ## installs clang and libz3 if they are missing
## WITH=all: more compilers, and the tools that ours are compared and checked with
## WITH=engines: engines of WebAssembly from npm: ENGINES="node-26.10.0 bun-1.4.5"
## WITH=harness: harnesses of compilers' own tests, for make replay WHAT=exports
	@ENGINES="$(ENGINES)" sh tools/setup.sh $(if $(WITH),-with $(WITH)) setup

fresh: ## fuzz and test on fresh machines of Debian 12: CASES, or all (sh tools/fresh.sh -cases)
	@sh tools/fresh.sh $(CASES)

keep: ## findings of make fuzz from out/ into corpus/, which git tracks
	@go run ./tools/keep

hunt: ## looks for compiler bugs with all cores for FOR (1h); goes on where it was in DIR
## CC=gcc-12,clang-19 MODES=-O2 MIX=focused PLAN=all, as reify hunt has them; DIR is out/hunt
## WITH=trunk: gcc and clang of make trunk; WITH=java: HotSpot 28 of make trunk WITH=java
## WITH=csmith: variants of N (20) programs that csmith makes
	$(call among,WITH,trunk java csmith)
	$(NEED)
	$(if $(filter csmith,$(WITH)),$(REIFY) others add -n $(or $(N),20) -seed $(FROM) -db "$(POOL)")
	$(strip $(REIFY) hunt -o $(call quote,$(or $(DIR),out/hunt$(if $(WITH),-$(WITH)))) -time $(or $(FOR),1h) $(call flag,cc,$(CC)) $(call flag,plan,$(PLAN)) \
		$(call flag,modes,$(MODES)) $(call flag,mix,$(MIX)) $(call flag,trunk,$(TRUNK)) $(if $(filter csmith,$(WITH)),-seeds "$(POOL)") $(ARGS))

triage: ## blames, reduces and puts into buckets all findings in DIR (corpus)
	$(NEED)
	$(REIFY) triage $(call quote,$(or $(DIR),corpus))

replay: ## asks every compiler here about every reproducer in DIR (corpus)
## WHAT=exports: runs what export makes of the ledger's by the harnesses of the compilers
	$(call among,WHAT,exports)
	$(NEED)
	$(if $(WHAT),go test -count 1 -v -timeout 3h -run '^TestHarness$$' ./tools/reify/export,$(REIFY) replay -v $(call quote,$(or $(DIR),corpus))/*.txtar)

prove: ## long checks that the generator is right: N of them from seed FROM on
## WHAT=functions|programs|variants|graphs|expressions|engines|paths|foreign
## L=c|go|wasm|jvm; PROFILE, SEEDS, FUNCTIONS, CC, MODES as reify prove has them
	$(NEED)
	$(strip $(REIFY) prove -lang $(or $(L),c) -what $(or $(WHAT),functions) -from $(FROM) $(if $(N),-n $(N)) $(call flag,profile,$(PROFILE)) \
		$(call flag,seeds,$(SEEDS)) $(call flag,functions,$(FUNCTIONS)) $(call flag,cc,$(CC)) $(call flag,modes,$(MODES)) $(call flag,trunk,$(TRUNK)) $(ARGS))

trunk: ## makes or renews TRUNK, a root directory with the compilers of today that Debian has: 4 GB
## WITH=cross: compilers for other processors, too, 7 GB; WITH=java: HotSpot 11 to 28, 5.5 GB
	$(call among,WITH,cross java)
	@sh tools/trunk.sh "$(or $(TRUNK),$(REIFY_TRUNK),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/goreify/trunk)" $(WITH)

bench: ## the Go benchmarks; longer ones with WHAT
## WHAT=engine: functions per second; WHAT=paper: tables and figures, FULL=1 as in the paper
## WHAT=scaling: two workers against one; WHAT=hunt: its cost, for FOR (2m), and BUGTIME (5m)
## WHAT=triage: findings in DIR; WHAT=blame: each flag and pass alone
## WHAT=counters: what gcc does for our programs and others'; WHAT=shapes, emi: hunts
## WHAT=find-go: finds and reduces bugs of Go 1.25.0 in a minute of CPU time
	$(NEED)
	@WHAT="$(or $(WHAT),go)" FOR="$(FOR)" N="$(N)" DIR="$(DIR)" OUT="$(OUT)" FULL="$(FULL)" BUGTIME="$(BUGTIME)" \
		SHAPES="$(SHAPES)" POOL="$(if $(filter emi,$(WHAT)),$(POOL))" EACH_CC="$(CC)" REIFY_TRUNK="$(or $(TRUNK),$(REIFY_TRUNK))" LDFLAGS="$(LDFLAGS)" sh tools/bench.sh

faults: ## hunts on machines that fail, and with programs of ill will; as root, and as a user
## WHAT=kill: kills a hunt 20 times; it must find what a hunt finds that is left alone
	$(call among,WHAT,kill)
	$(NEED)
	$(if $(filter kill,$(WHAT)),go test -count 1 -v -timeout 10m -run '^TestKilled$$' ./tools/reify/hunt -kills 20 \
		,go test -count 1 -v -timeout 1h -run '^TestFaults$$' ./tools/reify/hunt -faults \
		&& go test -count 1 -v -timeout 1h -run '^TestOutput' ./tools/reify \
		&& go test -count 1 -v -timeout 1h ./reify/triage ./tools/reify ./tools/reify/hunt -run \
			"^($$(grep -rh -B1 'need.Named(t)' reify tools --include='*_test.go' | sed -n 's/^func \(Test[A-Za-z]*\).*/\1/p' | paste -sd'|'))$$")

same-as: ## all C of N (10000) recipes, and of a hunt, against that of the commit REF, byte for byte
## PROGRAMS is N/10; SKIP=wide,calls leaves out profiles and kinds that are meant to differ
	$(NEED)
	@SKIP="$(SKIP)" sh tools/same.sh "$(REF)" "$(or $(N),10000)" "$(PROGRAMS)" "$(FROM)"

others: ## functions of the C that is here and in packages of Debian, into out/functions.db
## WHAT=programs: N (20) programs of csmith into out/pool.db
	$(call among,WHAT,functions programs)
	$(NEED)
	$(if $(filter programs,$(WHAT)),$(REIFY) others add -n $(or $(N),20) -seed $(FROM) -db "$(POOL)" \
		,@sh tools/functions.sh "$(or $(FUNCTIONS),out/functions.db)")
