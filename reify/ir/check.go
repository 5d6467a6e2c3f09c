package ir

import (
	"errors"
	"fmt"
	"slices"
)

// Check returns an error if a function or a case of the program breaks an
// invariant. The functions are valid, have different names, and call each other
// only. Each case belongs to one of them; its arguments and its result are values
// of their types; its path leads from the entry to the exit along edges.
func (p *Program) Check() error {
	names := make(map[string]bool, len(p.Funcs))
	records := make(map[*Record]bool)
	funcs := make(map[*Function]bool, len(p.Funcs))
	for i, f := range p.Funcs {
		if f == nil {
			return fmt.Errorf("function %d is missing", i)
		}
		if err := Check(f); err != nil {
			return err
		}
		if names[f.Name] {
			return fmt.Errorf("function @%s: another one has the same name", f.Name)
		}
		names[f.Name], funcs[f] = true, true
		for _, r := range f.Types {
			if records[r] {
				return fmt.Errorf("function @%s: record %s is one of another function, too", f.Name, r)
			}
			records[r] = true
		}
	}
	for _, f := range p.Funcs {
		for call := range f.Calls() {
			if !funcs[call.Func] {
				return fmt.Errorf("function @%s: calls @%s, which is not one of the program", f.Name, call.Func.Name)
			}
		}
	}
	for i, c := range p.Claims {
		if c == nil || !funcs[c.Func] {
			return fmt.Errorf("case %d: function is not one of the program", i)
		}
		if err := c.check(); err != nil {
			return fmt.Errorf("case %d of @%s: %w", i, c.Func.Name, err)
		}
	}
	return nil
}

func (c *Claim) check() error {
	f := c.Func
	params := f.Params()
	if len(c.Args) != len(params) {
		return fmt.Errorf("%d arguments for %d parameters", len(c.Args), len(params))
	}
	for i, v := range params {
		if t := paramInt(v); !t.Holds(c.Args[i]) {
			return fmt.Errorf("argument %s = %d does not fit %s", v.Name, c.Args[i], t)
		}
	}
	if !f.Result.Holds(c.Want) {
		return fmt.Errorf("result %d does not fit %s", c.Want, f.Result)
	}
	return c.checkEnd()
}

// CheckPath returns an error unless path, which holds indices into f.Blocks,
// leads from the entry to the exit of f, each block being a successor of the
// one before. f must be valid.
func (f *Function) CheckPath(path []int) error {
	if err := f.checkSteps(path); err != nil {
		return err
	}
	if path[len(path)-1] != len(f.Blocks)-1 {
		return errors.New("path: does not end at the exit")
	}
	return nil
}

// checkSteps is CheckPath for a path that may end anywhere.
func (f *Function) checkSteps(path []int) error {
	for i, at := range path {
		if at < 0 || at >= len(f.Blocks) {
			return fmt.Errorf("path: step %d: there is no block %d", i, at)
		}
	}
	if len(path) == 0 || path[0] != 0 {
		return errors.New("path: does not begin at the entry")
	}
	for i, at := range path[1:] {
		from, to := f.Blocks[path[i]], f.Blocks[at]
		ok := false
		switch t := from.Term.(type) {
		case *Goto:
			ok = t.To == to
		case *If:
			ok = t.Then == to || t.Else == to
		case *Switch:
			ok = slices.Contains(t.Targets(), to)
		case *Return:
		default:
			panic(unknown(t))
		}
		if !ok {
			return fmt.Errorf("path: step %d: no edge from %s to %s", i+1, from.Name, to.Name)
		}
	}
	return nil
}

// Check returns an error if f breaks an invariant, and says which and where:
//
//   - names are C identifiers, not reserved, and unique among the variables, the
//     blocks, the records or the members of one; Index fields are right; sizes
//     are within the bounds at MaxScalars;
//   - a record has members, and follows those that it is made of; pointers may
//     point to any record of the function; a bit-field is no wider than its
//     type, a vector has 2 to 64 lanes;
//   - parameters come first, are integers and have no initialiser; initialisers
//     are as Var says; what is const has one and is not assigned to;
//   - the entry has no predecessors; the exit is the last block and the only
//     one that returns; the targets of an If differ; the labels of a Switch that
//     are constants share no value;
//   - types agree; operands of operators have at least 32 bits, and those of
//     vectors have one type, and lanes in which anything may be are neither
//     operands of what is Unsafe nor assigned; places of the right kind are loaded and assigned,
//     arrays and vectors are indexed, records have members; builtins have the
//     arguments that Fn says; constants are values of their types;
//   - a type that is not Standard is that of a bit-field, of what is assigned to
//     one, or of its initial value;
//   - bit-fields and lanes have no address;
//   - a Checksum is the operand of a Return or the source of an Assign;
//   - a call has an argument for each of the callee's parameters, of its type;
//   - a foreign function is as Foreign says, and its answers are values of their types;
//   - variables, records and targets belong to f; a symbol is in [0, Syms) and
//     stands in one place.
func Check(f *Function) error {
	c := &checker{fn: f}
	if err := c.function(); err != nil {
		return fmt.Errorf("function @%s: %w", f.Name, err)
	}
	return nil
}
