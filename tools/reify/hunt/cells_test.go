package hunt

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/choice"
	"goreify/reify/oracle"
	"goreify/reify/source"
	"goreify/reify/subject"
)

// cellsSource is a finite source whose blocks are the names of cells. A cell whose name
// begins with a question mark is not made.
type cellsSource [][]string

func (cellsSource) Name() string { return "cells" }

func (s cellsSource) Draw(*choice.Stream) source.Input { return s.Block(0) }
func (s cellsSource) Blocks() int64                    { return int64(len(s)) }

func (s cellsSource) Block(n int64) source.Input {
	return source.Input{Source: s.Name(), Version: "1", Data: []byte(strings.Join(s[n], " "))}
}

func (cellsSource) Cells(in source.Input) ([]string, error) {
	return strings.Fields(string(in.Data)), nil
}

func (s cellsSource) Make(_ context.Context, in source.Input) (subject.Subject, error) {
	var made cellsSubject
	for i, name := range strings.Fields(string(in.Data)) {
		if !strings.HasPrefix(name, "?") {
			made = append(made, cellOf{fmt.Sprintf("c%d", i), name})
		}
	}
	if made == nil {
		return nil, source.ErrNone
	}
	return made, nil
}

type cellOf struct{ member, name string }

// A cellsSubject is a program that prints the names of its cells, a line each. Their keys
// are what is before the first full stop.
type cellsSubject []cellOf

func (s cellsSubject) text(of func(cellOf) string, between string) string {
	var list []string
	for _, c := range s {
		list = append(list, of(c))
	}
	return strings.Join(list, between)
}

func (s cellsSubject) Name() string {
	return s.text(func(c cellOf) string { return c.member }, " ")
}
func (cellsSubject) Trust() subject.Trust { return subject.Proved }
func (s cellsSubject) Weight() int        { return len(s) }

func (s cellsSubject) Artefact() subject.Artefact {
	text := []byte(s.text(func(c cellOf) string { return c.name }, "\n") + "\n")
	return subject.Artefact{Language: "Toy", Files: []compilers.File{{Name: "repro.toy", Content: text}}, Want: text}
}

func (s cellsSubject) Members() (list []subject.Subject) {
	for _, c := range s {
		list = append(list, cellsSubject{c})
	}
	return list
}

func (s cellsSubject) Only(members ...int) (subject.Subject, error) {
	var some cellsSubject
	for _, i := range members {
		some = append(some, s[i])
	}
	return some, nil
}

func (s cellsSubject) Guilty(o compilers.Outcome) (list []int) {
	lines := strings.Split(string(o.Stdout), "\n")
	for i, c := range s {
		if slices.Contains(o.Named, c.name) || len(lines) == len(s)+1 && lines[i] != c.name {
			list = append(list, i)
		}
	}
	return list
}

func (s cellsSubject) Cell(member int) subject.Cell {
	name := s[member].name
	key, _, _ := strings.Cut(name, ".")
	return subject.Cell{Name: name, Key: key}
}

func (s cellsSubject) Entry() (*corpus.Entry, error) {
	a := s.Artefact()
	return &corpus.Entry{
		Tool: "test", Language: a.Language, Source: "cells", Trust: corpus.Proved, Main: "repro.toy", Sources: subject.Sources(a.Files), Want: string(a.Want),
	}, nil
}

// A cellsTarget runs such programs, in Go. It says of a cell how it fails in a mode.
type cellsTarget struct {
	compilers.Target
	name  string
	fails func(cell string, mode compilers.Mode) compilers.Verdict

	mu    sync.Mutex
	built map[string]compilers.Job
	asked []string // the programs that it was asked about, with the mode
}

