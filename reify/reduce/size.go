package reduce

import (
	"math/bits"
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// A size measures a program. The first number in which two differ decides which is
// smaller. Each step of a reduction must make it smaller, so that no two passes undo
// each other's work for ever.
type size [sizes]int

// The counts of a size.
const (
	functions  = iota
	blocks     // of all functions
	branches   // successors of blocks, beyond the first
	statements //
	nodes      // of expressions and places; initial values and arguments
	variables  // and their scalars
	kinds      // parts of declarations beyond "local i32"
	digits     // of constants, arguments and initial values; block visits
	form       // Candidate.Form
	names      // characters in names
	sizes
)

func (s size) less(t size) bool {
	for i := range s {
		if s[i] != t[i] {
			return s[i] < t[i]
		}
	}
	return false
}

// coarse returns the numbers whose change makes another round of the passes worthwhile.
func (s size) coarse() [kinds]int { return [kinds]int(s[:kinds]) }

// measure returns the size of a candidate, of which r is the run.
func measure(c Candidate, r *run) size {
	var s size
	s[form] = c.Form
	s[digits] = r.steps
	for _, f := range c.Program.Funcs {
		s[functions]++
		if f.Foreign != nil {
			s[statements] += strings.Count(f.Foreign.C, "\n")
			s[digits] += len(f.Foreign.Answers)
			continue // its names and types are those of the text
		}
		s[names] += len(f.Name)
		s[kinds] += kindOfInt(f.Result)
		for _, t := range f.Types {
			s[kinds] += 2
			s[names] += len(t.Name)
			for _, m := range t.Fields {
				s[kinds] += kindOf(m.Type)
				s[names] += len(m.Name)
				if m.Bits > 0 {
					s[kinds]++
				}
			}
		}
		for _, v := range f.Vars {
			s.variable(v)
		}
		for _, b := range f.Blocks {
			s.block(b)
		}
	}
	for _, v := range c.Program.Claims[0].Args {
		s[nodes]++
		s[digits] += cost(v)
	}
	return s
}

func (s *size) variable(v *ir.Var) {
	s[variables] += 1 + ir.Count(v.Type)
	s[names] += len(v.Name)
	s[kinds] += kindOf(v.Type)
	switch v.Kind {
	case ir.Param:
		s[kinds] += 2
	case ir.Local:
	case ir.Global, ir.Static:
		s[kinds] += 3
	}
	if v.Volatile {
		s[kinds]++
	}
	if v.Const {
		s[kinds]++
	}
	if v.Kind.Lasts() && v.Init == nil {
		s[nodes] += ir.Count(v.Type) // the zeros that a local has to spell out
	} else if v.Kind.Lasts() {
		s[digits]++
	}
	for _, e := range v.Init {
		if e != nil {
			s.node(e)
		}
	}
	for _, e := range v.Ptrs {
		if e != nil {
			s.node(e)
		}
	}
}

func (s *size) block(b *ir.Block) {
	s[blocks]++
	s[names] += len(b.Name)
	s[statements] += len(b.Stmts)
	for _, stmt := range b.Stmts {
		if _, ok := stmt.(*ir.Overflow); ok {
			s[statements] += 2 // more than two assignments
		}
	}
	for n := range roots(b) {
		s.node(n)
	}
	s[branches] += max(0, len(b.Succs())-1)
	if t, ok := b.Term.(*ir.Switch); ok {
		s[nodes] += 2 // more than the comparison that may replace it
		for _, k := range t.Cases {
			s.single(k.Lo)
			if k.Hi != nil {
				s.single(k.Hi)
			}
		}
	}
}

// node counts n and all below it.
func (s *size) node(n ir.Node) {
	s.single(n)
	ir.Parts(n, func(part ir.Node) bool {
		s.node(part)
		return true
	})
}

// single counts n alone.
func (s *size) single(n ir.Node) {
	s[nodes]++
	switch n := n.(type) {
	case *ir.Const:
		s[digits] += cost(n.V)
	case *ir.FloatConst:
		s[digits] += len(strconv.FormatFloat(n.V, 'g', -1, 64))
	case *ir.Transfer:
		if n.Move {
			s[digits]++ // more than memcpy
		}
	case *ir.Checksum:
		s[functions]++            // that computes it
		s[nodes] += 2 * len(n.Of) // no cheaper than to return one of them
	}
}

// kindOf returns the cost of a variable for not being an i32.
func kindOf(t ir.Type) int {
	switch t := t.(type) {
	case ir.Int:
		return kindOfInt(t)
	case ir.Array:
		return 1 + kindOf(t.Elem)
	case ir.Pointer:
		return 1 + kindOf(t.Elem)
	}
	return 2
}

func kindOfInt(t ir.Int) int {
	switch {
	case t == ir.I32:
		return 0
	case t == ir.U32 || t == ir.I64:
		return 1
	case !t.Standard():
		return 3
	}
	return 2
}

// cost returns the effort to read a number: 0 costs nothing, 1 less than 2, and a power
// of ten less than its neighbours.
func cost(v int64) int {
	n := 0
	if v < 0 {
		n = 1
	}
	switch magnitude := strconv.FormatInt(v, 10); {
	case v == 0:
		return 0
	case v == 1 || v == -1:
		return n + 1
	default:
		magnitude = magnitude[n:]
		significant := strings.TrimRight(magnitude, "0")
		// The last term makes small steps down count too.
		return n + 16*len(significant) + 8*(len(magnitude)-len(significant)) + bits.Len64(uint64(v)&^(1<<63))%8
	}
}
