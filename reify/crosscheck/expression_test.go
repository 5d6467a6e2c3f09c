package crosscheck

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/reify/choice"
	"goreify/reify/emit/c"
	"goreify/reify/interp"
	"goreify/reify/ir"
)

const (
	// expressions is how many an ordinary run compares. The environment
	// variable REIFY_CROSSCHECK overrides it, and REIFY_CROSSCHECK_FROM says
	// how many to leave out before, as a run that was cut short has done them.
	expressions = 3000
	perRoom     = 20
	perFile     = 4000
)

// wanted returns which expressions to compare, and whether they are those of the
// long run. The first is a multiple of perFile.
func wanted(t *testing.T) (first, end int, long bool) {
	text := os.Getenv("REIFY_CROSSCHECK")
	if text == "" {
		return 0, expressions, false
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, "REIFY_CROSSCHECK is the number of expressions")
	if text = os.Getenv("REIFY_CROSSCHECK_FROM"); text != "" {
		first, err = strconv.Atoi(text)
		require.NoError(t, err, "REIFY_CROSSCHECK_FROM is a number of expressions")
		first -= first % perFile
	}
	return first, first + n, true
}

// Random expressions have the values that the interpreter says when gcc and
// clang compile them without optimisation.
func TestExpressions(t *testing.T) {
	first, end, long := wanted(t)
	b := newBench(t, long)
	tally := newTally()
	for ; first < end; first += perFile {
		var rooms []*room
		var units []c.Unit
		for n := 0; n < min(perFile, end-first); n += perRoom {
			r := drawRoom(choice.New(choice.Derive(uint64(first+n), "crosscheck")), fmt.Sprintf("f%d", first+n), whole)
			r.draw(whole, perRoom)
			rooms = append(rooms, r)
			units = append(units, r.unit(t))
			tally.add(r)
		}
		b.agree(t, units, func(tc native.Toolchain, i int) string { return b.blame(t, tc, rooms[i]) })
		if long && first%(25*perFile) == 0 {
			t.Logf("%d expressions agree; REIFY_CROSSCHECK_FROM=%d goes on here", tally.expressions, min(first+perFile, end))
		}
	}
	t.Logf("%d expressions agree with %v at -O0; beside them %d were undefined: %v", tally.expressions, b, tally.bad(), tally.kinds)
	tally.check(t, long)
}

// unit returns all that was made in the room as one function.
func (r *room) unit(t *testing.T) c.Unit {
	t.Helper()
	f := r.function(r.name, r.made...)
	require.NoError(t, ir.Check(f), "%s", f)
	got, err := interp.Run(f, r.args, interp.Options{})
	require.NoError(t, err, "each expression is defined, but not all together:\n%s", f)
	style := c.Style{}
	if r.s.Chance(1, 2) {
		style = c.DrawStyle(r.s.Fork("style"))
	}
	return unit(f, r.args, got.Value, style)
}

// blame returns the expressions of a room that have another value under the
// compiler if they are compiled alone.
func (b *bench) blame(t *testing.T, tc native.Toolchain, r *room) string {
	text, shown := "", 0
	for _, m := range r.made {
		f := r.function(r.name, m)
		got, err := interp.Run(f, r.args, interp.Options{})
		require.NoError(t, err)
		units := []c.Unit{unit(f, r.args, got.Value, c.Style{})}
		source := c.Emit(units)
		if o := b.ask(t, tc, []byte(source), c.Want(units)); o.Verdict != compilers.OK && shown < 3 {
			trace, _ := interp.Trace(f, r.args, interp.Options{})
			text += fmt.Sprintf("%v\n%s%s\n%s", o, r.text(m), trace, source)
			shown++
		}
	}
	if text == "" {
		return "none of its expressions is wrong alone:\n" + r.text(made{}) + c.Emit([]c.Unit{r.unit(t)})
	}
	return text
}

// A tally counts what was compared.
type tally struct {
	expressions int
	nodes       map[string]int // by operator and type
	kinds       map[interp.Kind]int
}

func newTally() *tally { return &tally{nodes: map[string]int{}, kinds: map[interp.Kind]int{}} }

func (y *tally) add(r *room) {
	y.expressions += len(r.made)
	for _, m := range r.made {
		for _, s := range m.stmts {
			y.nodes[fmt.Sprintf("%T", s)]++
			for at := range ir.StmtExprs(s) {
				y.node(*at)
			}
		}
	}
	for name, n := range r.nodes {
		y.nodes[name] += n
	}
	for _, u := range r.undefined {
		y.kinds[u.err.Kind]++
	}
}

