# Two commands do everything: make fuzz, make test.
# FUZZTIME is a duration (60s, 8h) or a number of executions (1000x). Text after
# ## says what a target is for.
FUZZTIME ?= 60s
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
TAGS = $$(sh tools/tags.sh)

.PHONY: fuzz fuzz-program fuzz-go fuzz-wasm fuzz-jvm fuzz-targets fuzz-generate fuzz-mutate fuzz-portfolio test check setup setup-all

fuzz: setup ## functions under all compilers, for FUZZTIME, by Go's fuzzing engine
	@sh tools/fuzz.sh reify $(FUZZTIME)

fuzz-program: setup ## the same with whole programs
	@sh tools/fuzz.sh program $(FUZZTIME)

fuzz-go: setup ## the same in Go, by the versions of gc that REIFY_CC names, or gc
	@sh tools/fuzz.sh go $(FUZZTIME)

fuzz-wasm: setup ## the same in WebAssembly, by the engines that REIFY_CC names, or wazero
	@sh tools/fuzz.sh wasm $(FUZZTIME)

fuzz-jvm: setup ## the same in Java bytecode, by the virtual machines that REIFY_CC names, or java
	@sh tools/fuzz.sh jvm $(FUZZTIME)

fuzz-targets: fuzz-go fuzz-wasm fuzz-jvm ## these three, one after the other

fuzz-generate: setup ## the same without compilers, which tests the generator
	@sh tools/fuzz.sh generate $(FUZZTIME)

fuzz-mutate: setup ## variants, which must have the answers of their seeds, without compilers
	@sh tools/fuzz.sh mutate $(FUZZTIME)

fuzz-portfolio: setup ## the solvers against each other
	@sh tools/fuzz.sh portfolio $(FUZZTIME)

# What takes longest is begun first, so that no core has nothing to do in the end.
LONG = ./tools/reify/hunt ./tools/reify ./reify/triage ./reify/oracle .

test: setup ## all tests; make check vets them
	@sh tools/test.sh -tags "$(TAGS)" -vet off -timeout 9m $(LONG) ./...

check: setup ## formatting, vet, staticcheck, go.mod: what CI runs before the tests
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "gofmt: the files above need formatting"; exit 1; }
	go vet -tags "$(TAGS)" ./...
	go vet -tags noz3 ./reify ./reify/repair ./reify/solve/... ./tools/reify
	go run $(STATICCHECK) -tags "$(TAGS)" ./...
	go mod tidy -diff

setup: ## installs clang and libz3 if they are missing; WITH=all more compilers and tools, WITH=engines engines of WebAssembly. Before other targets but fuzz and test it only says what is missing
	@sh tools/setup.sh -with "$(WITH)" $(MAKECMDGOALS)

setup-all: ## installs more compilers, and the tools that ours are compared and checked with
	@sh tools/setup.sh -with all setup

.PHONY: setup-engines fuzz-class
ENGINES ?= node-26.10.0 bun-1.4.5 wizer-11.0.3
setup-engines: ## fetches WebAssembly engines from npm into the user's cache: ENGINES, as REIFY_CC names them
	@sh tools/engines.sh $(ENGINES)

fuzz-class: ## the reader of Java class files, for FUZZTIME
	@sh tools/fuzz.sh class $(FUZZTIME)

# Longer checks. Each prints what it did.
.PHONY: prove find-go crosscheck crosscheck-targets replay bench

# A run that was cut short says where to go on, and two machines can do one half each.
FROM ?= 1

prove: setup ## a proof that the generator is right: WHAT (functions, programs, ...) in LANG (c, go, wasm, jvm), N of them from seed FROM on; reify prove -help lists them
	go run -tags "$(TAGS)" ./tools/reify prove $(if $(filter command,$(origin LANG)),-lang "$(LANG)") $(if $(WHAT),-what "$(WHAT)") $(if $(N),-n $(N)) -from $(FROM) $(if $(PROFILE),-profile "$(PROFILE)") $(if $(SEEDS),-seeds "$(SEEDS)") $(if $(filter foreign,$(WHAT)),-functions "$(FUNCTIONS)")

find-go: ## finds an internal error and a wrong answer of Go 1.25.0, reduces the first and tells its versions (needs GOTOOLCHAIN=go1.25.0 go version once)
	@sh tools/findgo.sh

# CHECKS is the number of expressions, FROM that of the first, rounded down to a
# multiple of 4,000.
CHECKS ?= 1000000

