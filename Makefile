# Two commands do everything: make fuzz, make test.
# FUZZTIME is a duration (60s, 8h) or a number of executions (1000x).
FUZZTIME ?= 60s
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
TAGS = $$(sh tools/tags.sh)

.PHONY: fuzz fuzz-program fuzz-generate fuzz-portfolio test check setup setup-all

fuzz: setup
	@sh tools/fuzz.sh FuzzReify $(FUZZTIME)

fuzz-program: setup
	@sh tools/fuzz.sh FuzzProgram $(FUZZTIME)

fuzz-generate: setup
	@sh tools/fuzz.sh FuzzGenerate $(FUZZTIME)

fuzz-portfolio: setup
	@sh tools/fuzz.sh FuzzPortfolio $(FUZZTIME) ./reify

test: setup
	@sh tools/test.sh -tags "$(TAGS)" -timeout 9m ./...

check: setup
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "gofmt: the files above need formatting"; exit 1; }
	go vet -tags "$(TAGS)" ./...
	go vet -tags noz3 ./...
	go run $(STATICCHECK) -tags "$(TAGS)" ./...
	go mod tidy -diff

setup:
	@sh tools/setup.sh

setup-all:
	@sh tools/setup.sh all

# Longer checks, each prints what it did.
.PHONY: sound sound-language sound-programs gcov crosscheck replay bench

# Those of soundness ask -O0 and the sanitizers of the newest gcc and clang, at
# -m64 and -m32. FROM is the first seed: a run that was cut short says how to go
# on, and two machines may do a half each. PROFILE names the configurations.
SOUND = go test -tags "$(TAGS)" -count 1 -v -timeout 24h ./reify/oracle -run
FROM ?= 1
PROFILE ?= wild

sound: setup ## 20,000 functions at the paper's defaults against -O0 and the sanitizers
	REIFY_SOUND=$(or $(N),20000) REIFY_SOUND_FROM=$(FROM) REIFY_SOUND_PROFILE=paper $(SOUND) '^TestSound$$'

sound-language: setup ## 100,000 functions with all features
	REIFY_SOUND=$(or $(N),100000) REIFY_SOUND_FROM=$(FROM) REIFY_SOUND_PROFILE=$(PROFILE) $(SOUND) '^TestSound$$'

sound-programs: setup ## 10,000 whole programs with all features
	REIFY_SOUND_PROGRAMS=$(or $(N),10000) REIFY_SOUND_FROM=$(FROM) REIFY_SOUND_PROFILE=$(PROFILE) $(SOUND) '^TestSoundPrograms$$'

gcov: setup ## the paths of 1,000 functions against gcov
	REIFY_GCOV=1000 go test -count 1 -v -timeout 1h -run '^TestGcov' ./reify/oracle

# CHECKS expressions from number FROM on, rounded down to a multiple of 4,000.
CHECKS ?= 1000000

crosscheck: setup ## the interpreter against gcc and clang -O0, with -m32 too, on CHECKS expressions over all types and operators, and on 100,000 straight-line programs
	REIFY_CROSSCHECK=$(CHECKS) REIFY_CROSSCHECK_FROM=$(FROM) go test -count 1 -v -timeout 6h ./reify/crosscheck
	REIFY_CROSSCHECK=100000 go test -count 1 -v -timeout 1h -run 'AgreesWithGcc' ./reify/interp

# REF is a commit that go can build. PROGRAMS is N/10 by default.
.PHONY: same-as

same-as: setup ## all C that REF makes, of N recipes of each profile and in a hunt, against that of this tree, byte for byte
	@sh tools/same.sh "$(REF)" "$(or $(N),10000)" "$(PROGRAMS)" "$(FROM)"

replay: setup ## every reproducer against every compiler here
	go run -tags "$(TAGS)" ./tools/reify replay -v corpus/*.txtar

bench: setup
	go test -tags "$(TAGS)" -run '^$$' -bench . ./reify/...

# The generator measured, per second of CPU time on one core; see the commands
# bench and experiment of tools/reify.
.PHONY: bench-engine bench-paper bench-scaling
OUT ?= out/experiments

bench-engine: setup ## functions per second: by default, of long paths, and search : Z3
	go run -tags "$(TAGS)" ./tools/reify bench -n 5000
	go run -tags "$(TAGS)" ./tools/reify bench -n 5000 -long 60
	@case "$(TAGS)" in \
	*noz3*) echo "there is no Z3 here to compare with" ;; \
	*) go run ./tools/reify bench -n 10 -engine compare ;; \
	esac

bench-paper: setup ## Tables 3 and 5, Figures 7 and 9 to 13 into OUT; FULL=1 for 1,000 recipes each, not 100
	go run -tags "$(TAGS)" ./tools/reify experiment all -n $(if $(FULL),1000,100) -o "$(OUT)"

bench-scaling: setup ## two workers against one; on two idle cores
	@sh tools/scaling.sh

.PHONY: hunt
HUNT ?= out/hunt
HUNTTIME ?= 1h

hunt: setup ## looks for compiler bugs with all cores; goes on where the last hunt in HUNT was
	go run -tags "$(TAGS)" ./tools/reify hunt -o "$(HUNT)" -time $(HUNTTIME)

.PHONY: hunt-kill
hunt-kill: setup ## a hunt that is killed 20 times at random moments finds what one finds that is not
	HUNT_KILLS=20 go test -tags "$(TAGS)" -count 1 -v -timeout 10m -run '^TestKilled$$' ./tools/reify/hunt

.PHONY: bench-hunt
BENCHTIME ?= 2m
BUGTIME ?= 5m

bench-hunt: setup ## what a hunt costs beside the bare commands, and what it finds in BUGTIME of CPU for each of five seeds
	@sh tools/hunt.sh $(BENCHTIME) $(BUGTIME)

.PHONY: triage bench-triage
DIR ?= corpus
CVISETIME ?= 5m

triage: setup ## blames, reduces and puts into buckets all findings in DIR, a corpus or a hunt's directory; goes on where it was
	go run -tags "$(TAGS)" ./tools/reify triage "$(DIR)"

bench-triage: setup ## what that costs and comes to, for all findings in DIR; CVISE=1 has cvise reduce each beside it for at most CVISETIME
	go run -tags "$(TAGS)" ./tools/reify bench-triage $(if $(N),-n $(N)) $(if $(CVISE),-cvise $(CVISETIME)) "$(DIR)"

.PHONY: bench-counters
COUNTTIME ?= 15s

bench-counters: setup ## what gcc-12 -O3 does for our programs, csmith's and YARPGen's, in COUNTTIME of its CPU for each
	go run -tags "$(TAGS)" ./tools/reify counters -time $(COUNTTIME) -against plain

.PHONY: bench-blame

bench-blame: setup ## blames the findings of gcc in corpus/, and tries each flag and pass alone to see whether that is right; some ten minutes of CPU
	go test -tags "$(TAGS)" -timeout 2h -run '^$$' -bench '^BenchmarkBlame$$' -benchtime 1x ./compilers/bisect