func (y *tally) node(e ir.Expr) {
	switch e := e.(type) {
	case *ir.Binary:
		y.nodes[e.Op.String()+" "+e.X.Type().String()]++
	case *ir.Unary:
		y.nodes[e.Op.String()+" "+e.X.Type().String()]++
	case *ir.Builtin:
		y.nodes[e.Fn.String()+" "+e.Args[0].Type().String()]++
	case *ir.Convert:
		y.nodes[e.X.Type().String()+" "+e.T.String()]++
	default:
		y.nodes[fmt.Sprintf("%T", e)]++
	}
}

func (y *tally) bad() (n int) {
	for _, k := range y.kinds {
		n += k
	}
	return n
}

// checkIntegers asserts that all operators on all integer types have been compared,
// and the conversions among these.
func (y *tally) checkIntegers(t *testing.T) {
	t.Helper()
	seen := func(format string, args ...any) {
		name := fmt.Sprintf(format, args...)
		assert.NotZero(t, y.nodes[name], "%q was not compared", name)
	}
	for _, of := range wide {
		for _, op := range ir.Ops() {
			seen("%v %v", op, of)
		}
		for op := ir.Neg; op <= ir.LNot; op++ {
			seen("%v %v", op, of)
		}
	}
	for fn := ir.Popcount; fn <= ir.ExpectProbably; fn++ {
		for _, of := range wide {
			if of.Signed == fn.Signed() && (!fn.Hints() || of == ir.I32) {
				seen("%v %v", fn, of)
			}
		}
	}
	for _, from := range integers {
		for _, to := range integers {
			if from != to {
				seen("%v %v", from, to)
			}
		}
	}
}

// check asserts that all operators on all their types and all conversions have
// been compared. Operations on all types of lanes take a long run.
func (y *tally) check(t *testing.T, long bool) {
	t.Helper()
	seen := func(format string, args ...any) {
		name := fmt.Sprintf(format, args...)
		assert.NotZero(t, y.nodes[name], "%q was not compared", name)
	}
	y.checkIntegers(t)
	for _, of := range []ir.Float{ir.F32, ir.F64} {
		for _, op := range ir.Ops() {
			if op.OnFloats() {
				seen("%v %v", op, of)
			}
		}
		for _, e := range []ir.FloatExpr{&ir.FloatNeg{}, &ir.FloatConvert{}, &ir.FloatOf{}} {
			seen("%T %v", e, of)
		}
	}
	for _, e := range []ir.Expr{&ir.Select{}, &ir.PtrCompare{}, &ir.PtrDiff{}, &ir.FloatToInt{}, &ir.FloatCompare{}, &ir.WideToInt{}, &ir.WideCompare{}, &ir.Load{}} {
		seen("%T", e)
	}
	for _, of := range []ir.Wide{ir.I128, ir.U128, {Bits: 9, Signed: true, BitInt: true}, {Bits: 9, BitInt: true}} {
		for op := ir.Add; op <= ir.Shr; op++ {
			seen("%s", wideNode(&ir.WideBinary{Op: op, X: &ir.WideOf{T: of}}))
		}
		for op := ir.Neg; op <= ir.Not; op++ {
			seen("%s", wideNode(&ir.WideUnary{Op: op, X: &ir.WideOf{T: of}}))
		}
		for _, e := range []ir.WideExpr{&ir.WideOf{T: of}, &ir.WideConvert{T: of}} {
			seen("%s", wideNode(e))
		}
	}
	for _, s := range []ir.Stmt{&ir.Transfer{}, &ir.Fill{}, &ir.Copy{}, &ir.Overflow{}} {
		seen("%T", s)
	}
	onLanes := slices.DeleteFunc(ir.Ops(), ir.Op.Logical)
	if !long { // all operators, each on the lanes of some type
		for _, op := range onLanes {
			for _, of := range lanes {
				y.nodes["lanes "+op.String()] += y.nodes[fmt.Sprintf("lanes %v %v", op, of)]
			}
			seen("lanes %v", op)
		}
		return
	}
	for _, of := range lanes {
		for _, op := range onLanes {
			seen("lanes %v %v", op, of)
		}
		for op := ir.Neg; op <= ir.Not; op++ {
			seen("lanes unary %v %v", op, of)
		}
		for _, e := range []ir.VecExpr{&ir.VecOf{}, &ir.VecShuffle{}, &ir.VecConvert{}, &ir.VecCast{}, &ir.VecCall{}} {
			seen("%T %v", e, of)
		}
	}
}