func (t *cellsTarget) ID() compilers.ID {
	return compilers.ID{Name: t.name, Family: t.name, Version: "1"}
}
func (*cellsTarget) Language() compilers.Language { return "Toy" }
func (*cellsTarget) Modes() []compilers.Mode      { return []compilers.Mode{"@slow", "@fast", "@faster"} }
func (*cellsTarget) Reference() compilers.Mode    { return "@slow" }
func (*cellsTarget) Traits() compilers.Traits     { return compilers.Traits{} }

func (t *cellsTarget) Build(_ context.Context, ws *compilers.Workspace, job compilers.Job, _ compilers.Limits) (compilers.Built, compilers.Outcome) {
	t.mu.Lock()
	defer t.mu.Unlock()
	words := strings.Fields(string(job.Files[0].Content))
	t.asked = append(t.asked, job.Mode+" "+strings.Join(words, " "))
	for _, w := range words {
		if v := t.fails(w, job.Mode); v == compilers.InternalError || v == compilers.Rejected {
			return compilers.Built{}, compilers.Outcome{Verdict: v, Message: "no", Named: []string{w}, Command: []string{"toyc"}}
		}
	}
	dir, err := ws.NewDir()
	if err != nil {
		return compilers.Built{}, compilers.NoRoom(err)
	}
	if t.built == nil {
		t.built = map[string]compilers.Job{}
	}
	built := compilers.Built{Path: filepath.Join(dir, "built"), Space: ws}
	t.built[built.Path] = job
	return built, compilers.Outcome{Verdict: compilers.OK}
}

func (t *cellsTarget) Run(_ context.Context, built compilers.Built, _ []string, want []byte, _ compilers.Limits) compilers.Outcome {
	t.mu.Lock()
	defer t.mu.Unlock()
	job := t.built[built.Path]
	var lines []string
	for _, w := range strings.Fields(string(job.Files[0].Content)) {
		if t.fails(w, job.Mode) == compilers.WrongAnswer {
			w = "wrong"
		}
		lines = append(lines, w+"\n")
	}
	o := compilers.Outcome{Verdict: compilers.OK, Stdout: []byte(strings.Join(lines, "")), Command: []string{"toyc", "./repro"}}
	if string(o.Stdout) != string(want) {
		o.Verdict = compilers.WrongAnswer
	}
	return o
}

// alone returns how often the target was asked about programs of one cell.
func (t *cellsTarget) alone() (n int) {
	for _, program := range t.asked {
		if strings.Count(program, " ") == 1 {
			n++
		}
	}
	return n
}

// failsAs returns a function for cellsTarget: cells of which the name contains a text fail
// so, in other modes than the reference.
func failsAs(of map[string]compilers.Verdict) func(string, compilers.Mode) compilers.Verdict {
	return func(cell string, mode compilers.Mode) compilers.Verdict {
		for text, verdict := range of {
			if strings.Contains(cell, text) && (mode != "@slow" || verdict == compilers.Rejected) {
				return verdict
			}
		}
		return compilers.OK
	}
}

// matrixOf returns the options of a hunt of blocks, and its oracle.
func matrixOf(t *testing.T, blocks cellsSource, targets ...*cellsTarget) (Options, *oracle.Oracle) {
	t.Helper()
	space, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, space.Close()) })
	o := &oracle.Oracle{Space: space, Limits: compilers.DefaultLimits()}
	for _, target := range targets {
		if target.fails == nil {
			target.fails = failsAs(nil)
		}
		o.Targets = append(o.Targets, target)
	}
	kinds := []Kind{{Name: "cells", Language: "Toy", Seeds: 4, Weight: 1, Source: blocks, OffByDefault: true}}
	return Options{Dir: t.TempDir(), Workers: 1, Kinds: kinds, Mix: kinds, Log: &buffer{}}, o
}

const failingCells = `SELECT batch || ' ' || cell || ' ' || target || ' ' || mode || ' ' || verdict || ' ' ||
	COALESCE((SELECT functions FROM findings WHERE name = finding), '') FROM cells ORDER BY batch, cell, target, mode`

