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
	"goreify/compilers/native"
	"goreify/corpus"
	"goreify/reify/choice"
	"goreify/reify/oracle"
	"goreify/tools/need"
)

// A tunable is a gcc-99 with a table of its own.
type tunable struct {
	native.Toolchain
	sets []compilers.FlagSet
}

func (t tunable) FlagSets() []compilers.FlagSet { return t.sets }

func (t tunable) With(args ...string) compilers.Target {
	return tunable{t.Toolchain.With(args...).(native.Toolchain), t.sets}
}

func (t tunable) Plain() compilers.Target {
	return tunable{t.Toolchain.Plain().(native.Toolchain), t.sets}
}

// someSets are two sets of usual flags, one of them with flags that gcc does not know
// or has no use for, one for vectors, and one that is hidden.
var someSets = []compilers.FlagSet{
	{Flags: []string{"-DARCH"}, Arch: true},
	{Flags: []string{"-fno-such-thing", "-DPAD", "-DGUILTY", "-D REST"}},
	{Flags: []string{"-DHARMLESS"}},
	{Flags: []string{"-DSCOUT"}, Scout: true},
}

// tuned returns an oracle that asks a gcc-99 with someSets which is miscompile if a
// condition of the shell holds: $flags are its arguments between spaces.
func tuned(t *testing.T, when string, levels ...string) *oracle.Oracle {
	t.Helper()
	o := fake(t, `flags=" $* "
has() { case $flags in *" $1 "*) ;; *) false ;; esac; }
`+when+" && {"+miscompile+"\n}", levels...)
	o.Targets[0] = tunable{o.Targets[0].(native.Toolchain), someSets}
	return o
}

// flagOptions are those of a hunt with a plan.
func flagOptions(t *testing.T, batches int, text string) Options {
	opt := options(t, t.TempDir(), batches, 2)
	plan, err := ParsePlan(text)
	require.NoError(t, err)
	opt.Plan = plan
	return opt
}

// given lists the flags that were given, a line for each batch that has some.
func given(t *testing.T, dir string) []string {
	return query(t, dir, `SELECT batch || ': ' || target || ': ' || group_concat(flag, ', ' ORDER BY place) FROM flags GROUP BY batch, target ORDER BY batch`)
}

// A compiler that fails under one flag of a set is found. What is saved has that
// flag and no other, and the batch that was interrupted is given the same again.
func TestFindsWhatAFlagShows(t *testing.T) {
	need.Long(t)
	o := tuned(t, "has -DGUILTY", "-O0", "-O2")
	opt := flagOptions(t, 12, "gcc -O2 flags one")
	var log buffer
	opt.Log = &log
	sum := finished(t, o, opt)
	require.Positive(t, sum.Findings)
	assert.Zero(t, sum.Unconfirmed)
	for _, name := range saved(t, opt.Dir) {
		e, err := corpus.Load(filepath.Join(opt.Dir, corpus.FindingsDir, name, corpus.FindingFile))
		require.NoError(t, err)
		assert.Equal(t, []string{"-DGUILTY"}, e.Flags)
		assert.Contains(t, e.Command, "gcc-99 -DGUILTY -O2 -w repro.c -o repro && ")
		assert.Equal(t, "-DGUILTY", e.Note(corpus.NoteHuntFlags))
		assert.Equal(t, []corpus.Configuration{{Family: "gcc", Version: "99.1.0", Args: []string{"-DGUILTY"}, Modes: []string{"-O2"}}}, e.Bad)
	}
	assert.Equal(t, []string{"gcc-99 -DGUILTY"}, query(t, opt.Dir, `SELECT DISTINCT compiler FROM findings`))

	// What it does not know is tried once, and said once.
	assert.Equal(t, 1, strings.Count(log.String(), "goes on without the flag: gcc-99 -fno-such-thing cannot be used"), log.String())
	all := given(t, opt.Dir)
	assert.Len(t, all, 12, "each batch has some: %s", log.String())
	var some []string
	for _, line := range all {
		_, flags, _ := strings.Cut(line, ": gcc-99: ")
		some = append(some, flags)
	}
	slices.Sort(some)
	assert.Subset(t, []string{
		"-DPAD, -DGUILTY, -D REST", "-DHARMLESS", "-DSCOUT", "-DARCH, -DPAD, -DGUILTY, -D REST", "-DARCH, -DHARMLESS", "-DARCH, -DSCOUT",
	}, slices.Compact(some))
	assert.Greater(t, len(slices.Compact(some)), 3)

	// The yield is that of the flag.
	yields := map[string]int64{}
	for _, f := range sum.Flags {
		assert.Equal(t, "gcc", f.Family)
		assert.Positive(t, f.Batches)
		yields[f.Flag] = f.Buckets
	}
	assert.EqualValues(t, sum.Buckets, yields["-DGUILTY"])
	assert.Zero(t, yields["-DPAD"])
	assert.Zero(t, yields["-DARCH"])
	var text strings.Builder
	require.NoError(t, sum.Write(&text))
	assert.Contains(t, text.String(), "gcc -DGUILTY ")
	assert.NotContains(t, text.String(), "gcc -DPAD ")

	// Whatever has been learnt since, a batch runs again as it ran before.
	before := findings(t, opt.Dir)
	change(t, opt.Dir, `UPDATE batches SET done = 0`)
	finished(t, o, opt)
	assert.Equal(t, all, given(t, opt.Dir))
	assert.Equal(t, before, findings(t, opt.Dir))
}

