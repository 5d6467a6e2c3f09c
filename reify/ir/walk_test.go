package ir_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"goreify/reify/ir"
)

const walked = `func @f(%a i32) i32 {
    local %x [2][2]i32 = {1, 2, 3, ?0}
    static @g i32 = ?1
  entry:
    goto b1
  b1:
    %x[?2][%a + 4] = @g - i32(5:u8)
    if %x[6][0] < 7 goto b1 else exit
  exit:
    return 8
}
`

func texts(seq func(func(*ir.Expr) bool)) []string {
	var list []string
	for at := range seq {
		list = append(list, (*at).String())
	}
	return list
}

func TestExprs(t *testing.T) {
	f := ir.MustParse(walked).Funcs[0]
	inits := []string{"1", "2", "3", "?0", "?1"}
	stmt := []string{"@g", "5:u8", "i32(5:u8)", "@g - i32(5:u8)", "?2", "%a", "4", "%a + 4"}
	term := []string{"6", "0", "%x[6][0]", "7", "%x[6][0] < 7"}
	b1 := f.Blocks[1]
	assert.Equal(t, slices.Concat(inits, stmt, term, []string{"8"}), texts(f.Exprs()))
	assert.Equal(t, slices.Concat(stmt, term), texts(b1.Exprs()))
	assert.Equal(t, stmt, texts(ir.StmtExprs(b1.Stmts[0])))
	assert.Equal(t, term, texts(ir.TermExprs(b1.Term)))
	assert.Equal(t, term, texts(ir.SubExprs(&b1.Term.(*ir.If).Cond)))
	assert.Empty(t, texts(f.Blocks[0].Exprs()))
}

// A loop over the expressions may stop anywhere.
func TestExprsStop(t *testing.T) {
	f := ir.MustParse(walked).Funcs[0]
	all := texts(f.Exprs())
	for n := range all {
		var got []string
		for at := range f.Exprs() {
			if got = append(got, (*at).String()); len(got) == n+1 {
				break
			}
		}
		assert.Equal(t, all[:n+1], got)
	}
}

// What replaces an expression is not walked; what contains it is, afterwards.
func TestExprsReplace(t *testing.T) {
	f := ir.MustParse(walked).Funcs[0]
	for at := range f.Exprs() {
		e := *at
		if ir.IntOf(e) == ir.I32 {
			if _, ok := e.(*ir.Load); ok {
				*at = &ir.Binary{Op: ir.Mul, X: e, Y: &ir.Const{T: ir.I32, V: 9}}
			}
		}
	}
	assert.Equal(t, "%x[?2][%a * 9 + 4] = @g * 9 - i32(5:u8)", f.Blocks[1].Stmts[0].String())
	assert.Equal(t, "if %x[6][0] * 9 < 7 goto b1 else exit", f.Blocks[1].Term.String())
}

func TestGraph(t *testing.T) {
	f := ir.MustParse(walked).Funcs[0]
	g := f.Graph()
	assert.Equal(t, [][]int{{1}, {1, 2}, {}}, g)
	_ = append(g[0], 7)
	assert.Equal(t, [][]int{{1}, {1, 2}, {}}, g, "appending to a row changed another")
}

func TestSuccs(t *testing.T) {
	b := ir.MustParse(walked).Funcs[0].Blocks
	assert.Equal(t, []*ir.Block{b[1]}, b[0].Succs())
	assert.Equal(t, []*ir.Block{b[1], b[2]}, b[1].Succs())
	assert.Empty(t, b[2].Succs())
	assert.Panics(t, func() { new(ir.Block).Succs() })
}

func TestRoot(t *testing.T) {
	f := ir.MustParse(walked).Funcs[0]
	a := f.Blocks[1].Stmts[0].(*ir.Assign)
	assert.Same(t, f.Vars[1], ir.Root(a.Dst))
	assert.Same(t, f.Vars[2], ir.Root(a.Src.(*ir.Binary).X.(*ir.Load).Place))
}
