package hunt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/oracle"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/subject"
	"goreify/tools/need"
)

// A scripted source makes one thing after another.
type scripted struct {
	list []func() (subject.Subject, error)
}

func (s *scripted) Name() string { return "scripted" }

func (s *scripted) Draw(st *choice.Stream) source.Input {
	return source.Input{Source: s.Name(), Version: "1", Data: fmt.Append(nil, st.Uint64())}
}

func (s *scripted) Make(context.Context, source.Input) (subject.Subject, error) {
	next := s.list[0]
	s.list = s.list[1:]
	return next()
}

// making returns options of a hunt for a batch of each of what is made.
func making(t *testing.T, list ...func() (subject.Subject, error)) Options {
	opt := options(t, t.TempDir(), len(list), 1)
	opt.Kinds = []Kind{{Name: "scripted", Language: compilers.C, Seeds: 1, Weight: 1, Source: &scripted{list}}}
	opt.Mix = opt.Kinds
	return opt
}

// A plainC is a program in C that prints a number.
type plainC struct {
	trust     subject.Trust
	prints    int
	want      string
	prototype *plainC // of a variant
}

func (p plainC) make() (subject.Subject, error) { return p, nil }

func (p plainC) Name() string         { return "plain" }
func (p plainC) Trust() subject.Trust { return p.trust }
func (p plainC) Weight() int          { return 1 }

func (p plainC) Artefact() subject.Artefact {
	text := fmt.Sprintf("#include <stdio.h>\nint main(void) { printf(\"%d\\n\"); }\n", p.prints)
	a := subject.Artefact{Language: compilers.C, Files: compilers.Single([]byte(text)), Want: []byte(p.want)}
	if p.prototype != nil {
		reference := p.prototype.Artefact()
		a.Reference = &reference
	}
	return a
}

func (p plainC) Entry() (*corpus.Entry, error) {
	return &corpus.Entry{
		Tool: "test", Language: compilers.C, Source: "scripted", Trust: p.trust.String(), Main: corpus.MainC,
		Sources: subject.Sources(p.Artefact().Files), Want: p.want,
	}, nil
}

// fakeFamilies returns an oracle that asks a gcc-99 and a clang-99, which do the
// same but for what the script does in gcc-99.
func fakeFamilies(t *testing.T, both, gcc string, levels ...string) *oracle.Oracle {
	t.Helper()
	o := fake(t, both+"\n"+gcc, levels...)
	dir := filepath.Dir(pathOf(o))
	text := strings.Replace(fakeText(both), "gcc-99 (Fake) 99.1.0\"; echo \"Copyright (C) Free Software Foundation, Inc.", "clang version 99.1.0", 1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "clang-99"), []byte(text), 0o700))
	clang, _, err := targets.Find(t.Context(), compilers.Env{Path: dir + ":" + os.Getenv("PATH"), CC: "clang-99", Modes: strings.Join(levels, ",")})
	require.NoError(t, err)
	require.Equal(t, "clang", clang[0].ID().Family)
	o.Targets = append(o.Targets, clang...)
	return o
}

// What no program comes of, and what nobody can vouch for, ends no hunt.
func TestNotOurBug(t *testing.T) {
	o := fakeFamilies(t, "", "", "-O0", "-O2")
	one := plainC{prints: 1}
	opt := making(t,
		func() (subject.Subject, error) { return nil, fmt.Errorf("60 seeds: %w", source.ErrNone) },
		func() (subject.Subject, error) { return nil, &source.BadSeed{Err: errors.New("it divides by 0")} },
		plainC{trust: subject.Recorded, prints: 1, want: "2\n"}.make,
		plainC{trust: subject.Agreed, prints: 2, prototype: &one}.make,
		plainC{trust: subject.Agreed, prints: 1, prototype: &one}.make,
		plainC{trust: subject.Proved, prints: 1, want: "1\n"}.make,
	)
	sum := finished(t, o, opt)
	assert.EqualValues(t, 6, sum.Batches)
	assert.EqualValues(t, 3, sum.Discards)
	assert.Zero(t, sum.Findings)
	assert.Zero(t, sum.Unconfirmed)
	log := query(t, opt.Dir, `SELECT text FROM log`)
	require.Len(t, log, 3)
	assert.Equal(t, "batch 1: discarded: bad seed: it divides by 0", log[0])
	assert.Contains(t, log[1], "batch 2: discarded: plain: a recorded answer does not hold: gcc-99 -O0 says wrong-answer, but no compiler gets the answer right")
	assert.Contains(t, log[2], "batch 3: discarded: plain: a variant that does not do what its seed does: plain: gcc-99 -O0: wrong-answer")
	assert.NoFileExists(t, filepath.Join(opt.Dir, "generator-bug.txt"))
}

