package hunt

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/events"
	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/breed"
	"goreify/reify/oracle"
)

// talkative is a compiler that says of every function that it was compiled, and
// of those whose number ends in 3 that they are odd.
const talkative = `
names=$(sed -n 's/.*got = \(f[0-9]*\)(.*/\1/p' "$src" | sort -u)
for f in $names; do
	echo "1 gen \"compiled\" \"$f\" 1"
	case $f in *3) echo "2 ccp \"odd\" \"$f.part.0\" 2" ;; esac
done >"$src.000t.statistics"
`

// A hunt that listens counts what reaches an event, keeps what reached it first,
// and breeds; a batch that was interrupted has the same parents when it is run
// again.
func TestFeedback(t *testing.T) {
	o := fake(t, talkative, "-O2")
	const size = 14
	listening := func(dir string, batches int) Options {
		opt := options(t, dir, batches, size)
		bred := BredKinds(opt.Kinds[0], false)[:1]
		bred[0].Size = size
		opt.Kinds = append(opt.Kinds, bred...)
		opt.Mix, opt.Feedback = opt.Kinds, true
		return opt
	}
	interrupted := func() Options {
		opt := listening(t.TempDir(), 3)
		ctx, cancel := context.WithCancel(t.Context())
		opt.Kinds[1].before = calledAt(4, cancel)
		opt.Mix = opt.Kinds
		_, err := Start(ctx, o, opt)
		require.NoError(t, err)
		return opt
	}
	opt := interrupted()
	first := query(t, opt.Dir, `SELECT parents FROM batches WHERE number = 1`)
	require.NotEmpty(t, first[0])
	assert.Equal(t, []string{"0"}, query(t, opt.Dir, `SELECT done FROM batches WHERE number = 1`))

	sum, err := Start(t.Context(), o, listening(opt.Dir, 3))
	require.NoError(t, err)
	assert.EqualValues(t, 3, sum.Batches)
	assert.Equal(t, first, query(t, opt.Dir, `SELECT parents FROM batches WHERE number = 1`))
	assert.Equal(t, []string{""}, query(t, opt.Dir, `SELECT parents FROM batches WHERE number = 0`))

	counted := query(t, opt.Dir, `SELECT event || ' ' || functions FROM heard WHERE event LIKE 'gcc gen%' OR event LIKE 'gcc ccp: odd%' ORDER BY event`)
	// f3 and f13 of each batch, but for seeds without a case.
	assert.Equal(t, []string{"gcc ccp: odd 2^1 6", fmt.Sprintf("gcc gen: compiled 2^0 %d", sum.Functions)}, counted)
	in := query(t, opt.Dir, `SELECT profile || ' ' || hex(graph) FROM inputs i JOIN heard h ON h.input = i.id WHERE event LIKE 'gcc ccp: odd%'`)
	assert.Equal(t, []string{fmt.Sprintf("focus %X", reify.FromSeed(firstSeed(1, 0)+13).Graph)}, in, "the first by name is f13")

	fresh := query(t, opt.Dir, `SELECT fresh FROM batches ORDER BY number`)
	assert.NotEqual(t, "0", fresh[0])
	var text strings.Builder
	require.NoError(t, sum.Write(&text))
	assert.Contains(t, text.String(), "optimisation events, the rare ones reached by ")
	assert.Contains(t, text.String(), " new events, lately ")
	assert.Equal(t, sum.Mixes[0].Fresh+sum.Mixes[1].Fresh, sum.Events)

	// Gone on with without an ear, what was begun is finished, and no more is bred.
	opt = interrupted()
	deaf := listening(opt.Dir, 4)
	deaf.Mix, deaf.Feedback = nil, false
	sum, err = Start(t.Context(), o, deaf)
	require.NoError(t, err)
	assert.EqualValues(t, 4, sum.Batches)
	assert.Zero(t, sum.Discards)
	assert.Equal(t, []string{"1"}, query(t, opt.Dir, `SELECT number FROM batches WHERE kind = 'mutants'`))
}

