// Package observe finds out which values the variables of a function have, by running
// its cases. A change to a function that must keep the answers of its cases rests on
// these values. Package link replaces a 4 by %a + 2 where %a is always 2. Package
// mutate puts code behind conditions that hold at every visit.
//
//	func @f(%a i32) i32 {                     points of f: 0 to 3
//	    local %i i32 = 0
//	  entry:
//	    goto b1                               0: %a = 7, %i = 0
//	  b1:
//	    %i = %i + 1                           1: %a = 7, %i = 0, 1
//	    if %i < 2 goto b1 else exit           2: %a = 7, %i = 1, 2
//	  exit:
//	    return %a                             3: %a = 7, %i = 2
//	}
//	case f(a = 7) = 7 path entry b1 b1 exit
//
// Values returns the variables whose value is always the same at each point, here %a at
// all points. Rows returns the values at one point visit by visit. Adjust makes an
// expression of a value that is known.
package observe

import (
	"fmt"
	"slices"

	"goreify/reify/interp"
	"goreify/reify/ir"
)

// A Value is the value that a scalar variable has each time a point is reached.
type Value struct {
	Of *ir.Var
	V  int64 // as in ir.Const
}

// A Tracer runs cases of a function and finds which scalar variables have the
// same value every time a point is reached. Points are the statements and the
// terminators, block by block.
type Tracer struct {
	// Chosen, if not nil, is called as interp.Options.Chosen is.
	Chosen func(ir.Expr)
	// History records the runs, which Rows needs.
	History bool

	f        *ir.Function
	followed []bool // by variable: it is a scalar and not volatile
	first    []int  // by block: its first point
	points   int
	rows     []fact // by point and variable
	now      []fact // by variable, while a case runs

	log []event // of all runs, one after another
	all []fact  // by run and variable: the values at the start
}

// An event is a visit of a point, with the stores of its statement to variables that
// are followed.
type event struct {
	point  int
	stores []Value
	ends   bool // the point is the last of the run
}

// A fact is the knowledge about the value of a variable.
type fact struct {
	v    int64
	kind factKind
}

type factKind uint8

const (
	unseen  factKind = iota
	same             // always v
	differs          // not always the same, or not known
)

// New returns a Tracer of a function that has run no case yet.
func New(f *ir.Function) *Tracer {
	t := &Tracer{f: f, first: make([]int, len(f.Blocks)), now: make([]fact, len(f.Vars)), followed: make([]bool, len(f.Vars))}
	for i, b := range f.Blocks {
		t.first[i] = t.points
		t.points += len(b.Stmts) + 1
	}
	for i, v := range f.Vars {
		_, scalar := v.Type.(ir.Int)
		t.followed[i] = scalar && !v.Volatile
	}
	t.rows = make([]fact, t.points*len(f.Vars))
	return t
}

// Run runs a case and returns the number of visits of each block. The error is not nil
// if the run is not as the case says.
func (t *Tracer) Run(c *ir.Claim) ([]int, error) {
	for i, v := range t.f.Vars {
		t.now[i] = fact{kind: differs}
		if !t.followed[i] {
			continue
		}
		switch {
		case v.Kind == ir.Param:
			if i < len(c.Args) {
				t.now[i] = fact{c.Args[i], same}
			}
		case v.Init != nil:
			if k, ok := v.Init[0].(*ir.Const); ok {
				t.now[i] = fact{k.V, same}
			}
		case v.Kind != ir.Local:
			t.now[i] = fact{0, same}
		}
	}
	if t.History {
		t.all = append(t.all, t.now...)
	}
	visits := make([]int, len(t.f.Blocks))
	step, k := -1, 0
	r, err := interp.Run(t.f, c.Args, interp.Options{Fuel: len(c.Path) + 1, Chosen: t.Chosen, Trace: func(e interp.Event) {
		if e.Step != step {
			step, k = e.Step, 0
			visits[e.Block.Index]++
		}
		reached := event{point: t.first[e.Block.Index] + k, ends: e.To == nil && e.Stmt == nil}
		t.reach(reached.point)
		k++
		for _, s := range e.Stores {
			if i := s.Var.Index; t.followed[i] {
				t.now[i] = fact{s.Value, same}
				if t.History {
					reached.stores = append(reached.stores, Value{s.Var, s.Value})
				}
			}
		}
		if t.History {
			t.log = append(t.log, reached)
		}
	}})
	if err != nil {
		return nil, err
	}
	if !slices.Equal(r.Path, c.Path) || r.Value != c.Want {
		return nil, fmt.Errorf("@%s returns %d by way of %v, the case says %d and %v", t.f.Name, r.Value, r.Path, c.Want, c.Path)
	}
	return visits, nil
}

// reach notes the values at a point that is reached.
func (t *Tracer) reach(point int) {
	n := len(t.f.Vars)
	row := t.rows[point*n : (point+1)*n]
	for i, now := range t.now {
		switch {
		case row[i].kind == unseen:
			row[i] = now
		case row[i] != now:
			row[i].kind = differs
		}
	}
}

// Values returns by point the variables whose value is always the same.
func (t *Tracer) Values() [][]Value {
	n := len(t.f.Vars)
	all := make([][]Value, t.points)
	for p := range all {
		for i, fact := range t.rows[p*n : (p+1)*n] {
			if fact.kind == same {
				all[p] = append(all[p], Value{t.f.Vars[i], fact.v})
			}
		}
	}
	return all
}

// First returns the point of the first statement of a block, or of its terminator if it
// has no statements. The points of the other statements and of the terminator follow.
func (t *Tracer) First(b *ir.Block) int { return t.first[b.Index] }

// Points returns the number of points.
func (t *Tracer) Points() int { return t.points }

// A Row is the values of the variables of a function at a visit of a point, by index.
type Row []Cell

// A Cell is the value of a variable; only a scalar that is not volatile has a known
// one.
type Cell struct {
	V     int64
	Known bool
}

// Rows returns a row for each visit of a point in all runs so far. History must have
// been set before them.
func (t *Tracer) Rows(point int) []Row {
	n := len(t.f.Vars)
	var rows []Row
	now := make(Row, n)
	run := 0
	begin := func() {
		for i := range now {
			f := t.all[run*n+i]
			now[i] = Cell{f.v, f.kind == same}
		}
		run++
	}
	for i, e := range t.log {
		if i == 0 || t.log[i-1].ends {
			begin()
		}
		if e.point == point {
			rows = append(rows, slices.Clone(now))
		}
		for _, s := range e.stores {
			now[s.Of.Index] = Cell{s.V, true}
		}
	}
	return rows
}