// A hunt of blocks ends with them, and each is asked about once, in all modes.
func TestBlocks(t *testing.T) {
	blocks := cellsSource{{"add.1", "?add.2"}, {"sub.1", "sub.2"}, {"?mul.1"}}
	one, two := &cellsTarget{name: "one"}, &cellsTarget{name: "two"}
	opt, o := matrixOf(t, blocks, one, two)
	ctx, cancel := context.WithCancel(t.Context())
	opt.Kinds[0].Source = stopping{blocks, cancel}
	opt.Mix = opt.Kinds
	sum, err := Start(ctx, o, opt)
	require.NoError(t, err)
	assert.EqualValues(t, 1, sum.Batches)
	assert.EqualValues(t, 1, sum.Unfinished)

	opt.Kinds[0].Source, one.asked = blocks, nil
	for range 2 {
		sum = finished(t, o, opt)
		assert.EqualValues(t, 3, sum.Batches)
		assert.Equal(t, "done", sum.Runs[0].Ended)
		assert.Equal(t, &Cells{Blocks: 2, NotMade: 2, Targets: []OfTarget{{Name: "one", Asked: 3, Right: 3}, {Name: "two", Asked: 3, Right: 3}}}, sum.Cells)
	}
	assert.Equal(t, []string{"@slow sub.1 sub.2", "@fast sub.1 sub.2", "@faster sub.1 sub.2"}, one.asked, "of what was left")
	assert.Equal(t, []string{"0 ?add.2   not-made ", "2 ?mul.1   not-made "}, query(t, opt.Dir, failingCells))

	// Other blocks are others, of which some were asked about.
	opt.Kinds[0].Source = cellsSource{{"sub.1", "sub.2"}, {"div.1"}}
	sum = finished(t, o, opt)
	assert.EqualValues(t, 4, sum.Batches)
	assert.Contains(t, one.asked, "@fast div.1")
	text := &strings.Builder{}
	require.NoError(t, sum.Write(text))
	assert.Contains(t, text.String(), "cells                         asked    right  wrong by key unexplained rejected\none ")
	assert.Contains(t, text.String(), "2 cells not made: ")
}

// A stopping source stops the hunt as it makes its second block.
type stopping struct {
	cellsSource
	stop func()
}

func (s stopping) Make(ctx context.Context, in source.Input) (subject.Subject, error) {
	if string(in.Data) == string(s.Block(1).Data) {
		s.stop()
	}
	return s.cellsSource.Make(ctx, in)
}