crosscheck: setup ## the interpreter against gcc and clang at -O0, with -m32 too: CHECKS expressions over all types and operators, and 100,000 straight-line programs
	REIFY_CROSSCHECK=$(CHECKS) REIFY_CROSSCHECK_FROM=$(FROM) go test -count 1 -v -timeout 6h -skip TestTargets ./reify/crosscheck

CROSS_CC ?= gc,wazero,node
crosscheck-targets: ## the same under the rules of Go and WebAssembly, traps too, against the reference modes of CROSS_CC
	REIFY_CROSSCHECK=$(CHECKS) REIFY_CROSSCHECK_FROM=$(FROM) REIFY_CROSSCHECK_CC=$(CROSS_CC) go test -count 1 -v -timeout 6h -run TestTargets ./reify/crosscheck
	REIFY_CROSSCHECK=100000 go test -count 1 -v -timeout 1h -run 'AgreesWithGcc' ./reify/interp

# REF is a commit that go can build. PROGRAMS is N/10 by default. SKIP=wide,calls does
# without profiles and mixes that are meant to differ.
.PHONY: same-as

same-as: setup ## all C that REF makes, of N recipes of each profile and in a hunt, against that of this tree, byte for byte
	@SKIP="$(SKIP)" sh tools/same.sh "$(REF)" "$(or $(N),10000)" "$(PROGRAMS)" "$(FROM)"

