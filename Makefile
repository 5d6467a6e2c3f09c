# Two commands do everything: make fuzz, make test.
# FUZZTIME is a duration (60s, 8h) or a number of executions (1000x).
FUZZTIME ?= 60s
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
TAGS = $$(sh tools/tags.sh)

.PHONY: fuzz fuzz-generate test check setup setup-all

fuzz: setup
	@sh tools/fuzz.sh FuzzReify $(FUZZTIME)

fuzz-generate: setup
	@sh tools/fuzz.sh FuzzGenerate $(FUZZTIME)

test: setup
	go test -tags "$(TAGS)" -timeout 9m ./...

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
