package sketch

import (
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
)

// tripOf runs a function of one loop with a known number of trips, whose body is what
// of returns. It must be defined whatever its parameters are.
func tripOf(t *testing.T, s *choice.Stream, of func(p *trips) []ir.Stmt) {
	f := &ir.Function{Name: "f", Result: ir.U32}
	w := new(stmtWriter)
	w.draws = draws{o: Options{Vars: 3, Assigns: 2, Memory: 50, Volatile: 20}, s: s, f: f}
	if s.Chance(3, 4) {
		w.p = Policy{TypeShares: TypeShares{Narrow: 40, Wide: 50, Unsigned: 50}}
	}
	w.p.Ptr, w.p.Builtin = 30, 50
	for range 3 {
		w.register(newSource(w.newVar(ir.Param, w.scalarType())))
	}
	p := newTrips(w)
	p.addCounters()
	plan := p.plan(false)
	p.resume(plan)
	entry, in, body := &ir.Block{Name: "entry"}, &ir.Block{Name: "in", Index: 1}, &ir.Block{Name: "body", Index: 2}
	exit := &ir.Block{Name: "exit", Index: 3, Term: &ir.Return{Val: &ir.Checksum{Of: w.summed}}}
	f.Blocks = []*ir.Block{entry, in, body, exit}
	entry.Term, in.Term = &ir.Goto{To: in}, &ir.Goto{To: body}
	in.Stmts = p.enter()
	body.Stmts = append(of(p), p.advance()...)
	body.Term = &ir.If{Cond: plan.more(), Then: body, Else: exit}
	require.NoError(t, ir.Check(f), "%s", f)
	require.Zero(t, f.Syms, "%s", f)
	for range 5 {
		var args []int64
		for _, v := range f.Params() {
			args = append(args, constant(s, v.Type.(ir.Int)))
		}
		_, err := interp.Run(f, args, interp.Options{Fuel: mostTrips + 3})
		require.NoError(t, err, "%v of %s", args, f)
	}
}

// What is in a loop with a known number of trips is defined in each round.
func TestTripsAreDefined(t *testing.T) {
	s := choice.New([]byte("trips"))
	for _, table := range [][]func(*trips) []ir.Stmt{tripMaps, tripReductions} {
		for _, of := range table {
			for range 150 {
				tripOf(t, s, func(p *trips) []ir.Stmt {
					p.begin()
					return of(p)
				})
			}
		}
	}
	for _, pattern := range lanePatterns {
		for range 150 {
			tripOf(t, s, func(p *trips) []ir.Stmt {
				p.begin()
				return []ir.Stmt{p.intoArray(p.target(), 0, pattern(p, p.width()))}
			})
		}
	}
}
