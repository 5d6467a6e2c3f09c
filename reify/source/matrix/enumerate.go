package matrix

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/language"
)

// A place is an operation on a type.
type place struct {
	op operation
	t  ir.Type
}

// space is what cells of a language are drawn from. It is made once.
type space struct {
	lang   *language.Language
	names  []string // of operations
	places []place  // on the main types, in an order that changes operation and type
	more   []place  // on the other types
	on     map[string]map[class][]place
	byType map[ir.Type][]operation
}

// mainWidths are the widths of integers that single operations are asked about in all
// ways; other widths are asked about in fewer.
var mainWidths = []int{2, 3, 5, 7, 9, 13, 15, 17, 24, 31, 33, 37, 48, 63, 65, 96, 100, 127, 128}

// mainBytes bounds the size of vectors that are asked about in all ways. Compilers take
// larger ones apart lane by lane: they took more than half of the time of all.
const mainBytes = 32

// large reports whether a type is a vector of more bytes.
func large(t ir.Type) bool {
	v, ok := t.(ir.Vector)
	return ok && v.Lanes*v.Elem.Bytes() > mainBytes
}

// types returns all types, those first that are asked about in all ways.
func types() (main, more []ir.Type) {
	main = append(main, ir.Bool)
	for bits := 1; bits <= 128; bits++ {
		for _, sign := range []bool{false, true} {
			if sign && bits == 1 {
				continue
			}
			t := integerType(bits, sign)
			if classOf(t) == integers || slices.Contains(mainWidths, bits) {
				main = append(main, t)
			} else {
				more = append(more, t)
			}
		}
	}
	main = append(main, ir.F32, ir.F64)
	for _, bits := range []int{8, 16, 32, 64} {
		for _, sign := range []bool{false, true} {
			for _, lanes := range []int{2, 3, 4, 5, 6, 7, 8, 12, 16, 17, 31, 32, 64} {
				t := ir.Vector{Elem: ir.Int{Bits: bits, Signed: sign}, Lanes: lanes}
				if large(t) {
					more = append(more, t)
				} else {
					main = append(main, t)
				}
			}
		}
	}
	for _, bits := range oddLanes {
		for _, lanes := range []int{2, 3, 4, 5, 6, 7, 8, 12, 16} {
			main = append(main, ir.Vector{Elem: ir.Int{Bits: bits}, Lanes: lanes}, ir.Vector{Elem: ir.Int{Bits: bits, Signed: true}, Lanes: lanes})
		}
	}
	return main, more
}

// oddLanes are the widths of lanes in languages that have any.
var oddLanes = []int{2, 3, 4, 5, 6, 7, 9, 12, 17, 20, 24, 31, 33, 40, 48, 63}

// spaces holds what space has returned, by language: a function that makes it once.
var spaces sync.Map

// space returns what cells of the source's language are drawn from.
func (s Source) space() *space {
	once := sync.OnceValue(func() *space {
		lang := language.Find(s.Language)
		if lang == nil {
			panic(fmt.Sprintf("matrix: no language %q", s.Language)) // decode says so of an input
		}
		return newSpace(lang)
	})
	made, _ := spaces.LoadOrStore(s.Language, once)
	return made.(func() *space)()
}

func newSpace(lang *language.Language) *space {
	s := &space{lang: lang, on: map[string]map[class][]place{}, byType: map[ir.Type][]operation{}}
	main, more := types()
	for i := len(main) - 1; i >= 0; i-- {
		if v, ok := main[i].(ir.Vector); ok && !lang.HasVector(v) {
			main, more = slices.Delete(main, i, i+1), append(more, v)
		}
	}
	add := func(list []ir.Type) (all []place) {
		for _, t := range list {
			for _, o := range operations {
				if p := (place{o, t}); o.on(t) && p.writable(lang) {
					all = append(all, p)
					if s.on[o.name] == nil {
						s.on[o.name] = map[class][]place{}
					}
					s.on[o.name][classOf(t)] = append(s.on[o.name][classOf(t)], p)
					s.byType[t] = append(s.byType[t], o)
				}
			}
		}
		draw := choice.New(choice.Derive(2, "order of operations"))
		draw.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		return all
	}
	s.places, s.more = add(main), add(more)
	for _, o := range operations {
		if s.on[o.name] != nil && !slices.Contains(s.names, o.name) {
			s.names = append(s.names, o.name)
		}
	}
	return s
}

