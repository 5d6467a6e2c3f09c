//go:build cgo && !noz3

package z3

import (
	"fmt"

	"github.com/aclements/go-z3/z3"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/solve"
)

// An encoder turns a path through a function into constraints. Its methods are
// called in the order of execution; what they require is what the path needs.
type encoder struct {
	*terms
	f          *ir.Function
	symbolBits int            // at most so many for coefficients
	pins       *choice.Stream // chooses coefficients and initial values, if not nil

	args      []value
	syms      []symbol              // by symbol ID
	cells     [][]cell              // by variable, a cell for each scalar
	fitted    map[uint64]z3.BV      // by the term fitted; looked up only
	divisions map[dividing]division // looked up only

	formula  []z3.Bool
	complete bool // no value of any symbol has been left out
}

// A symbol is what a symbol stands for, once its statement has been met.
type symbol struct {
	value
	met bool
}

// A cell is a scalar of a variable.
type cell struct {
	value
	state state
	set   z3.Bool // whether it has been assigned to, if state is perhaps
}

// A state says whether a scalar has a value.
type state int

const (
	unset   state = iota
	perhaps       // a variable index decides
	set
)

func newEncoder(t *terms, f *ir.Function, symbolBits int) *encoder {
	return &encoder{
		terms:      t,
		f:          f,
		symbolBits: symbolBits,
		syms:       make([]symbol, f.Syms),
		cells:      make([][]cell, len(f.Vars)),
		fitted:     make(map[uint64]z3.BV),
		divisions:  make(map[dividing]division),
		complete:   true,
	}
}

// path encodes the whole path. It fails with solve.ErrUnsat if the path is
// undefined whatever the symbols are, and with other errors if it is no path
// through the function.
func (e *encoder) path(path []int) error {
	if len(path) == 0 || path[0] != 0 {
		return fmt.Errorf("z3: path of %s does not start at its entry", e.f.Name)
	}
	if err := e.followed(); err != nil {
		return err
	}
	for i, v := range e.f.Vars {
		e.declare(i, v)
	}
	at := e.f.Blocks[0]
	for _, next := range path[1:] {
		if err := e.statements(at); err != nil {
			return err
		}
		if err := e.jump(at, next); err != nil {
			return err
		}
		at = e.f.Blocks[next]
	}
	ret, ok := at.Term.(*ir.Return)
	if !ok {
		return fmt.Errorf("z3: path of %s ends in %s, which does not return", e.f.Name, at.Name)
	}
	if err := e.statements(at); err != nil {
		return err
	}
	return e.ret(ret)
}

// declare is the rules LOC-VAR and DECLARE.
func (e *encoder) declare(i int, v *ir.Var) {
	t := ir.Scalar(v.Type)
	cells := make([]cell, ir.Count(v.Type))
	for j := range cells {
		switch {
		case v.Kind == ir.Param:
			arg := value{t, e.free(fmt.Sprintf("p%d", i), t.Bits), t.Bits}
			e.args = append(e.args, arg)
			cells[j] = cell{value: arg, state: set}
		case v.Init != nil:
			cells[j] = cell{value: e.initial(v.Init[j]), state: set}
		case v.Kind == ir.Global || v.Kind == ir.Static:
			cells[j] = cell{value: e.constant(t, 0), state: set}
		}
	}
	e.cells[i] = cells
}

// followed returns an error if the function has what is not encoded.
func (e *encoder) followed() error {
	for x := range e.f.Exprs() {
		switch (*x).(type) {
		case *ir.Call:
			return fmt.Errorf("z3: %s makes calls, which are not encoded: %w", e.f.Name, solve.ErrUnknown)
		case *ir.Checksum:
			if r, ok := e.f.Blocks[len(e.f.Blocks)-1].Term.(*ir.Return); !ok || x != &r.Val {
				return fmt.Errorf("z3: %s assigns a checksum, which is not encoded: %w", e.f.Name, solve.ErrUnknown)
			}
		}
	}
	return nil
}

func (e *encoder) initial(x ir.Expr) value {
	switch x := x.(type) {
	case *ir.Const:
		return e.constant(x.T, x.V)
	case *ir.Sym:
		return e.symbol(x, initial)
	}
	panic(fmt.Sprintf("z3: %T is no initialiser", x))
}

func (e *encoder) statements(b *ir.Block) error {
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *ir.Assign: // the rule ASSIGN
			v, err := e.expr(s.Src)
			if err != nil {
				return err
			}
			if err := e.store(s.Dst, v); err != nil {
				return err
			}
		default:
			panic(fmt.Sprintf("z3: unknown statement %T", s))
		}
	}
	return nil
}

// jump is the rules ABS-JMP and CON-JMP.
func (e *encoder) jump(b *ir.Block, next int) error {
	switch t := b.Term.(type) {
	case *ir.Goto:
		if t.To.Index == next {
			return nil
		}
	case *ir.If:
		if t.Then.Index != next && t.Else.Index != next {
			break
		}
		c, err := e.condition(t.Cond)
		if err != nil {
			return err
		}
		if t.Else.Index == next {
			c = e.not(c)
		}
		e.require(c)
		return nil
	case *ir.Return:
	default:
		panic(fmt.Sprintf("z3: unknown terminator %T", t))
	}
	return fmt.Errorf("z3: path of %s goes from %s to block %d, which does not follow it", e.f.Name, b.Name, next)
}

// ret is the rule RETURN. A checksum requires of its variables only that they
// have been initialised: any value of it will do.
func (e *encoder) ret(t *ir.Return) error {
	sum, ok := t.Val.(*ir.Checksum)
	if !ok {
		_, err := e.expr(t.Val)
		return err
	}
	for _, v := range sum.Of {
		for _, c := range e.cells[v.Index] {
			if _, err := e.read(v, c); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *encoder) require(c z3.Bool) { e.formula = append(e.formula, c) }
