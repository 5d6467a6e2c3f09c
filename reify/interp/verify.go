package interp

import (
	"errors"
	"fmt"

	"goreify/reify/ir"
)

// A Mismatch says where a run first differs from a case.
type Mismatch struct {
	Func string
	// Step is the index into Case.Path of the first block visit that differs,
	// or -1 if the path is right and the value returned is not.
	Step int
	// Want and Got are the names of the blocks visited, or the returned values. Where a
	// path has ended the name is "no block".
	Want, Got string
}

// Error says in one line what differs.
func (m *Mismatch) Error() string {
	if m.Step < 0 {
		return fmt.Sprintf("@%s returns %s, the case says %s", m.Func, m.Got, m.Want)
	}
	return fmt.Sprintf("@%s visits %s at step %d, the case says %s", m.Func, m.Got, m.Step, m.Want)
}

// Verify runs a case. It returns nil if the function visits the blocks of the path one
// by one, meets no undefined behaviour, and returns what the case says, or traps as it
// says. If not, the error is a *Mismatch, a *UB, a *Trap, or wraps ErrSymbol, ErrFuel,
// ErrDepth or ErrArgs. A run that leaves the path is a *Mismatch even if it meets
// undefined behaviour later. The run is given up once it is longer than the path, so an
// endless loop costs nothing.
func Verify(c *ir.Claim) error {
	got, err := run(c.Func, c.Args, Options{Under: c.Under}, len(c.Path)+1)
	return judge(c, got, err)
}

// VerifyProgram makes the calls of all cases of p, one after the other in one program
// as RunProgram does, and judges each as Verify does. It returns the error of the first
// case that is wrong, or nil if all are right.
func VerifyProgram(p *ir.Program) error {
	got, err := runProgram(p, Options{}, func(c *ir.Claim) int { return len(c.Path) + 1 })
	if len(got) == 0 {
		return err
	}
	for i, r := range got {
		var of error
		if i == len(got)-1 {
			of = err
		}
		if err := judge(p.Claims[i], r, of); err != nil {
			return fmt.Errorf("case %d: %w", i, err)
		}
	}
	return nil
}

// judge returns nil if a run that ended with err is as its case says.
func judge(c *ir.Claim, got *Result, err error) error {
	f := c.Func
	if errors.Is(err, ErrArgs) {
		return err
	}
	for i := range max(len(c.Path), len(got.Path)) {
		if i == len(got.Path) && err != nil {
			break // it failed on the path: err tells more
		}
		if i >= len(c.Path) || i >= len(got.Path) || c.Path[i] != got.Path[i] {
			return &Mismatch{f.Name, i, visit(f, c.Path, i), visit(f, got.Path, i)}
		}
	}
	if trap := new(Trap); errors.As(err, &trap) && trap.Kind == c.Trap && len(got.Path) == len(c.Path) {
		return nil
	}
	if err != nil {
		return err
	}
	if c.Trap != "" {
		return &Mismatch{f.Name, -1, c.Answer(), f.Result.Format(got.Value)}
	}
	if got.Value != c.Want {
		t := f.Result
		return &Mismatch{f.Name, -1, t.Format(c.Want), t.Format(got.Value)}
	}
	return nil
}

// visit names the block of f that path visits at step i.
func visit(f *ir.Function, path []int, i int) string {
	if i >= len(path) {
		return "no block"
	}
	if b := path[i]; 0 <= b && b < len(f.Blocks) {
		return "block " + f.Blocks[b].Name
	}
	return fmt.Sprintf("block number %d", path[i])
}