// Of a hundred cells with one bug one is looked into. So are those that fail in another
// way, at another target, and, if they fail there, in the reference mode.
func TestOneBugOfManyCells(t *testing.T) {
	var many [2][]string
	for i := range 100 {
		many[i/50] = append(many[i/50], fmt.Sprintf("rot.%d", i), fmt.Sprintf("add.%d", i))
	}
	blocks := cellsSource{many[0], many[1], {"add+rot.1", "rot+add.1", "rotl.1", "sub.1"}}
	for name, tt := range map[string]struct {
		one, two map[string]compilers.Verdict
		found    []string // the members of findings
		most     int      // programs of one cell that the first target was asked about
		wrong    int64    // cells of the first target
	}{
		"wrong":                 {map[string]compilers.Verdict{"rot.": compilers.WrongAnswer, "rot+": compilers.WrongAnswer}, nil, []string{"c0"}, 10, 102},
		"internal error":        {map[string]compilers.Verdict{"rot.1": compilers.InternalError}, nil, []string{"c2"}, 10, 12},
		"at two":                {map[string]compilers.Verdict{"rot.": compilers.WrongAnswer}, map[string]compilers.Verdict{"rot.": compilers.WrongAnswer}, []string{"c0"}, 10, 101},
		"in two ways":           {map[string]compilers.Verdict{"rot.": compilers.WrongAnswer, "+add": compilers.InternalError}, nil, []string{"c0", "c1"}, 20, 102},
		"a step is no part":     {map[string]compilers.Verdict{"rot.": compilers.WrongAnswer, "rotl": compilers.WrongAnswer}, nil, []string{"c0", "c2"}, 20, 102},
		"rejected by one alone": {map[string]compilers.Verdict{"rot.": compilers.Rejected}, nil, []string{"c0"}, 10, 0},
	} {
		t.Run(name, func(t *testing.T) {
			one, two := &cellsTarget{name: "one", fails: failsAs(tt.one)}, &cellsTarget{name: "two", fails: failsAs(tt.two)}
			opt, o := matrixOf(t, blocks, one, two)
			sum := finished(t, o, opt)
			assert.Equal(t, tt.found, query(t, opt.Dir, `SELECT functions FROM findings ORDER BY batch, functions`))
			assert.Zero(t, sum.Discards)
			assert.LessOrEqual(t, one.alone(), tt.most, "one finding is looked into")
			assert.EqualValues(t, 204, sum.Cells.Targets[0].Asked)
			assert.Equal(t, tt.wrong, sum.Cells.Targets[0].Wrong)
			assert.Zero(t, sum.Cells.Targets[0].Unexplained)
			if tt.wrong > 0 {
				assert.Equal(t, tt.wrong-int64(len(tt.found)), sum.Cells.Targets[0].ByKey, "the finding's own cell is no other's")
			}
			assert.Equal(t, len(tt.found), len(saved(t, opt.Dir)), "keys tell findings apart")

			// What was found out is known in the next run.
			asked := one.alone()
			opt.Mix[0].Source = cellsSource{{"rot.1000", "add.1000", "sub.1000"}}
			finished(t, o, opt)
			assert.Equal(t, asked, one.alone())
			for _, line := range query(t, opt.Dir, failingCells) {
				assert.Regexp(t, " c[0-9]$", line)
			}
		})
	}
}

// What is not looked into is recorded all the same.
func TestUnexplainedCells(t *testing.T) {
	var block []string
	for i := range 40 {
		block = append(block, fmt.Sprintf("op%d.1", i))
	}
	one, two := &cellsTarget{name: "one", fails: failsAs(map[string]compilers.Verdict{"op": compilers.WrongAnswer})}, &cellsTarget{name: "two"}
	opt, o := matrixOf(t, cellsSource{block}, one, two)
	sum := finished(t, o, opt)
	assert.EqualValues(t, mostFindings, sum.Findings)
	assert.Equal(t, OfTarget{Name: "one", Asked: 40, Wrong: 40, Unexplained: 40 - mostFindings}, sum.Cells.Targets[0])
	assert.Equal(t, OfTarget{Name: "two", Asked: 40, Right: 40}, sum.Cells.Targets[1])

	// With nobody else to ask, none of it is sure.
	one.fails = failsAs(map[string]compilers.Verdict{"op1": compilers.Rejected})
	opt, o = matrixOf(t, cellsSource{block}, one)
	sum = finished(t, o, opt)
	assert.Zero(t, sum.Findings)
	assert.Equal(t, []OfTarget{{Name: "one", Asked: 40, Right: 29, Rejected: 11}}, sum.Cells.Targets)
	dirs, err := os.ReadDir(filepath.Join(opt.Dir, unconfirmedName))
	require.NoError(t, err)
	assert.Len(t, dirs, 11, "the causes are told apart by keys, and each is looked into once")
}

// An unsure target fails in some runs of programs with a cell, whose line is then wrong: in
// the first run, or with one of two models of a processor. Or the first run prints nothing.
type unsure struct {
	*cellsTarget
	cell           string
	models, silent bool
	runs           int
}

