package matrix

import (
	"cmp"
	"fmt"
	"path"
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
	lang   *language.Language // nil for C
	names  []string           // of operations
	places []place            // on the main types, in an order that changes operation and type
	more   []place            // on the other types
	on     map[string]map[class][]place
	byType map[ir.Type][]operation
}

// mainWidths are the widths of integers that single operations are asked about in all
// ways; other widths are asked about in fewer.
var mainWidths = []int{2, 3, 5, 7, 9, 13, 15, 17, 24, 31, 33, 37, 48, 63, 65, 96, 100, 127, 128}

// mainBytes bounds the size of vectors that are asked about in all ways, and otherBytes
// that of vectors in other languages than C: of those that have any, none has larger ones.
const (
	mainBytes  = 64
	otherBytes = 16
)

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
				if t.Lanes*bits/8 <= mainBytes {
					main = append(main, t)
				} else {
					more = append(more, t)
				}
			}
		}
	}
	return main, more
}

// spaces holds what space has returned, by language: a function that makes it once.
var spaces sync.Map

// space returns what cells of the source's language are drawn from.
func (s Source) space() *space {
	once := sync.OnceValue(func() *space { return newSpace(language.Find(s.Language)) })
	made, _ := spaces.LoadOrStore(s.Language, once)
	return made.(func() *space)()
}

