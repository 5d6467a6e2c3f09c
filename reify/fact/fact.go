package fact

import (
	"fmt"
	"slices"

	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
)

// Add puts facts into the function that all claims are about, before share percent of
// its statements and terminators, and hints into share percent of its conditions. The
// function calls nothing, and the claims are true; so they are afterwards. The error is
// that of a claim that is not true.
func Add(claims []*ir.Claim, share int, s *choice.Stream) error {
	f := claims[0].Func
	points := draw(claims, share, s)
	for _, c := range claims {
		if err := newWatch(f, c.Args).run(c, points); err != nil {
			return err
		}
	}
	for i, b := range f.Blocks {
		b.Stmts = points[i].insert(b.Stmts, s)
		if t, ok := b.Term.(*ir.If); ok && s.Chance(share, 100) {
			t.Cond = hinted(t.Cond, s)
		}
	}
	for i, c := range claims {
		if err := interp.Verify(c); err != nil {
			return fmt.Errorf("claim %d with facts: %w", i, err)
		}
	}
	return nil
}

// hinted returns a condition with a hint, right or wrong, of its usual outcome.
func hinted(cond ir.Expr, s *choice.Stream) ir.Expr {
	if b, ok := cond.(*ir.Binary); !ok || !b.Op.Yields01() || b.Of() != ir.Integers {
		return cond
	}
	fn := choice.Pick(s, []ir.Fn{ir.Expect, ir.ExpectProbably})
	return &ir.Builtin{Fn: fn, Args: []ir.Expr{cond, &ir.Const{T: ir.I32, V: int64(s.Intn(2))}}}
}

// A question is about variables. It sees each visit of a point, and answers with a
// condition that held at all of them.
type question interface {
	see(w *watch)
	// fact returns a condition of type i32, or nil if the question has no answer.
	fact(s *choice.Stream) ir.Expr
}

// A point is the place before a statement, or before a terminator.
type point struct {
	asked  []question
	visits int
	from   *point // for a block that no run visits: the end of a block before it, whose facts are negated
}

// The points of a block, one more than it has statements.
type points []point

// most bounds the points of a function that have facts.
const most = 24

// draw draws points, by block, and the questions at them.
func draw(claims []*ir.Claim, share int, s *choice.Stream) []points {
	f := claims[0].Func
	visited := make([]bool, len(f.Blocks))
	for _, c := range claims {
		for _, b := range c.Path {
			visited[b] = true
		}
	}
	all := make([]points, len(f.Blocks))
	for i, b := range f.Blocks {
		all[i] = make(points, len(b.Stmts)+1)
	}
	a := newAsker(f, s)
	left := most
	for i, b := range f.Blocks {
		if !visited[i] {
			continue
		}
		for k := range all[i] {
			if left > 0 && s.Chance(share, 100) {
				all[i][k].asked = a.questions(node(b, k))
				left--
			}
		}
		end := &all[i][len(b.Stmts)]
		for _, to := range b.Succs() {
			if !visited[to.Index] && s.Chance(share, 100) {
				if end.asked == nil {
					end.asked = a.questions(node(b, len(b.Stmts)))
				}
				all[to.Index][0].from = end
			}
		}
	}
	return all
}

// node returns the statement after point k of a block, or the operand of the
// terminator; nil for a goto.
func node(b *ir.Block, k int) ir.Node {
	if k < len(b.Stmts) {
		return b.Stmts[k]
	}
	switch t := b.Term.(type) {
	case *ir.If:
		return t.Cond
	case *ir.Switch:
		return t.X
	case *ir.Return:
		return t.Val
	}
	return nil
}

// insert returns the statements of a block with the facts at its points.
func (p points) insert(stmts []ir.Stmt, s *choice.Stream) []ir.Stmt {
	var list []ir.Stmt
	for k := range p {
		list = append(list, p[k].facts(s)...)
		if k < len(stmts) {
			list = append(list, stmts[k])
		}
	}
	return slices.Clip(list)
}

// facts returns the assumptions of a point.
func (p *point) facts(s *choice.Stream) (list []ir.Stmt) {
	say := func(cond ir.Expr) { list = append(list, &ir.Assume{Cond: cond, Guard: s.Chance(1, 3)}) }
	if p.from != nil {
		if cond := joined(p.from.asked, s); cond != nil {
			say(opposite(cond))
		}
		return list
	}
	if p.visits == 0 {
		return nil
	}
	if cond := joined(p.asked, s); cond != nil {
		say(cond)
	}
	return list
}

// joined returns a fact of one of the questions, or the conjunction of several.
func joined(asked []question, s *choice.Stream) (cond ir.Expr) {
	for _, q := range asked {
		next := q.fact(s)
		switch {
		case next == nil:
		case cond == nil:
			cond = next
		case s.Chance(1, 4):
			cond = bin(ir.LOr, cond, next)
		case s.Chance(1, 8):
			cond = bin(ir.And, cond, next)
		case s.Chance(1, 8):
			cond = bin(ir.Eq, cond, next)
		default:
			cond = bin(ir.LAnd, cond, next)
		}
	}
	return cond
}

// opposite returns a condition that is 0 if cond is not, and the other way round.
func opposite(cond ir.Expr) ir.Expr {
	if b, ok := cond.(*ir.Binary); ok && b.Op.Compares() && b.Of() == ir.Integers {
		return bin(b.Op.Negated(), b.X, b.Y)
	}
	return &ir.Unary{Op: ir.LNot, X: cond}
}