func (u *unsure) Run(ctx context.Context, built compilers.Built, args []string, want []byte, limits compilers.Limits) compilers.Outcome {
	o := u.cellsTarget.Run(ctx, built, args, want, limits)
	if !strings.Contains(string(want), u.cell) {
		return o
	}
	if u.runs++; u.models || u.runs == 1 {
		o.Stdout = []byte(strings.Replace(string(want), u.cell, "wrong", 1))
		o.Verdict, o.Disputed = compilers.WrongAnswer, u.models
	}
	if u.models {
		o.Verdict = compilers.Discarded
	}
	if u.silent && u.runs == 1 {
		o.Stdout, o.Verdict = nil, compilers.Crash
	}
	return o
}

// A cell without a sure answer is not right, and those beside it are if it is known which it is.
func TestNoSureAnswer(t *testing.T) {
	for _, tt := range []struct {
		unsure
		cells string
		none  int64
	}{{unsure{}, "1 cell", 1}, {unsure{models: true}, "1 cell", 1}, {unsure{silent: true}, "20 cells", 20}} {
		block := []string{"sub.1"}
		for i := range 19 {
			block = append(block, fmt.Sprintf("add.%d", i))
		}
		opt, o := matrixOf(t, cellsSource{block}, &cellsTarget{name: "two"})
		one := tt.unsure
		one.cellsTarget, one.cell = &cellsTarget{name: "one", fails: failsAs(nil)}, "sub.1"
		o.Targets = append(o.Targets, &one)
		sum := finished(t, o, opt)
		assert.EqualValues(t, 1, sum.Batches, "it is not asked again")
		assert.Equal(t, []OfTarget{{Name: "one", Asked: 20, Right: 20 - tt.none, NoAnswer: tt.none}, {Name: "two", Asked: 20, Right: 20}}, sum.Cells.Targets)
		_, failed, err := ReadCells(opt.Dir)
		require.NoError(t, err)
		assert.Contains(t, failed, FailedCell{Cell: "sub.1", Target: "one", NoAnswer: true})
		text := &strings.Builder{}
		require.NoError(t, sum.Write(text))
		assert.Contains(t, text.String(), "one gave no sure answer about "+tt.cells+"\n")
		if tt.silent {
			assert.Zero(t, one.alone(), "nothing is looked for")
		}
	}
}

// A nearSource has one more cell around each cell of its blocks.
type nearSource struct{ cellsSource }

func (s nearSource) Near(in source.Input, cell string) (source.Input, bool) {
	if strings.HasPrefix(cell, "near") {
		return in, false
	}
	return source.Input{Source: s.Name(), Version: "1", Data: []byte("near" + cell)}, true
}

// Around a cell that a finding is of others are asked about next, also in the next run, and
// each once.
func TestNearCells(t *testing.T) {
	one := &cellsTarget{name: "one", fails: failsAs(map[string]compilers.Verdict{"rot": compilers.WrongAnswer})}
	two := &cellsTarget{name: "two"}
	opt, o := matrixOf(t, nil, one, two)
	ctx, cancel := context.WithCancel(t.Context())
	blocks := cellsSource{{"rot.1", "add.1"}, {"sub.1"}}
	opt.Kinds[0].Source = stoppingNear{nearSource{blocks}, cancel}
	opt.Mix = opt.Kinds
	_, err := Start(ctx, o, opt)
	require.NoError(t, err)
	assert.NotContains(t, two.asked, "@fast sub.1")
	opt.Kinds[0].Source = nearSource{blocks}
	two.asked = nil
	for range 2 {
		sum := finished(t, o, opt)
		assert.Equal(t, OfTarget{Name: "one", Asked: 4, Right: 2, Wrong: 2}, sum.Cells.Targets[0])
	}
	assert.Equal(t, []string{"@fast nearrot.1", "@fast sub.1"}, slices.DeleteFunc(two.asked, func(p string) bool { return !strings.HasPrefix(p, "@fast ") }))
}

// A stoppingNear source stops the hunt as it makes a cell around another.
type stoppingNear struct {
	nearSource
	stop func()
}