func newSpace(lang *language.Language) *space {
	s := &space{lang: lang, on: map[string]map[class][]place{}, byType: map[ir.Type][]operation{}}
	main, more := types()
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

// writable reports whether a language has the types that the operation computes with.
func (p place) writable(lang *language.Language) bool {
	list := []ir.Type{p.t}
	if t, ok := p.op.resultType(p.t); ok {
		list = append(list, t)
	}
	if t, ok := withWidth(p.t, 2*bitsOf(p.t), false); ok && strings.ContainsAny(p.op.body, "WV") {
		list = append(list, t)
	}
	if t, ok := withWidth(p.t, bitsOf(p.t)/2, false); ok && strings.Contains(p.op.body, "H") {
		list = append(list, t)
	}
	return !slices.ContainsFunc(list, func(t ir.Type) bool { return !has(lang, t) })
}

// hasTypes holds what has has returned, by language and type.
var hasTypes sync.Map

// has reports whether cells in a language have values of a type.
func has(lang *language.Language, t ir.Type) bool {
	if lang == nil {
		return true
	}
	if v, ok := t.(ir.Vector); ok {
		return v.Lanes*v.Elem.Bits <= 8*otherBytes && v.Elem.Standard()
	}
	key := lang.Short + " " + word(t)
	if ok, known := hasTypes.Load(key); known {
		return ok.(bool)
	}
	p := ir.MustParse("func @f() i32 {\n local %a " + t.String() + "\n entry:\n return 0\n}\n")
	ok := lang.Supports(p.Funcs[0]) == nil
	hasTypes.Store(key, ok)
	return ok
}

// ways are the forms in which each single operation is asked about: a word for the
// second operand, and one for the context. Const stands for one of the edges of the
// type, another in each way.
var ways = func() (list [][2]string) {
	for _, w := range []string{"arg", "const", "const", "same", "const", "late", "mem", "const", "narrowed", "extended", "flip", "const"} {
		list = append(list, [2]string{w, ""})
	}
	for _, c := range contexts {
		list = append(list, [2]string{"arg", c}, [2]string{"const", c})
	}
	return list
}()

// moreWays is how many of ways are asked about types that are not the main ones.
const moreWays = 3

// singles returns how many single operations there are, some of which have no function.
func (s *space) singles() int { return len(s.places)*len(ways) + len(s.more)*moreWays }

// single returns a single operation by number, way by way.
func (s *space) single(n int) Cell {
	var p place
	var way int
	if main := len(s.places) * len(ways); n < main {
		p, way = s.places[n%len(s.places)], n/len(s.places)
	} else {
		n -= main
		p, way = s.more[n%len(s.more)], n/len(s.more)
	}
	word, context := ways[way][0], ways[way][1]
	draw := choice.New(choice.Derive(uint64(way), p.op.name+" "+p.t.String()))
	st := step{op: p.op, t: p.t}
	for i := range p.op.operands - 1 {
		w := word
		switch {
		case w == "flip":
			st.flip, w = true, constant("const", p.t, draw)
		case w == "const" && i > 0 && draw.Chance(1, 2):
			w = "arg"
		case w == "const" || w == "late":
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

// links are the ways from the result of a step to the type of the next.
var links = []string{"same", "wider", "narrower", "sign", "other"}

// sweep is how many pairs there are of operations and links between them.
func (s *space) sweep() int { return len(s.names) * len(s.names) * len(links) }

// sweeps is how often each pair of operations is asked about for each link between them, on other
// types and operands each time.
const sweeps = 16

// stride goes through a sweep such that neighbours have little in common.
const stride = 1_000_003

// composed returns a composition of so many steps by number.
func (s *space) composed(n, steps int) Cell {
	draw := choice.New(choice.Derive(uint64(n), "composition of "+strconv.Itoa(steps)))
	at := int(int64(n%s.sweep()) * stride % int64(s.sweep()))
	first, at := s.names[at%len(s.names)], at/len(s.names)
	second, link := s.names[at%len(s.names)], links[at/len(s.names)]
	var c Cell
	var result ir.Type
	p := s.drawPlace(first, draw)
	for i := range steps {
		st := step{op: p.op, t: p.t}
		for range p.op.operands - 1 {
			st.words = append(st.words, s.drawWord(p.t, i > 0, draw))
		}
		st.flip = p.op.operands > 1 && draw.Chance(1, 10)
		c.steps = append(c.steps, st)
		result, _ = p.op.resultType(p.t)
		next := s.linked(result, link, draw)
		var ok bool
		if p, ok = s.place(second, next); !ok {
			if p, ok = s.place(second, s.linked(result, "other", draw)); !ok {
				p = place{choice.Pick(draw, s.byType[result]), result}
			}
		}
		second, link = choice.Pick(draw, s.names), choice.Pick(draw, links)
	}
	if context := choice.Pick(draw, contexts); draw.Chance(2, 5) && s.fits(context, result) {
		c.context = context
	}
	return c
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
		if list := s.on[name][class]; list != nil {
			return choice.Pick(draw, list)
		}
	}
}

func (s *space) drawWord(t ir.Type, later bool, draw *choice.Stream) string {
	words := []string{"arg", "arg", "arg", "arg", "const", "const", "const", "const", "const", "same", "mem", "narrowed", "extended", "late"}
	if later {
		words = append(words, "first", "first")
	}
	w := choice.Pick(draw, words)
	switch {
	case !s.fits(w, t):
		return "arg"
	case w == "const" || w == "late":
		return constant(w, t, draw)
	}
	return w
}

// fits reports whether a word for an operand or a context is one for a type.
func (s *space) fits(w string, t ir.Type) bool {
	switch w {
	case "late":
		return classOf(t) != floats && t != ir.Bool
	case "narrowed", "widened":
		if classOf(t) == floats || t == ir.Bool {
			return false
		}
		wide, ok := withWidth(t, 2*bitsOf(t), signed(t))
		return ok && standardLanes(wide) && has(s.lang, wide)
	case "extended", "narrow":
		return classOf(t) != floats && t != ir.Bool && bitsOf(t) >= 16
	case "branch":
		return classOf(t) == integers
	case "twice":
		return classOf(t) == integers && t != ir.Bool
	}
	return true
}

// standardLanes reports whether a type is no vector of lanes that vectors do not have.
func standardLanes(t ir.Type) bool {
	v, vector := t.(ir.Vector)
	return !vector || v.Elem.Standard()
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
			next, ok = withWidth(t, 8<<draw.Intn(4), draw.Chance(1, 2))
		} else {
			w := [...]int{8, 16, 32, 64, 8, 16, 32, 64, 128, 1 + draw.Intn(128)}[draw.Intn(10)]
			next, ok = withWidth(t, w, draw.Chance(1, 2))
		}
	}
	if !ok || !standardLanes(next) || !has(s.lang, next) {
		return t
	}
	return next
}

// Axes returns the names of all operations, and the words for all types, each in an order
// that shows what is alike.
func Axes() (names, words []string) {
	main, more := types()
	all := append(main, more...)
	rank := map[class]int{floats: 1, vectors: 2}
	slices.SortStableFunc(all, func(a, b ir.Type) int {
		return cmp.Or(rank[classOf(a)]-rank[classOf(b)], bitsOf(a)-bitsOf(b), lanesOf(a)-lanesOf(b))
	})
	for _, t := range all {
		words = append(words, word(t))
	}
	return theSpace().names, words
}

// Places returns a single operation on each type that is asked about.
func (s Source) Places() (list []Cell) {
	a := theSpace()
	if s.Only == "" {
		for n := range a.places {
			list = append(list, a.single(n))
		}
		for n := range a.more {
			list = append(list, a.single(len(a.places)*len(ways)+n))
		}
		return list
	}
	for _, name := range slices.Concat(s.selected()...) {
		if c, err := Parse(name); err == nil && len(c.steps) == 1 {
			list = append(list, c)
		}
	}
	return list
}

// Blocks returns the number of blocks of cells.
func (s Source) Blocks() int64 {
	if s.Only != "" {
		return int64(len(s.selected()))
	}
	return int64(s.parts() * (s.singleRanges() + s.compositionRanges()))
}

// parts is how many blocks the cells of a range are. In C those that compute in 64 bits
// at most, about three of four, are a block of their own: some compilers have no more.
func (s Source) parts() int {
	if s.space().lang == nil {
		return 2
	}
	return 1
}

// rangeSize is how many cells a range has.
func (s Source) rangeSize() int {
	if s.parts() == 2 {
		return s.Size * 4 / 3
	}
	return s.Size
}

func (s Source) singleRanges() int {
	return (s.space().singles() + s.rangeSize() - 1) / s.rangeSize()
}

// compositionRanges returns the number of ranges of pairs and triples, of which each
// fourth is of triples.
func (s Source) compositionRanges() int { return s.space().sweep() * sweeps / s.rangeSize() * 4 / 3 }

// Names returns the names of the cells of a block. Ranges of single operations and of
// compositions take turns, until there are no more singles. The first block of a range
// has what computes in 64 bits at most, the second the rest.
func (s Source) Names(block int64) (names []string) {
	if block >= s.Blocks() {
		return nil
	}
	if s.Only != "" {
		return s.selected()[block]
	}
	parts := int64(s.parts())
	for _, c := range s.cells(int(block / parts)) {
		if parts == 1 || c.wide() == (block%parts == 1) {
			names = append(names, c.String())
		}
	}
	return names
}

// cells returns the cells of a range.
func (s Source) cells(n int) (list []Cell) {
	a, size := s.space(), s.rangeSize()
	ranges := s.singleRanges()
	if n < 2*ranges && n%2 == 0 {
		for i := n / 2 * size; i < min((n/2+1)*size, a.singles()); i++ {
			list = append(list, a.single(i))
		}
		return list
	}
	if n < 2*ranges {
		n /= 2
	} else {
		n -= ranges
	}
	steps, at := 2, n-n/4
	if n%4 == 3 {
		steps, at = 3, n/4
	}
	for i := range size {
		list = append(list, a.composed(at*size+i, steps))
	}
	return list
}

// selections holds the cells that patterns select, by language and patterns: a search goes through all.
var selections sync.Map

// selected returns the blocks of the cells that Only selects: single operations by
// patterns without "+", compositions by others.
func (s Source) selected() [][]string {
	key := fmt.Sprint(s.Language, " ", s.Size, " ", s.Only)
	if list, ok := selections.Load(key); ok {
		return list.([][]string)
	}
	var single, composed []string
	for p := range strings.SplitSeq(s.Only, ",") {
		if p = strings.TrimSpace(p); strings.Contains(p, "+") {
			composed = append(composed, p)
		} else {
			single = append(single, p)
		}
	}
	var lists [2][]string // by whether more than 64 bits are needed
	seen := map[string]bool{}
	add := func(patterns []string, n int, nth func(int) Cell) {
		for i := 0; i < n && patterns != nil; i++ {
			c := nth(i)
			if name := c.String(); !seen[name] && matches(patterns, name) {
				seen[name] = true
				k := 0
				if c.wide() {
					k = 1
				}
				lists[k] = append(lists[k], name)
			}
		}
	}
	a := s.space()
	add(single, a.singles(), a.single)
	for steps := 2; steps <= 3; steps++ {
		add(composed, a.sweep()*searched, func(n int) Cell { return a.composed(n, steps) })
	}
	var blocks [][]string
	for _, list := range lists {
		blocks = slices.AppendSeq(blocks, slices.Chunk(list, s.Size))
	}
	selections.Store(key, blocks)
	return blocks
}

// searched is how many sweeps of compositions are searched for those that a pattern selects.
const searched = 2

// Check returns an error if a pattern of Only is malformed.
func (o Options) Check() error {
	for pattern := range strings.SplitSeq(o.Only, ",") {
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("cells %q: %w", pattern, err)
		}
	}
	return nil
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := path.Match(p, name)
		return ok && err == nil
	})
}
