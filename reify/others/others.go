// Package others is the seam of C that others wrote: outside of this folder no package
// imports one below it.
//
//	files, csmith ─csource, pool→ programs with their output ─text→ variants
//	files ─csource, foreign→ functions with their answers ─inject→ programs of ours that call them
//
// For the rest of the house a program is a subject of a source, and a function is an
// ir.Function with a text (ir.Foreign): a table answers its calls, and writers of C copy
// the text. This package opens pools and databases, makes their sources, has compilers
// judge what is added, and cuts text for reductions.
package others

import (
	"errors"
	"fmt"

	"goreify/reify/ir"
	"goreify/reify/others/foreign"
	"goreify/reify/others/pool"
)

// PoolFile and FunctionsFile are where programs and functions are, unless other files are
// named.
const (
	PoolFile      = "out/pool.db"
	FunctionsFile = "out/functions.db"
)

// Files are the databases that sources draw from.
type Files struct{ Pool, Functions string }

// Take makes a file the one of its kind: a pool of programs, or a database of functions.
func (f *Files) Take(path string) error {
	p, err := pool.Read(path)
	if err == nil {
		f.Pool = path
		return p.Close()
	}
	d, wrong := foreign.Read(path)
	if wrong != nil {
		return fmt.Errorf("%s is neither a pool nor a database of functions: %w", path, errors.Join(err, wrong))
	}
	f.Functions = path
	return d.Close()
}

// Check returns an error if a program breaks an invariant, or if the text of one of its
// functions of others may not stand beside anything else.
func Check(p *ir.Program) error { return foreign.CheckProgram(p) }
