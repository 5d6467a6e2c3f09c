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