// A proved program that all compilers get wrong, and one that was made wrong, end
// a hunt. They are saved, and their batch stays to be run again.
func TestOurBug(t *testing.T) {
	o := fakeFamilies(t, "", "", "-O0", "-O2")
	wrong := plainC{trust: subject.Proved, prints: 1, want: "2\n"}
	for want, makes := range map[string]func() (subject.Subject, error){
		"printf(\"1": wrong.make,
		"func @f": func() (subject.Subject, error) {
			return nil, &reify.GeneratorBug{Program: "func @f", Err: errors.New("undefined")}
		},
	} {
		opt := making(t, makes, makes)
		sum, err := Start(t.Context(), o, opt)
		require.Error(t, err)
		assert.True(t, source.OurBug(err), "%v", err)
		assert.ErrorContains(t, err, "saved as "+filepath.Join(opt.Dir, "generator-bug.txt"))
		text, err := os.ReadFile(filepath.Join(opt.Dir, "generator-bug.txt"))
		require.NoError(t, err)
		assert.Contains(t, string(text), want)
		assert.Contains(t, sum.Runs[0].Ended, "failed: ")
		assert.Zero(t, sum.Batches)
		assert.EqualValues(t, 1, sum.Unfinished)
	}
}

// A recorded batch holds functions that nobody has proved.
type recorded struct{ *function.Batch }

func (r recorded) Trust() subject.Trust { return subject.Recorded }

func (r recorded) Members() (list []subject.Subject) {
	for _, m := range r.Batch.Members() {
		list = append(list, recorded{m.(*function.Batch)})
	}
	return list
}

func (r recorded) Only(members ...int) (subject.Subject, error) {
	s, err := r.Batch.Only(members...)
	return recorded{s.(*function.Batch)}, err
}

// A member whose answer does not hold is set aside. The others are asked about.
func TestOneIsSetAside(t *testing.T) {
	need.Long(t)
	o := fakeFamilies(t, `sed -i 's/printf("f1 /printf("f1 1/' "$src"`, `[ "$level" = -O2 ] && sed -i 's/printf("f3 /printf("f3 1/' "$src"`, "-O0", "-O2")
	sanitize(t, o) // or nobody would object to what was recorded
	s := tiny(5)[0].Source
	opt := making(t, func() (subject.Subject, error) {
		b, err := s.Make(t.Context(), s.Draw(stream(1, 0)))
		return recorded{b.(*function.Batch)}, err
	})
	sum := finished(t, o, opt)
	assert.Equal(t, []string{"f3"}, query(t, opt.Dir, `SELECT functions FROM findings`))
	assert.EqualValues(t, 1, sum.Discards)
	log := query(t, opt.Dir, `SELECT text FROM log`)
	require.Len(t, log, 1)
	assert.Contains(t, log[0], "batch 0: discarded: f1: a recorded answer does not hold")
}

