// Package grid draws what a hunt knows of the cells of a matrix: for each target the
// operations by the types, and the pairs of operations that follow each other, a coloured
// square each, and a page that leads from a wrong square to the finding.
//
//	hunt.db ─hunt.ReadCells→ Build ─squares→ SVG, page ─Write→ DIR/matrix/
package grid

import (
	"maps"
	"slices"
	"strings"

	"goreify/reify/source/matrix"
	"goreify/tools/reify/hunt"
)

// A State is what is known of a square: of its cells the one that comes last in this order.
type State int

// The states.
const (
	NotAsked State = iota
	NotMade        // the language cannot write the cells, or no inputs are known
	Same           // the compiler that it is compared with makes the same code
	Right
	NoAnswer // for sure
	Rejected
	ByKey // wrong, and a finding has the same operations and classes of types, or a part of these
	Wrong
	Unexplained // wrong, and no finding says why
)

var states = [...]struct{ name, colour string }{
	{"not asked yet", "#ffffff"}, {"not made", "#c4c4c4"}, {"same code", "#c9dcf0"}, {"right", "#8fcf8f"}, {"no answer", "#8c8c8c"},
	{"rejected", "#f2d024"}, {"wrong, by its key", "#f19c8c"}, {"wrong", "#d62728"}, {"wrong, unexplained", "#6b0f5a"},
}

// String returns words for the state.
func (s State) String() string { return states[s].name }

// A Square is an operation on a type, or a pair of operations.
type Square struct {
	State   State
	Finding string // one that explains a wrong cell, if it is saved
}

// A Table is squares with the words of their rows and columns, in the order in which these
// are shown. Where no cell could be there is no square.
type Table struct {
	Rows, Columns []string
	Squares       map[[2]string]Square
}

// A Grid is the tables of a target.
type Grid struct {
	Target  string
	Singles Table // operation by type
	Pairs   Table // operation by the operation on its result
}

// A Bug is a finding with the cells that it explains.
type Bug struct {
	Finding string
	Targets []string
	// Cells are those that were looked into, and ByKey those that were not: see
	// hunt.OfTarget. Each is named once, in the order in which they were asked.
	Cells, ByKey []string
}

// A Report is all that is shown.
type Report struct {
	Grids []Grid
	Bugs  []Bug
}

// Build reads the cells of the hunt in a directory. There may be none.
func Build(dir string) (*Report, error) {
	asked, failed, err := hunt.ReadCells(dir)
	if err != nil || len(asked) == 0 {
		return nil, err
	}
	b := builder{grids: map[string]*Grid{}, bad: map[place]hunt.FailedCell{}, named: map[naming]bool{}, known: map[string][]matrix.Source{}}
	for _, f := range failed {
		b.fail(f)
	}
	for _, a := range asked {
		if err := b.add(a); err != nil {
			return nil, err
		}
	}
	return b.finish(), nil
}

// A place is a cell of a target, in a batch.
type place struct {
	batch        int64
	cell, target string
}

// A naming is that of a cell in a bug.
type naming struct {
	finding, cell string
	seen          bool
}

// A builder makes grids of what it is told.
type builder struct {
	grids map[string]*Grid          // by target
	bad   map[place]hunt.FailedCell // the worst of its modes
	bugs  []Bug
	named map[naming]bool
	known map[string][]matrix.Source // that the targets are asked about
}

// stateOf returns the state that a failed cell has.
func stateOf(f hunt.FailedCell) State {
	switch {
	case f.Target == "":
		return NotMade
	case f.NoAnswer:
		return NoAnswer
	case f.Rejected:
		return Rejected
	case !f.Explained:
		return Unexplained
	case !f.Seen:
		return ByKey
	}
	return Wrong
}

