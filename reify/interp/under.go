package interp

import (
	"fmt"
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// semantics are the rules of a language that defines more than C does. Operations that
// they leave undefined are a *UB as in C: then the run has no answer in that language.
type semantics struct {
	// binary computes x op y in t, for all operators except comparisons, or returns a
	// trap.
	binary func(op ir.Op, t ir.Int, x, y int64) (int64, ir.Trap)
	// traps are those that some kinds of undefined behaviour end in.
	traps map[Kind]ir.Trap
	// unordered says that operands may be evaluated in any order as far as traps go, so
	// that a statement which could trap in two ways has no answer.
	unordered bool
	// saturates says that a conversion of a floating-point number to a signed type of 32
	// or 64 bits which does not hold it gives the nearest value that the type holds.
	saturates bool
}

// The semantics besides that of C.
const (
	Go   ir.Under = "go"
	Wasm ir.Under = "wasm"
	JVM  ir.Under = "jvm"
)

// under are the rules of these. In all of them integers wrap, clz and ctz of 0 are the
// width, abs of the smallest value is itself, and locals start at zero.
var under = map[ir.Under]*semantics{
	Go:   &goRules,
	Wasm: &wasmRules,
	JVM:  &jvmRules,
}

// rulesOf returns semantics by their name: nil for C's.
func rulesOf(u ir.Under) (*semantics, error) {
	s, ok := under[u]
	if !ok && u != ir.C {
		return nil, fmt.Errorf("interp: unknown semantics %q", u)
	}
	return s, nil
}

// A Trap is the defined end of a run in which C would meet undefined behaviour.
type Trap struct {
	Kind   ir.Trap
	Func   string // name of the function, without sigil
	Block  string // name of the block, or "" while variables are initialised
	Stmt   string // the statement or terminator, or "" outside of them
	Step   int    // index into the path of this call of Func
	Detail string
}

// Error says in one line what happened and where.
func (t *Trap) Error() string {
	var s strings.Builder
	fmt.Fprintf(&s, "trap: %s: %s: in @%s", t.Kind, t.Detail, t.Func)
	if t.Block != "" {
		fmt.Fprintf(&s, " block %s (step %d)", t.Block, t.Step)
	}
	if t.Stmt != "" {
		fmt.Fprintf(&s, ": %s", t.Stmt)
	}
	return s.String()
}

// wrong returns the consequence of undefined behaviour under the rules of the run: a
// *Trap or a *UB.
func (at *frame) wrong(k Kind, format string, args ...any) error {
	u := at.ub(k, format, args...)
	if at.rules != nil {
		if trap, ok := at.rules.traps[k]; ok {
			return at.trap(trap, u)
		}
	}
	return u
}

// trap returns a trap at the place where the run is.
func (at *frame) trap(kind ir.Trap, u *UB) error {
	if at.rules.unordered && (at.block == nil || len(trapping(at.node, map[string]bool{})) > 1) {
		u.Kind = UnspecifiedOrder
		u.Detail += ", beside what may trap as well"
		return u
	}
	return &Trap{kind, u.Func, u.Block, u.Stmt, u.Step, u.Detail}
}

// binaryUnder is binary under other rules than C's.
func (at *frame) binaryUnder(op ir.Op, t ir.Int, x, y int64) (int64, error) {
	v, trap := at.rules.binary(op, t, x, y)
	if trap != "" {
		return 0, at.trap(trap, at.ub(DivisionByZero, "%s %s %s in %s", t.Format(x), op, t.Format(y), t))
	}
	return v, nil
}

// trapping adds to a set the ways in which a node may trap.
func trapping(n ir.Node, set map[string]bool) map[string]bool {
	switch n := n.(type) {
	case nil:
		return set
	case *ir.If:
		return trapping(n.Cond, set)
	case *ir.Switch:
		return trapping(n.X, set)
	case *ir.Return:
		return trapping(n.Val, set)
	case *ir.Goto:
		return set
	case *ir.Binary:
		if !ir.IsInt(n) || n.Of() != ir.Integers {
			break
		}
		switch c, _ := n.Y.(*ir.Const); {
		case n.Op.Divides() && (c == nil || c.V == 0):
			set["division"] = true
		case n.Op.Shifts() && ir.IntOf(n.Y).Signed && (c == nil || c.V < 0):
			set["shift"] = true
		}
	case *ir.Elem:
		a, ok := n.Base.Type().(ir.Array)
		if c, _ := n.Index.(*ir.Const); !ok || c == nil || uint64(c.V) >= uint64(a.Len) {
			set["index"] = true
		}
	case *ir.Deref:
		set["pointer"] = true
	case *ir.Convert:
		if _, ok := n.T.(ir.Int); ok && ir.FamilyOf(n.X) == ir.Floats {
			set["conversion"] = true
		}
	case *ir.Unreachable, *ir.Assume:
		set["unreachable"] = true
	case *ir.Call:
		set["call "+strconv.Itoa(len(set))] = true
	}
	ir.Parts(n, func(part ir.Node) bool {
		trapping(part, set)
		return true
	})
	return set
}

// wraps computes the operators that all languages except C define alike: sums,
// differences and products modulo 2^Bits, and operators on bits other than shifts.
func wraps(op ir.Op, t ir.Int, x, y int64) (int64, bool) {
	switch op {
	case ir.Add:
		return convert(t, x+y), true
	case ir.Sub:
		return convert(t, x-y), true
	case ir.Mul:
		return convert(t, x*y), true
	case ir.And:
		return x & y, true
	case ir.Or:
		return x | y, true
	case ir.Xor:
		return x ^ y, true
	}
	return 0, false
}

// shifted computes x op y for a count within the width.
func shifted(op ir.Op, t ir.Int, x, y int64) int64 {
	switch {
	case op == ir.Shl:
		return convert(t, x<<y)
	case t.Signed:
		return x >> y
	}
	return int64(uint64(x) >> y)
}

// quotient computes x op y, a quotient truncated towards zero or its remainder. The
// divisor is not zero, and the quotient fits.
func quotient(op ir.Op, t ir.Int, x, y int64) int64 {
	if !t.Signed {
		return unsigned(op, t, x, y)
	}
	if op == ir.Div {
		return x / y
	}
	return x % y
}