// A batch is made of the input that was recorded when it began, whatever its kind
// draws by then.
func TestStoredInput(t *testing.T) {
	o := fake(t, "", "-O0")
	opt := options(t, t.TempDir(), 2, 4)
	ctx, cancel := context.WithCancel(t.Context())
	opt.watch(calledAt(1, cancel))
	sum, err := Start(ctx, o, opt)
	require.NoError(t, err)
	require.EqualValues(t, 1, sum.Unfinished)
	stored := query(t, opt.Dir, `SELECT source || ' ' || version || ' ' || data FROM inputs WHERE batch = 1`)

	opt.Kinds = []Kind{functions("tiny", 7, 1, function.Options{Profile: "mixed"})}
	var made []string
	opt.watch(func(in source.Input) { made = append(made, fmt.Sprintf("%s %s %s", in.Source, in.Version, in.Data)) })
	sum = finished(t, o, opt)
	assert.Equal(t, stored, made)
	assert.EqualValues(t, 8, sum.Functions)

	// Of a source that no kind has, nothing can be made.
	change(t, opt.Dir, `UPDATE batches SET done = 0 WHERE number = 1`, `UPDATE inputs SET source = 'gone', sum = '' WHERE batch = 1`)
	sum = finished(t, o, opt)
	assert.EqualValues(t, 1, sum.Discards)
	assert.Equal(t, []string{`batch 1: discarded: its input is of source "gone", which no kind of this run has`}, query(t, opt.Dir, `SELECT text FROM log`))
}

// A foreign program is in a language that no compiler here is for.
type foreign struct{ plainC }

func (f foreign) make() (subject.Subject, error) { return f, nil }

func (f foreign) Artefact() subject.Artefact {
	a := f.plainC.Artefact()
	a.Language = "Toy"
	return a
}

// A mix in a language without a compiler is left out, and a batch of it that was
// begun is set aside. The others go on.
func TestNoCompilerForLanguage(t *testing.T) {
	o := fake(t, "", "-O0")
	opt := options(t, t.TempDir(), 2, 4)
	toys := Kind{Name: "toys", Language: "Toy", Seeds: 4, Weight: 1, Source: &scripted{[]func() (subject.Subject, error){foreign{}.make}}}
	opt.Mix = []Kind{toys}
	_, err := Start(t.Context(), o, opt)
	require.EqualError(t, err, "nothing to hunt with: no compiler for Toy is asked: 1 kind left out: toys")

	opt.Kinds = append(opt.Kinds, toys)
	for _, mix := range [][]Kind{nil, opt.Kinds} {
		opt.Dir, opt.Mix, opt.Log = t.TempDir(), mix, &buffer{}
		sum := finished(t, o, opt)
		assert.EqualValues(t, 2, sum.Batches)
		assert.EqualValues(t, 8, sum.Functions)
		said := strings.Contains(opt.Log.(*buffer).String(), "no compiler for Toy is asked: 1 kind left out: toys\n")
		assert.Equal(t, mix != nil, said, "only what was asked for is missed")
	}
	change(t, opt.Dir, `UPDATE batches SET done = 0, kind = 'toys' WHERE number = 0`, `UPDATE inputs SET source = 'scripted', version = '1', sum = '' WHERE batch = 0`)
	sum := finished(t, o, opt)
	assert.EqualValues(t, 2, sum.Batches)
	assert.EqualValues(t, 4, sum.Functions, "of the other one")
	assert.Equal(t, []string{"batch 0: discarded: no compiler for its language is left: no compiler for Toy is here"}, query(t, opt.Dir, `SELECT text FROM log`))
}

// A compiler that is the last of its language ends what is hunted in that
// language, and no more than that.
func TestLastOfItsLanguage(t *testing.T) {
	o := fake(t, "", "-O0")
	opt := options(t, t.TempDir(), 2, 4)
	o.Targets = append(stubs([]compilers.Mode{"@slow"}, [2]string{"toy-1", "toy"}), o.Targets...)
	opt.Mix = nil
	opt.Kinds = append(opt.Kinds, Kind{Name: "toys", Language: "Toy", Seeds: 4, Weight: 1, Source: &scripted{}})
	h := &hunt{Options: opt, oracle: o, targets: o.Targets}
	assert.Len(t, h.open(), 2)
	h.giveUp(o.Targets[:1])
	require.Len(t, h.open(), 1)
	assert.Equal(t, "tiny", h.open()[0].Name)
	_, _, err := h.configurations(t.Context(), batch{}, "Toy")
	require.ErrorIs(t, err, errLanguage)
	h.giveUp(o.Targets)
	_, _, err = h.next()
	require.ErrorIs(t, err, ErrNoCompilers)
	_, _, err = h.configurations(t.Context(), batch{}, "Toy")
	require.ErrorIs(t, err, ErrNoCompilers)
}
