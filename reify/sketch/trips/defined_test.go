package trips

import (
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
	"goreify/reify/sketch/core/coretest"
)

// tripOf runs a function of one loop with a known number of trips, whose body is what
// of returns. It must be defined whatever its parameters are.
func tripOf(t *testing.T, s *choice.Stream, of func(p *trips) []ir.Stmt) {
	f := &ir.Function{Name: "f", Result: ir.U32}
	c := core.Config{Options: core.Options{Vars: 3, Assigns: 2, Memory: 50, Volatile: 20}}
	if s.Chance(3, 4) {
		c.Policy.Narrow, c.Policy.Wide, c.Policy.Unsigned = 40, 50, 50
	}
	c.Policy.Ptr, c.Policy.Builtin = 30, 50
	w := core.NewWriter(f, c, s)
	for range 3 {
		w.Register(core.NewSource(w.NewVar(ir.Param, w.ScalarType())))
	}
	p := newTrips(w)
	p.addCounters()
	plan := p.plan(false)
	p.resume(plan)
	entry, in, body := &ir.Block{Name: "entry"}, &ir.Block{Name: "in", Index: 1}, &ir.Block{Name: "body", Index: 2}
	exit := &ir.Block{Name: "exit", Index: 3, Term: &ir.Return{Val: &ir.Checksum{Of: w.Summed}}}
	f.Blocks = []*ir.Block{entry, in, body, exit}
	entry.Term, in.Term = &ir.Goto{To: in}, &ir.Goto{To: body}
	in.Stmts = p.enter()
	body.Stmts = append(of(p), p.advance()...)
	body.Term = &ir.If{Cond: plan.more(), Then: body, Else: exit}
	require.NoError(t, ir.Check(f), "%s", f)
	require.Zero(t, f.Syms, "%s", f)
	for range 5 {
		args, err := coretest.Run(f, s, mostTrips+3)
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
					p.Begin()
					return of(p)
				})
			}
		}
	}
	for _, pattern := range lanePatterns {
		for range 150 {
			tripOf(t, s, func(p *trips) []ir.Stmt {
				p.Begin()
				return []ir.Stmt{p.intoArray(p.target(), 0, pattern(p, p.width()))}
			})
		}
	}
}
