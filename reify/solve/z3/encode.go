//go:build cgo && z3

package z3

import (
	"fmt"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/solve"
)

// An encoder turns a path through a function into constraints. Its methods are called
// in the order of execution; they require the conditions of the path.
type encoder struct {
	memory
	f          *ir.Function
	symbolBits int            // the largest magnitude of coefficients
	pins       *choice.Stream // chooses coefficients and initial values, if not nil

	args     []value
	syms     []symbol // by symbol ID
	complete bool     // no value of any symbol has been left out
}

// A symbol is the value of a symbol, once its statement has been met.
type symbol struct {
	value
	met bool
}

func newEncoder(t *terms, f *ir.Function, symbolBits int) *encoder {
	return &encoder{
		memory:     memory{newArithmetic(t), make([][]cell, len(f.Vars))},
		f:          f,
		symbolBits: symbolBits,
		syms:       make([]symbol, f.Syms),
		complete:   true,
	}
}

// path encodes the whole path. It fails with solve.ErrUnsat if the path is undefined
// for all values of the symbols, and with other errors if it is not a path through the
// function.
func (e *encoder) path(path []int) error {
	if len(path) == 0 || path[0] != 0 {
		return fmt.Errorf("z3: path of %s does not start at its entry", e.f.Name)
	}
	for _, r := range e.f.Types {
		if r.Cast {
			return notEncoded("unions by which bits are cast are")
		}
	}
	for _, v := range e.f.Vars {
		if err := e.declare(v); err != nil {
			return err
		}
	}
	for _, b := range e.f.Blocks {
		if t, ok := b.Term.(*ir.Switch); ok {
			e.labels(t)
		}
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

func (e *encoder) statements(b *ir.Block) error {
	for _, s := range b.Stmts {
		if err := e.statement(s); err != nil {
			return err
		}
	}
	return nil
}

func (e *encoder) statement(s ir.Stmt) error {
	switch s := s.(type) {
	case *ir.Assign:
		return e.assign(s)
	case *ir.Overflow:
		return e.checked(s)
	case *ir.Transfer, *ir.Fill:
		return notEncoded("memcpy and its like are")
	case *ir.Unreachable:
		return fmt.Errorf("what is unreachable is reached: %w", solve.ErrUnsat)
	case *ir.Assume:
		c, err := e.condition(s.Cond)
		if err != nil {
			return err
		}
		e.require(c)
		return nil
	}
	panic(fmt.Sprintf("z3: unknown statement %T", s))
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
	case *ir.Switch:
		for _, to := range t.Targets() {
			if to.Index == next {
				return e.switched(t, next)
			}
		}
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
		for i, c := range e.cells[v.Index] {
			if _, pointer := ir.Cell(v.Type, i).(ir.Pointer); pointer || !first(v.Type, i) {
				continue
			}
			if _, err := e.read(v, c); err != nil {
				return err
			}
		}
	}
	return nil
}