// What hidden flags alone show is a note, the first of its kind is saved, and no
// finding. Where something fails without them, that is the finding.
func TestScouts(t *testing.T) {
	need.Long(t)
	opt := flagOptions(t, 12, "gcc -O2 flags one")
	var log buffer
	opt.Log = &log
	sum, err := Start(t.Context(), tuned(t, "has -DSCOUT", "-O0", "-O2"), opt)
	require.NoError(t, err)
	assert.Zero(t, sum.Findings)
	assert.Zero(t, sum.Discards)
	notes, _, err := suspicions(opt.Dir, notesName)
	require.NoError(t, err)
	require.NotEmpty(t, notes)
	assert.EqualValues(t, len(notes), sum.Notes)
	assert.LessOrEqual(t, len(notes), 2, "one of each of its bugs")
	e, err := corpus.Load(filepath.Join(opt.Dir, notesName, notes[0], corpus.FindingFile))
	require.NoError(t, err)
	assert.Equal(t, []string{"-DSCOUT"}, e.Flags)
	assert.Contains(t, string(e.Format()), "witness: note: it shows with hidden flags alone: -DSCOUT\n")
	assert.Contains(t, log.String(), "notes: gcc-99 -DSCOUT -O2: ")

	opt = flagOptions(t, 12, "gcc -O3 flags one")
	sum, err = Start(t.Context(), tuned(t, "has -DSCOUT && has -O3 && level=-O2", "-O0", "-O2", "-O3"), opt)
	require.NoError(t, err)
	assert.Zero(t, sum.Findings, "nothing fails at -O2")
	assert.Positive(t, sum.Notes)

	opt = flagOptions(t, 12, "gcc -O3 flags one")
	sum, err = Start(t.Context(), tuned(t, "{ has -O2 || has -DSCOUT && level=-O2; }", "-O0", "-O2", "-O3"), opt)
	require.NoError(t, err)
	assert.Positive(t, sum.Findings)
	assert.Zero(t, sum.Notes)
	assert.Equal(t, []string{"gcc-99 -O2"}, query(t, opt.Dir, `SELECT DISTINCT compiler || ' ' || mode FROM findings`))
	assert.Equal(t, []string{"-DSCOUT"}, query(t, opt.Dir, `SELECT DISTINCT flags FROM buckets`), "which gets the credit")
}

// The default plan has the vectors of today's processors in about half of its
// batches, by the seed alone.
func TestHalfIsWide(t *testing.T) {
	o := tuned(t, "false", "-O2")
	opt := flagOptions(t, 6, "sample")
	finished(t, o, opt)
	var lines []string
	arch := 0
	of := o.Targets[0].(tunable)
	h := &hunt{oracle: o, seed: opt.Seed, knows: map[string]bool{of.ID().String() + " -DARCH": true}}
	for n := range int64(1000) {
		flags, err := h.drawFlags(t.Context(), batch{number: n}, of, archFlags)
		require.NoError(t, err)
		if len(flags) > 0 {
			assert.Equal(t, []string{"-DARCH"}, flags)
			arch++
		}
		if len(flags) > 0 && n < 6 {
			lines = append(lines, fmt.Sprintf("%d: gcc-99: -DARCH", n))
		}
	}
	assert.InDelta(t, 500, arch, 50)
	require.NotEmpty(t, lines)
	assert.Equal(t, lines, given(t, opt.Dir))
}