replay: setup ## asks every compiler here about every reproducer
	go run -tags "$(TAGS)" ./tools/reify replay -v corpus/*.txtar

bench: setup ## the Go benchmarks
	go test -tags "$(TAGS)" -run '^$$' -bench . ./reify/...

# The generator's speed, per second of CPU time on one core. The commands bench
# and experiment of tools/reify measure it.
.PHONY: bench-engine bench-paper bench-scaling
OUT ?= out/experiments

bench-engine: setup ## functions per second: by default, with long paths, and of search against Z3
	go run -tags "$(TAGS)" ./tools/reify bench -n 5000
	go run -tags "$(TAGS)" ./tools/reify bench -n 5000 -long 60
	@case "$(TAGS)" in \
	*noz3*) echo "there is no Z3 here to compare with" ;; \
	*) go run ./tools/reify bench -n 10 -engine compare ;; \
	esac

bench-paper: setup ## Tables 3 and 5, Figures 7 and 9 to 13 into OUT; FULL=1 for 1,000 recipes each, not 100
	go run -tags "$(TAGS)" ./tools/reify experiment all -n $(if $(FULL),1000,100) -o "$(OUT)"

bench-scaling: setup ## two workers against one; needs two idle cores
	@sh tools/scaling.sh

.PHONY: hunt
HUNT ?= out/hunt
HUNTTIME ?= 1h

hunt: setup ## looks for compiler bugs with all cores, for HUNTTIME; goes on where the last hunt in the directory HUNT was
	go run -tags "$(TAGS)" ./tools/reify hunt -o "$(HUNT)" -time $(HUNTTIME)

# Compilers that no release has yet live in a root directory: make trunk makes it,
# and renews it when called again.
.PHONY: emi
POOL ?= out/emi/pool.db
EMITIME ?= 30s

emi: setup ## a minute: 20 programs of csmith into the pool POOL, a hunt with variants of those that are admitted
	@command -v csmith >/dev/null || { echo "emi: csmith is missing: make setup WITH=all installs it" >&2; exit 1; }
	go run -tags "$(TAGS)" ./tools/reify pool csmith -n 20 -seed $(FROM) -o "$(POOL)"
	go run -tags "$(TAGS)" ./tools/reify hunt -mix text-variants -pool "$(POOL)" -o out/emi/hunt -time $(EMITIME)

.PHONY: functions
FUNCTIONS ?= out/functions.db

functions: setup ## functions of the C that is here, of packages of Debian (gcc-12-source, newlib-source, libstb-dev, libxxhash-dev) and of Go's module cache, into the database FUNCTIONS
	@sh tools/functions.sh "$(FUNCTIONS)"

.PHONY: trunk trunk-cross trunk-java hunt-trunk hunt-java
TRUNK ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/goreify/trunk
TRUNK_CC ?= gcc-16@trunk,gcc-17@trunk,clang-23@trunk,clang-24@trunk

trunk: ## makes or renews TRUNK, a root directory with the newest compilers that Debian has: 4 GB
	@sh tools/trunk.sh "$(TRUNK)"

trunk-cross: ## the same, with compilers for other processors: 7 GB
	@sh tools/trunk.sh "$(TRUNK)" cross

trunk-java: ## the same as trunk, with HotSpot of Java 11 to 28: 1.5 GB more
	@sh tools/trunk.sh "$(TRUNK)" java

hunt-trunk: setup ## hunts the compilers TRUNK_CC of TRUNK, for HUNTTIME; what gcc-16 fails at is asked of the slower snapshot as well
	REIFY_TRUNK="$(TRUNK)" REIFY_CC="$(TRUNK_CC)" go run -tags "$(TAGS)" ./tools/reify hunt -o "$(HUNT)-trunk" -time $(HUNTTIME) -plan "all every 16; gcc-16@trunk one; clang-24@trunk one"

JAVA_CC ?= java-28@trunk,java-28@trunk -zero,java
hunt-java: setup ## hunts the versions of HotSpot JAVA_CC, in all modes, for HUNTTIME
	REIFY_TRUNK="$(TRUNK)" REIFY_CC="$(JAVA_CC)" REIFY_MODES=@int,@c1,@c2,@c2-stress,@tiered,@osr go run -tags "$(TAGS)" ./tools/reify hunt -o "$(HUNT)-java" -time $(HUNTTIME) -mix jvm -plan all

.PHONY: hunt-shapes bench-emi
SHAPES ?= narrow,truth lanes vector-loops machine facts calls aggregates wide vectors

hunt-shapes: setup ## hunts EACH_CC, between semicolons, with each of SHAPES alone for HUNTTIME on one core; a line for each into the terminal, the hunts into HUNT-shapes
	@REIFY_TRUNK="$(TRUNK)" EACH_CC="$(or $(EACH_CC),gcc-16@trunk -march=x86-64-v3;clang-23@trunk -march=x86-64-v3;clang-24@trunk -march=x86-64-v3)" sh tools/each.sh "$(HUNT)-shapes" $(HUNTTIME) $(SHAPES)

bench-emi: setup ## the same with functions, variants of ours, of corpus/ and of the pool POOL, in equal time
	@REIFY_TRUNK="$(TRUNK)" EACH_CC="$(or $(EACH_CC),gcc-12;gcc-16@trunk;clang-23@trunk)" JUDGES=gcc-12,clang-19 POOL="$(POOL)" sh tools/each.sh "$(HUNT)-emi" $(HUNTTIME) focused variants,wild-variants corpus-variants text-variants

.PHONY: hunt-kill
hunt-kill: setup ## kills a hunt 20 times at random moments; it must find what a hunt finds that is left alone
	HUNT_KILLS=20 go test -tags "$(TAGS)" -count 1 -v -timeout 10m -run '^TestKilled$$' ./tools/reify/hunt

.PHONY: faults
faults: setup ## hunts on machines that fail, with compilers and programs of ill will, and replays files of strangers; all of it as root, and what an ordinary user can do as one
	REIFY_FAULTS=1 REIFY_TAGS="$(TAGS)" go test -tags "$(TAGS)" -count 1 -v -timeout 1h -run '^(TestFaults|TestOutput)' ./tools/reify/hunt ./tools/reify

.PHONY: bench-hunt
BENCHTIME ?= 2m
BUGTIME ?= 5m

bench-hunt: setup ## the cost of a hunt beside that of the bare compiler commands; what five seeds find in BUGTIME of CPU each
	@sh tools/hunt.sh $(BENCHTIME) $(BUGTIME)

.PHONY: triage bench-triage
DIR ?= corpus
CVISETIME ?= 5m

triage: setup ## blames, reduces and puts into buckets all findings in DIR, a corpus or a hunt's directory; goes on where it was interrupted
	go run -tags "$(TAGS)" ./tools/reify triage "$(DIR)"

bench-triage: setup ## the cost and the results of triage, for all findings in DIR; CVISE=1 has cvise reduce each as well, for at most CVISETIME
	go run -tags "$(TAGS)" ./tools/reify bench-triage $(if $(N),-n $(N)) $(if $(CVISE),-cvise $(CVISETIME)) "$(DIR)"

.PHONY: bench-counters
COUNTTIME ?= 15s

bench-counters: setup ## the optimisation counters that gcc-12 -O3 raises for our programs, csmith's and YARPGen's, in COUNTTIME of CPU each
	go run -tags "$(TAGS)" ./tools/reify counters -time $(COUNTTIME) -against plain

.PHONY: bench-blame

bench-blame: setup ## blames gcc's findings in corpus/, and checks each by trying every flag and pass alone; some ten CPU minutes
	go test -tags "$(TAGS)" -timeout 2h -run '^$$' -bench '^BenchmarkBlame$$' -benchtime 1x ./compilers/bisect

.PHONY: fresh
fresh: ## the README's two commands on fresh machines of Debian 12, as root and not, as container and not: CASES, or all (tools/fresh.sh -cases)
	@sh tools/fresh.sh $(CASES)