func (s stoppingNear) Make(ctx context.Context, in source.Input) (subject.Subject, error) {
	if strings.HasPrefix(string(in.Data), "near") {
		s.stop()
	}
	return s.nearSource.Make(ctx, in)
}

// A listing is a target that shows the code of the cells of blocks, whose members are in
// the order of the text.
type listing struct {
	*cellsTarget
	code  func(cell string, mode compilers.Mode) string
	fails bool
}

func (l listing) List(_ context.Context, _ *compilers.Workspace, job compilers.Job, _ compilers.Limits) (map[string]string, compilers.Outcome, error) {
	functions := map[string]string{}
	for i, w := range strings.Fields(string(job.Files[0].Content)) {
		functions[fmt.Sprintf("c%d", i)] = l.code(w, job.Mode)
	}
	if l.fails {
		return nil, compilers.Outcome{Verdict: compilers.Rejected}, nil
	}
	return functions, compilers.Outcome{Verdict: compilers.OK}, nil
}

// Of two compilers one is asked about the cells that they make other code of, where they do.
func TestAgainst(t *testing.T) {
	blocks := cellsSource{{"add.1", "sub.1", "rot.1", "rot.2"}, {"mul.1", "mul.2"}}
	newer := func(cell string, mode compilers.Mode) string {
		if strings.HasPrefix(cell, "rot") && mode == "@fast" {
			return "ror"
		}
		return cell
	}
	older := func(cell string, _ compilers.Mode) string { return cell }
	target := &cellsTarget{name: "new", fails: failsAs(map[string]compilers.Verdict{"rot.1": compilers.WrongAnswer, "add": compilers.WrongAnswer})}
	one, two := listing{target, newer, false}, listing{&cellsTarget{name: "old", fails: failsAs(nil)}, older, false}
	opt, o := matrixOf(t, blocks)
	o.Targets = []compilers.Target{one, two}
	opt.Only = "new"
	opt.Kinds[0].Name, opt.Kinds[0].Against = "cells-against-old", two
	sum := finished(t, o, opt)
	assert.Equal(t, []OfTarget{{Name: "new", Asked: 2, Same: 4, Right: 1, Wrong: 1}}, sum.Cells.Targets)
	assert.Equal(t, []string{"@fast rot.1 rot.2"}, slices.DeleteFunc(target.asked, func(p string) bool { return strings.Count(p, " ") < 2 }))
	asked, failed, err := ReadCells(opt.Dir)
	require.NoError(t, err)
	require.Len(t, asked, 2)
	assert.Equal(t, []AskedTarget{{Name: "new", Only: map[string]bool{"rot.1": true, "rot.2": true}}}, asked[0].Targets)
	assert.Equal(t, []AskedTarget{{Name: "new", Only: map[string]bool{}}}, asked[1].Targets)
	require.Len(t, failed, 2, "it fails in another mode, too")
	assert.Equal(t, "rot.1", failed[0].Cell)
	text := &strings.Builder{}
	require.NoError(t, sum.Write(text))
	assert.Contains(t, text.String(), "new was not asked about 4 cells of the same code\n")

	// Where one of them shows nothing, all is asked. So it is in a hunt that compares nothing.
	two.fails = true
	for name, other := range map[string]compilers.Lister{"cells-against-dumb": two, "cells": nil} {
		opt.Kinds[0].Name, opt.Kinds[0].Against = name, other
		opt.Mix, opt.Dir = opt.Kinds, t.TempDir()
		sum = finished(t, o, opt)
		assert.Equal(t, []OfTarget{{Name: "new", Asked: 6, Right: 4, Wrong: 2}}, sum.Cells.Targets, name)
	}
	opt.Kinds[0].Name, opt.Kinds[0].Against = "cells-against-old", listing{two.cellsTarget, older, false}
	sum = finished(t, o, opt)
	assert.EqualValues(t, 4, sum.Batches, "blocks of each kind are its own")
}
