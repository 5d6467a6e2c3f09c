package llvm

import (
	"errors"
	"fmt"

	"goreify/reify/emit/frame"
	"goreify/reify/ir"
)

// ErrUnsupported says that a function has a node that cannot be written. It comes wrapped,
// with the node.
var ErrUnsupported = errors.New("cannot be written in LLVM IR")

// Supports returns nil if Emit writes functions such as f, with all that it calls, else an
// error that wraps ErrUnsupported and names the node: the text of functions of others.
func Supports(f *ir.Function) error {
	return frame.Supports(f, func(f *ir.Function) error {
		if f.Foreign != nil {
			return fmt.Errorf("@%s: its text in C: %w", f.Name, ErrUnsupported)
		}
		return nil
	})
}