// ways are the forms in which each single operation is asked about: a word for the
// second operand, and one for the context. Const stands for one of the edges of the
// type, another in each way.
var ways = func() (list [][2]string) {
	for _, w := range []string{"arg", "const", "const", "same", "const", "late", "mem", "const", "narrowed", "extended", "known", "flip", "const"} {
		list = append(list, [2]string{w, ""})
	}
	for _, c := range contexts {
		if c != "passed" { // of vectors alone: compositions have it
			list = append(list, [2]string{"arg", c}, [2]string{"const", c})
		}
	}
	return list
}()

// moreWays is how many of ways are asked about types that are not the main ones.
const moreWays = 3

// singles returns how many single operations there are, some of which have no function.
func (s *space) singles() int { return len(s.places)*len(ways) + len(s.more)*moreWays }

// placed returns where a single operation is, by number, and in which way it is asked about.
func (s *space) placed(n int) (p place, way int) {
	if main := len(s.places) * len(ways); n >= main {
		n -= main
		return s.more[n%len(s.more)], n / len(s.more)
	}
	return s.places[n%len(s.places)], (n/len(s.places) + n%len(s.places)) % len(ways)
}

// single returns a single operation by number. All ways occur from the first on, as each
// place begins with another.
func (s *space) single(n int) Cell {
	p, way := s.placed(n)
	word, context := ways[way][0], ways[way][1]
	draw := choice.New(choice.Derive(uint64(way), p.op.name+" "+p.t.String()))
	st := step{op: p.op, t: p.t}
	for i := range p.op.words(false) {
		w := word
		switch {
		case p.op.operands == 1 && (w == "flip" || w == "same"):
			w = "arg"
		case w == "flip":
			st.flip, w = true, constant("const", p.t, draw)
		case w == "const" && i > 0 && draw.Chance(1, 2):
			w = "arg"
		case slices.Contains(constants, w):
			w = constant(w, p.t, draw)
		}
		st.words = append(st.words, w)
	}
	return Cell{steps: []step{st}, context: context}
}

// constant returns a word for one of the edges of a type.
func constant(prefix string, t ir.Type, s *choice.Stream) string {
	switch {
	case classOf(t) == floats:
		return prefix + strconv.Itoa(s.Range(-3, 10))
	case classOf(t) == vectors && prefix == "const" && s.Chance(1, 2):
		return "mix" + strconv.Itoa(s.Intn(mixes))
	}
	return prefix + choice.Pick(s, edges(t)).String()
}

// links are the ways from the result of a step to the type of the next. Through is a step
// between them, which converts to half the width.
var links = []string{"same", "wider", "narrower", "through", "sign", "other"}

// sweep is how many pairs there are of operations and links between them.
func (s *space) sweep() int { return len(s.names) * len(s.names) * len(links) }

// sweeps is how often each pair of operations is asked about for each link between them, on other
// types and operands each time.
const sweeps = 16

// stride goes through a sweep such that neighbours have little in common.
const stride = 1_000_003

// at returns the place of a composition among all pairs of operations and links.
func (s *space) at(n int) int { return int(int64(n%s.sweep()) * stride % int64(s.sweep())) }

// composed returns a composition of so many steps by number.
func (s *space) composed(n, steps int) Cell {
	draw := choice.New(choice.Derive(uint64(n), "composition of "+strconv.Itoa(steps)))
	at := s.at(n)
	first, at := s.names[at%len(s.names)], at/len(s.names)
	second, link := s.names[at%len(s.names)], links[at/len(s.names)]
	var c Cell
	var result ir.Type
	p := s.drawPlace(first, draw)
	for i := range steps {
		c.steps = append(c.steps, s.step(p, i > 0, draw))
		result, _ = p.op.resultType(p.t)
		next := s.linked(result, link, draw)
		if half, ok := s.half(result, draw); ok && link == "through" && i+1 < steps && len(c.steps)+steps-i <= mostSteps {
			c.steps = append(c.steps, half)
		}
		var ok bool
		if p, ok = s.place(second, next); !ok {
			if p, ok = s.place(second, s.linked(result, "other", draw)); !ok {
				p = s.any(result, draw)
			}
		}
		second, link = choice.Pick(draw, s.names), choice.Pick(draw, links)
	}
	if context := choice.Pick(draw, contexts); draw.Chance(2, 5) && s.fits(context, result) {
		c.context = context
	}
	return c.bounded()
}

// bounded returns the cell without loops over large types: some compilers take minutes.
func (c Cell) bounded() Cell {
	if strings.HasPrefix(c.context, "loop") && slices.ContainsFunc(c.steps, func(st step) bool { return large(st.t) }) {
		c.context = ""
	}
	return c
}

// step returns an operation on operands that are drawn.
func (s *space) step(p place, later bool, draw *choice.Stream) step {
	st := step{op: p.op, t: p.t}
	for range p.op.words(later) {
		w := s.drawWord(p.t, later, draw)
		if w == "same" && p.op.operands == 1 {
			w = "arg"
		}
		st.words = append(st.words, w)
	}
	st.flip = p.op.operands > 1 && draw.Chance(1, 10)
	return st
}