// Without an ear nothing is recorded, and mutants are as what they are like.
func TestNoFeedback(t *testing.T) {
	o := fake(t, talkative, "-O2")
	opt := options(t, t.TempDir(), 1, 4)
	opt.Kinds = BredKinds(opt.Kinds[0], false)[:1]
	opt.Mix = opt.Kinds
	sum, err := Start(t.Context(), o, opt)
	require.NoError(t, err)
	assert.Zero(t, sum.Events)
	assert.Positive(t, sum.Functions)
	like := tiny(1)[0]
	assert.Equal(t, like.input(9, nil), opt.Kinds[0].input(9, nil))
	parent := []breed.Input{{Profile: "wild", Recipe: reify.FromSeed(1)}}
	assert.NotEqual(t, like.input(9, nil), opt.Kinds[0].input(9, parent))
}

// What only listens counts events, and breeds nothing from what reached them.
func TestListen(t *testing.T) {
	o := fake(t, talkative, "-O2")
	opt := options(t, t.TempDir(), 8, 4)
	opt.Kinds = append(opt.Kinds, BredKinds(opt.Kinds[0], false)[:1]...)
	opt.Kinds[1].Weight = 1000
	opt.Mix, opt.Listen = nil, true
	sum, err := Start(t.Context(), o, opt)
	require.NoError(t, err)
	assert.EqualValues(t, 8, sum.Batches)
	assert.EqualValues(t, 2, sum.Events)
	assert.Equal(t, []string{"tiny"}, query(t, opt.Dir, `SELECT DISTINCT kind || parents FROM batches`))
}

// A finding that was bred says what it is made of, and no other does.
func TestBredNotes(t *testing.T) {
	for whole, wrong := range []string{`sed -i -E 's/printf\("(f[147]) /printf("\1 1/' "$src"`, wrongPrograms} {
		o := fake(t, talkative+`[ "$level" = -O2 ] && `+wrong, "-O0", "-O2")
		opt := options(t, t.TempDir(), 2, 8)
		bred := BredKinds(opt.Kinds[0], false)[whole]
		bred.Size = 8 - 5*whole
		opt.Kinds = append(opt.Kinds, bred)
		opt.Mix, opt.Feedback, opt.Keep = opt.Kinds, true, 100
		_, err := Start(t.Context(), o, opt)
		require.NoError(t, err)

		made := map[string][]string{} // by recipe
		b := bredBatch(t, opt.Dir, 1)
		require.NotEmpty(t, b.parents)
		for i := range bred.Size {
			in := bred.input(firstSeed(1, 1)+uint64(i), b.parents)
			made[recipe(in.Recipe)] = append(made[recipe(in.Recipe)], in.String())
		}
		notes := map[string]bool{}
		for _, name := range saved(t, opt.Dir) {
			e, err := corpus.Load(filepath.Join(opt.Dir, findingsName, name, archiveName))
			require.NoError(t, err)
			f, err := findingOf(e)
			require.NoError(t, err)
			i := slices.IndexFunc(e.Notes, func(n corpus.Note) bool { return n.Key == noteMutant })
			if f.batch.number == 0 {
				assert.Negative(t, i)
				continue
			}
			require.GreaterOrEqual(t, i, 0)
			notes[e.Notes[i].Value] = true
			assert.Contains(t, made[recipe(reify.Recipe{Config: e.Recipe["config"], Graph: e.Recipe["graph"], Path: e.Recipe["path"], Body: e.Recipe["body"]})], e.Notes[i].Value)
		}
		assert.GreaterOrEqual(t, len(notes), 2-whole, "if all were alike, the wrong one would do")
	}
}

// recipe returns a recipe as a key.
func recipe(r reify.Recipe) string {
	return fmt.Sprintf("%x %x %x %x", r.Config, r.Graph, r.Path, r.Body)
}

