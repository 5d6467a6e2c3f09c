//go:build cgo && z3

package z3

import (
	"errors"
	"fmt"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/solve"
)

// A Solver asks Z3. It is safe for concurrent use. Its answer does not depend on
// earlier problems: each problem gets a context of its own.
type Solver struct{ opts Options }

var _ solve.Solver = (*Solver)(nil)

// New returns a Solver. It fails if an option is out of its bounds, or with
// ErrUnavailable.
func New(opts Options) (*Solver, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	return &Solver{opts}, nil
}

// Name returns "z3".
func (s *Solver) Name() string { return "z3" }

// Solve returns a model of the path in which every symbol met on it is set. It fails
// with solve.ErrUnsat if no model exists, with solve.ErrUnknown if the budget runs out
// or the path meets a construct that is not encoded, and with another error if the path
// is not one from the function's entry to its exit.
func (s *Solver) Solve(p solve.Problem, stream *choice.Stream) (m *ir.Model, err error) {
	withTerms(func(t *terms) { m, err = s.solve(t, p, stream) })
	return m, err
}

func (s *Solver) solve(t *terms, p solve.Problem, stream *choice.Stream) (*ir.Model, error) {
	var m *ir.Model
	var err error
	for _, stage := range s.opts.stages() {
		e := newEncoder(t, p.Func, stage.symbolBits)
		if stage.pinned {
			e.pins = stream
		}
		if err = e.path(p.Path); err != nil {
			if errors.Is(err, solve.ErrUnsat) && !e.complete {
				err = fmt.Errorf("z3: none with what was drawn (%v): %w", err, solve.ErrUnknown)
				continue
			}
			return nil, err
		}
		if p.Stats != nil {
			p.Stats.Queries++
		}
		m, err = e.check(stage.rlimit)
		if err == nil || errors.Is(err, solve.ErrUnsat) && e.complete {
			return m, err
		}
	}
	return nil, err
}

// A stage is an attempt at a problem.
type stage struct {
	pinned     bool // choose initial values and coefficients at random
	symbolBits int
	rlimit     uint
}

// stages lists the attempts. With coefficients and initial values chosen, the rest of
// the problem is nearly linear. Nearly all problems that are solved are solved here,
// with constants that are not all 0 and 1, the values that Z3 prefers. The last stage
// leaves nothing out; if no model exists, it mostly says so at once.
func (o Options) stages() []stage {
	share := o.RLimit / 4
	if o.SymbolBits >= FullWidth {
		return []stage{{true, FullWidth, o.RLimit - share}, {false, FullWidth, share}}
	}
	return []stage{
		{true, o.SymbolBits, o.RLimit - 2*share},
		{false, o.SymbolBits, share},
		{false, FullWidth, share},
	}
}