// fail notes a cell that did not come out right.
func (b *builder) fail(f hunt.FailedCell) {
	at := place{f.Batch, f.Cell, f.Target}
	if before, ok := b.bad[at]; !ok || stateOf(f) > stateOf(before) {
		b.bad[at] = f
	}
	if f.Finding == "" {
		return
	}
	i := slices.IndexFunc(b.bugs, func(bug Bug) bool { return bug.Finding == f.Finding })
	if i < 0 {
		i = len(b.bugs)
		b.bugs = append(b.bugs, Bug{Finding: f.Finding})
	}
	bug := &b.bugs[i]
	if n := (naming{f.Finding, f.Cell, f.Seen}); !b.named[n] {
		b.named[n] = true
		if f.Seen {
			bug.Cells = append(bug.Cells, f.Cell)
		} else {
			bug.ByKey = append(bug.ByKey, f.Cell)
		}
	}
	if !slices.Contains(bug.Targets, f.Target) {
		bug.Targets = append(bug.Targets, f.Target)
	}
}

// add enters the cells of a batch.
func (b *builder) add(a hunt.AskedBlock) error {
	of, err := matrix.SourceOf(a.Input)
	if err != nil {
		return err
	}
	names, err := of.Cells(a.Input)
	if err != nil {
		return err
	}
	for _, name := range names {
		cell, err := matrix.Parse(name)
		if err != nil {
			return err
		}
		_, unmade := b.bad[place{a.Batch, name, ""}]
		for _, t := range a.Targets {
			s := Square{State: Right}
			f, bad := b.bad[place{a.Batch, name, t.Name}]
			switch {
			case bad:
				s = Square{stateOf(f), f.Finding}
			case unmade:
				s.State = NotMade
			case t.Only != nil && !t.Only[name]:
				s.State = Same
			}
			b.grid(t.Name, of).enter(cell, s)
		}
	}
	return nil
}

// grid returns the grid of a target, with the squares of all that a source would ask.
func (b *builder) grid(target string, of matrix.Source) *Grid {
	g := b.grids[target]
	if g == nil {
		g = &Grid{target, Table{Squares: map[[2]string]Square{}}, Table{Squares: map[[2]string]Square{}}}
		b.grids[target] = g
	}
	if !slices.Contains(b.known[target], of) {
		b.known[target] = append(b.known[target], of)
		for _, c := range of.Places() {
			g.enter(c, Square{})
		}
	}
	return g
}

// enter enters a cell: a single operation by its type, and of a composition each pair of
// steps.
func (g *Grid) enter(c matrix.Cell, s Square) {
	steps := strings.Split(c.Operation(), "+")
	if len(steps) == 1 {
		g.Singles.enter(steps[0], c.Type(), s)
	}
	for i := range steps[1:] {
		g.Pairs.enter(steps[i], steps[i+1], s)
	}
}

func (t *Table) enter(row, column string, s Square) {
	at := [2]string{row, column}
	if before, ok := t.Squares[at]; !ok || s.State > before.State || s.State == before.State && before.Finding == "" {
		t.Squares[at] = s
	}
}

// finish returns what has been built, in the order of targets and of what is alike.
func (b *builder) finish() *Report {
	r := &Report{Bugs: b.bugs}
	for i, bug := range r.Bugs {
		r.Bugs[i].ByKey = slices.DeleteFunc(bug.ByKey, func(cell string) bool { return b.named[naming{bug.Finding, cell, true}] })
	}
	operations, types := matrix.Axes()
	for _, target := range slices.Sorted(maps.Keys(b.grids)) {
		g := b.grids[target]
		g.Singles.trim(operations, types)
		g.Pairs.trim(operations, operations)
		r.Grids = append(r.Grids, *g)
	}
	return r
}

// trim leaves those rows and columns that have squares. Those that are in neither list, as
// cells that were named have any type, come last.
func (t *Table) trim(rows, columns []string) {
	used := [2]map[string]bool{{}, {}}
	for at := range t.Squares {
		used[0][at[0]], used[1][at[1]] = true, true
	}
	of := func(all []string, used map[string]bool) []string {
		more := slices.DeleteFunc(slices.Sorted(maps.Keys(used)), func(w string) bool { return slices.Contains(all, w) })
		return append(slices.DeleteFunc(slices.Clone(all), func(w string) bool { return !used[w] }), more...)
	}
	t.Rows, t.Columns = of(rows, used[0]), of(columns, used[1])
}