// A compiler that answers nothing is not taken for one that does not know a flag.
func TestFlagsOfACompilerThatFails(t *testing.T) {
	o := tuned(t, "false", "-O2")
	h := &hunt{Options: options(t, t.TempDir(), 1, 1), oracle: o, knows: map[string]bool{}}
	h.log = newLogger(h.Log, 0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	known, err := h.knownTo(ctx, o.Targets[0].(tunable), []string{"-DPAD"})
	require.NoError(t, err)
	assert.Empty(t, known)
	assert.Empty(t, h.knows)
	known, err = h.knownTo(t.Context(), o.Targets[0].(tunable), []string{"-DPAD"})
	require.NoError(t, err)
	assert.Equal(t, []string{"-DPAD"}, known)
}

// What yields is drawn more often, nothing starves, and the same history has the same
// drawn.
func TestFlagSteering(t *testing.T) {
	sets := []compilers.FlagSet{{Flags: []string{"-a"}}, {Flags: []string{"-b", "-c"}}, {Flags: []string{"-d"}}}
	assert.Equal(t, []int{untried, untried, untried}, setWeights("gcc", sets, nil))
	past := map[flagOf]yield{
		{"gcc", "-a"}: {cpu: 1e6}, {"gcc", "-b"}: {cpu: prior, buckets: 5}, {"gcc", "-c"}: {cpu: prior}, {"clang", "-d"}: {buckets: 9},
	}
	weights := setWeights("gcc", sets, past)
	assert.Equal(t, []int{leastWeight, untried * 7 / 4, untried}, weights)
	assert.Less(t, setWeights("gcc", sets, map[flagOf]yield{{"gcc", "-a"}: {running: 100}})[0], untried, "what is under way counts")
	draws := func(seed uint64) (drawn [3]int) {
		s := choice.From(seed)
		for range 1000 {
			drawn[s.Weighted(weights...)]++
		}
		return drawn
	}
	assert.Equal(t, draws(1), draws(1))
	got := draws(1)
	assert.Greater(t, got[1], got[2])
	assert.Greater(t, got[2], got[0])
	assert.Positive(t, got[0])
}

// Yields are counted from rows: of buckets that are not known, to the flags that
// they needed, of the target that failed.
func TestFlagYields(t *testing.T) {
	s, err := openStore(t.TempDir())
	require.NoError(t, err)
	defer s.close()
	gcc, clang := compilers.ID{Name: "gcc-12", Family: "gcc"}, compilers.ID{Name: "clang-19", Family: "clang"}
	_, err = s.db.Exec(`
INSERT INTO runs (id, started, seen, version, plan, toolchains, workers) VALUES (1, 1, 2, '1', 'all', 'gcc', 1);
INSERT INTO batches (number, run, kind, part, seeds, done, cpu) VALUES (0, 1, 'tiny', 'all', 4, 1, 2.5), (1, 1, 'tiny', 'all', 4, 0, 0), (2, 1, 'tiny', 'all', 4, 1, 1);
INSERT INTO findings VALUES ('one', 0, 'f1', 'gcc-12 -a', '-O2', 'crash', 'f1', 7, ''), ('two', 2, 'f2', 'gcc-12', '-O3', 'crash', 'f1', 7, ''),
	('three', 2, 'f3', 'gcc-12 -a', '-O2', 'crash', 'f2', 7, '');
INSERT INTO buckets VALUES ('f1', 'one', 0, 'tiny', 7, '', 1, '-a', ''), ('f2', 'two', 2, 'tiny', 7, '', 1, '-mllvm -b=1', ''), ('f3', 'three', 2, 'tiny', 7, 'known', 1, '-a', '');`)
	require.NoError(t, err)
	for batch, flags := range [][]string{{"-a", "-ab"}, {"-a"}, {"-mllvm -b=1", "-a"}} {
		require.NoError(t, s.giveFlags(int64(batch), gcc, flags))
		require.NoError(t, s.giveFlags(int64(batch), clang, []string{"-a"}))
	}
	require.NoError(t, s.giveFlags(2, gcc, []string{"-mllvm -b=1"}), "it replaces the others")
	h := &hunt{store: s}
	past, err := h.flagYields()
	require.NoError(t, err)
	assert.Equal(t, map[flagOf]yield{
		{"gcc", "-a"}:          {cpu: 2.5, running: 1, buckets: 1},
		{"gcc", "-ab"}:         {cpu: 2.5},
		{"gcc", "-mllvm -b=1"}: {cpu: 1, buckets: 1},
		{"clang", "-a"}:        {cpu: 3.5, running: 1},
	}, past)
	flags, err := s.flagsOf(2, gcc)
	require.NoError(t, err)
	assert.Equal(t, []string{"-mllvm -b=1"}, flags)
	_, err = s.db.Exec(`DROP TABLE flags`)
	require.NoError(t, err)
	for range yieldsEvery - 1 {
		_, err = h.flagYields()
		require.NoError(t, err, "it is not read again so soon")
	}
	_, err = h.flagYields()
	require.Error(t, err)
}