// bredBatch returns a batch of a hunt with its parents.
func bredBatch(t *testing.T, dir string, number int64) batch {
	s, err := readStore(dir)
	require.NoError(t, err)
	defer s.close()
	tx, err := s.db.Begin()
	require.NoError(t, err)
	defer func() { _ = tx.Rollback() }()
	b := batch{number: number}
	var parents string
	require.NoError(t, tx.QueryRow(`SELECT parents FROM batches WHERE number = ?`, number).Scan(&parents))
	require.NoError(t, b.findParents(tx, strings.Fields(parents)))
	return b
}

// Functions of a bundle belong to the program that their names say.
func TestHearing(t *testing.T) {
	made := []madeProgram{{input: breed.Input{Profile: "focus"}}, {input: breed.Input{Profile: "wild"}}}
	c := events.Counter{Pass: "vect", Name: "loops"}
	var h hearing
	h.hear(&oracle.Report{Heard: []oracle.Heard{
		{Toolchain: compilers.Toolchain{Family: compilers.GCC}, Functions: events.ByFunction{
			"p1_f0": {c: 4}, "p1_f3.constprop.0": {c: 5}, "p7_f0": {c: 1}, "main": {c: 1}, "px_f": {c: 1}, "": {c: 1},
		}},
		{Toolchain: compilers.Toolchain{Family: compilers.Clang}, Functions: events.ByFunction{"p0_f2": {c: 4}}},
		{Err: fmt.Errorf("not heard")},
	}}, bundled(made))
	assert.Equal(t, hearing{
		"gcc vect: loops 2^2":   {map[string]bool{"p1_f0": true, "p1_f3": true}, "p1_f0", made[1].input},
		"clang vect: loops 2^2": {map[string]bool{"p0_f2": true}, "p0_f2", breed.Input{Profile: "focus", Recipe: made[0].input.Recipe.Nth(2)}},
	}, h)
}

// What is curious follows new events for a part of the time.
func TestCuriosity(t *testing.T) {
	kinds := []Kind{{Name: "a", Weight: 1}, {Name: "b", Weight: 1}}
	past := map[string]yield{
		"a": {cpu: 5000, buckets: 40, heardCPU: 5000, fresh: 10},
		"b": {cpu: 1000, buckets: 0, heardCPU: 1000, fresh: 500},
	}
	assert.Equal(t, "a", Options{Kinds: kinds}.kind(0, past).Name)
	assert.Equal(t, "a", Options{Kinds: kinds, Listen: true}.kind(0, past).Name, "it only listens")
	assert.Equal(t, "b", Options{Kinds: kinds, Feedback: true}.kind(0, past).Name)
	past["b"] = yield{cpu: 4000, heardCPU: 4000, fresh: 500}
	assert.Equal(t, "a", kinds[choose(kinds, past, true)].Name, "but not for most of it")
}

// What nobody knows is no silence.
func TestUnheard(t *testing.T) {
	o := fake(t, `echo "no statistics" >"$src.000t.statistics"`, "-O2")
	opt := options(t, t.TempDir(), 2, 3)
	opt.Feedback = true
	_, err := Start(t.Context(), o, opt)
	require.NoError(t, err)
	log := query(t, opt.Dir, `SELECT text FROM log`)
	require.Len(t, log, 1, "once a run")
	assert.Contains(t, log[0], "gcc-99 -O2 was not heard, the first time: gcc-99 99.1.0: statistics: line 1 is")
}

// The mutants of one profile keep to it, and to the features that are wanted.
func TestPure(t *testing.T) {
	like := Kind{Profile: "wild", Features: "-float,-ptr"}
	k := BredKinds(like, true)[0]
	parents := []breed.Input{{Profile: "wild", Features: "-float,-ptr", Recipe: reify.FromSeed(1)}, {Profile: "wild", Recipe: reify.FromSeed(2)}}
	for seed := range uint64(200) {
		in := k.input(seed, parents)
		c, err := in.Config()
		require.NoError(t, err)
		off, err := c.With(like.Features)
		require.NoError(t, err)
		require.Equal(t, off, c, in.Features)
		assert.Equal(t, "wild", in.Profile)
		parents = append(parents, in)
	}
	whole := BredKinds(like, false)[1]
	assert.Zero(t, whole.input(3, parents).Tweak)
}
