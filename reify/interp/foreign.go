package interp

import (
	"errors"
	"fmt"
	"strings"

	"goreify/reify/ir"
)

// ErrNoAnswer means that a foreign function was called with arguments for which its
// answer is not known: the call may be undefined. The error is a *NoAnswer.
var ErrNoAnswer = errors.New("no answer is known")

// A NoAnswer is a call of a foreign function that ends a run as undefined
// behaviour does.
type NoAnswer struct {
	Func *ir.Function
	Args []int64
}

// Error names the function and its arguments.
func (n *NoAnswer) Error() string {
	var args []string
	for i, v := range n.Args {
		args = append(args, ir.Scalar(n.Func.Vars[i].Type).Format(v))
	}
	return fmt.Sprintf("@%s(%s): %v", n.Func.Name, strings.Join(args, ", "), ErrNoAnswer)
}

// Unwrap returns ErrNoAnswer.
func (n *NoAnswer) Unwrap() error { return ErrNoAnswer }

// foreign makes a call of a foreign function. It touches no memory of the
// program's, so its order among others does not matter. It takes no fuel: it is a part
// of the visit of a block.
func (m *machine) foreign(e *ir.Call, args []int64) (int64, error) {
	f := e.Func
	depth := m.at.depth + 1
	if depth > m.o.Depth {
		return 0, fmt.Errorf("@%s calls @%s: %w: %d inside each other", m.at.f.Name, f.Name, ErrDepth, depth)
	}
	call := Call{Func: f, Site: e, Depth: depth, Args: args}
	if m.o.Enter != nil {
		m.o.Enter(call)
	}
	a, ok := f.Foreign.Answer(args)
	if !ok && m.o.Answer != nil {
		a.Want, ok = m.o.Answer(f, args)
	}
	if !ok {
		return 0, &NoAnswer{f, args}
	}
	if m.o.Leave != nil {
		call.Value = a.Want
		m.o.Leave(call)
	}
	return a.Want, nil
}