// half returns a step that converts a result to half its width.
func (s *space) half(t ir.Type, draw *choice.Stream) (step, bool) {
	if classOf(t) == floats || t == ir.Bool || bitsOf(t) < 16 {
		return step{}, false
	}
	half, ok := withWidth(t, bitsOf(t)/2, draw.Chance(2, 3))
	if !ok || !has(s.lang, half) {
		return step{}, false
	}
	op, ok := operationOn("mov", half)
	return step{op: op, t: half}, ok
}

// any returns an operation on a type: lanes may be of widths that no cell begins with.
func (s *space) any(t ir.Type, draw *choice.Stream) place {
	if list := s.byType[t]; len(list) > 0 {
		return place{choice.Pick(draw, list), t}
	}
	op, _ := operationOn("mov", t)
	return place{op, t}
}

func (s *space) place(name string, t ir.Type) (place, bool) {
	o, ok := operationOn(name, t)
	p := place{o, t}
	return p, ok && p.writable(s.lang)
}

// drawPlace draws a type for an operation, standard integers more often than others.
func (s *space) drawPlace(name string, draw *choice.Stream) place {
	for {
		class := [...]class{integers, integers, integers, integers, wides, wides, wides, vectors, vectors, floats}[draw.Intn(10)]
		if s.lang.Vectors != language.AnyVector && class == vectors && len(s.on[name]) > 1 && draw.Chance(3, 4) {
			continue // most are arrays
		}
		if list := s.on[name][class]; list != nil {
			p := choice.Pick(draw, list)
			for range 4 { // large ones are rare
				if large(p.t) {
					p = choice.Pick(draw, list)
				}
			}
			return p
		}
	}
}

func (s *space) drawWord(t ir.Type, later bool, draw *choice.Stream) string {
	words := []string{"arg", "arg", "arg", "arg", "const", "const", "const", "const", "const", "same", "mem", "narrowed", "extended", "late", "known"}
	if later {
		words = append(words, "first", "first", "before", "before")
	}
	w := choice.Pick(draw, words)
	switch {
	case !s.fits(w, t):
		return "arg"
	case slices.Contains(constants, w):
		return constant(w, t, draw)
	}
	return w
}

// fits reports whether a word for an operand or a context is one for a type.
func (s *space) fits(w string, t ir.Type) bool {
	switch w {
	case "late":
		return classOf(t) != floats && t != ir.Bool
	case "known":
		return classOf(t) != floats && classOf(t) != vectors && t != ir.Bool
	case "resignedcall":
		return classOf(t) != floats && t != ir.Bool
	case "narrowed", "widened", "resigned":
		if classOf(t) == floats || t == ir.Bool {
			return false
		}
		wide, ok := withWidth(t, 2*bitsOf(t), signed(t))
		return ok && has(s.lang, wide)
	case "both", "chosen":
		_, ok := operationOn("xorlow", t)
		return ok && bitsOf(t) >= 16
	case "extended", "narrow":
		return classOf(t) != floats && t != ir.Bool && bitsOf(t) >= 16
	case "branch", "sign":
		return classOf(t) == integers
	case "passed":
		return classOf(t) == vectors
	case "widths":
		return classOf(t) == integers && bitsOf(t) <= 16
	case "twice":
		return classOf(t) == integers && t != ir.Bool
	}
	return true
}

// linked returns the type of a step after a result.
func (s *space) linked(t ir.Type, link string, draw *choice.Stream) ir.Type {
	if classOf(t) == floats {
		return t
	}
	bits, sign, ok := bitsOf(t), signed(t), false
	var next ir.Type
	switch link {
	case "wider":
		next, ok = withWidth(t, 2*bits, sign)
	case "narrower":
		next, ok = withWidth(t, bits/2, sign)
	case "sign":
		next, ok = withWidth(t, bits, !sign)
	case "other":
		if classOf(t) == vectors {
			bits := 8 << draw.Intn(4)
			if s.lang.OddLanes && draw.Chance(1, 2) {
				bits = choice.Pick(draw, oddLanes)
			}
			next, ok = withWidth(t, bits, draw.Chance(1, 2))
		} else {
			w := [...]int{8, 16, 32, 64, 8, 16, 32, 64, 128, 1 + draw.Intn(128)}[draw.Intn(10)]
			next, ok = withWidth(t, w, draw.Chance(1, 2))
		}
	}
	if !ok || !has(s.lang, next) {
		return t
	}
	return next
}
