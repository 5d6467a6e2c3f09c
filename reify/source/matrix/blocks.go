package matrix

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"goreify/reify/ir"
)

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
	return Source{}.space().names, words
}

// Places returns a single operation on each type that is asked about.
func (s Source) Places() (list []Cell) {
	a := s.space()
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

// parts is how many blocks the cells of a range are. Where there are wider integers those that compute in 64 bits
// at most, about three of four, are a block of their own: some compilers have no more.
func (s Source) parts() int {
	if s.space().lang.Wide() {
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
// patterns without "+", compositions by others. The name of a cell selects it even if
// no block has it: cells of older releases have names, too.
func (s Source) selected() [][]string {
	key := fmt.Sprint(s.Language, " ", s.Size, " ", s.Only)
	if list, ok := selections.Load(key); ok {
		return list.([][]string)
	}
	var single, composed []pattern
	var named []Cell
	for p := range strings.SplitSeq(s.Only, ",") {
		p = strings.TrimSpace(p)
		if c, err := Parse(p); err == nil {
			named = append(named, c)
		} else if strings.Contains(p, "+") {
			composed = append(composed, patternOf(p))
		} else {
			single = append(single, patternOf(p))
		}
	}
	var lists [2][]string // by whether more than 64 bits are needed
	seen := map[string]bool{}
	list := func(c Cell) {
		name := c.String()
		if seen[name] {
			return
		}
		seen[name] = true
		k := 0
		if c.wide() {
			k = 1
		}
		lists[k] = append(lists[k], name)
	}
	add := func(patterns []pattern, n int, begins func(int) string, nth func(int) Cell) {
		for i := 0; i < n && patterns != nil; i++ {
			if first := begins(i); !slices.ContainsFunc(patterns, func(p pattern) bool { return p.allows(first) }) {
				continue
			}
			c := nth(i)
			if name := c.String(); slices.ContainsFunc(patterns, func(p pattern) bool { return p.matches(name) }) {
				list(c)
			}
		}
	}
	for _, c := range named {
		list(c)
	}
	a := s.space()
	add(single, a.singles(), func(n int) string { p, _ := a.placed(n); return p.op.name }, a.single)
	for steps := 2; steps <= 3; steps++ {
		add(composed, a.sweep()*searched, func(n int) string { return a.names[a.at(n)%len(a.names)] }, func(n int) Cell { return a.composed(n, steps) })
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

// Bounds of Only: its length, and that of its patterns, names of cells not counted. Each
// pattern is matched with millions of names, and a stranger's database of a hunt may have any.
const (
	mostOnly     = 1 << 16
	mostPatterns = 1 << 9
)

// Check returns an error if a pattern of Only is malformed, or if there are too many.
func (o Options) Check() error {
	if len(o.Only) > mostOnly {
		return fmt.Errorf("cells %.40q...: %d bytes, want %d at most", o.Only, len(o.Only), mostOnly)
	}
	patterns := 0
	for pattern := range strings.SplitSeq(o.Only, ",") {
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("cells %q: %w", pattern, err)
		}
		if _, err := Parse(strings.TrimSpace(pattern)); err != nil {
			patterns += len(pattern) + 1
		}
	}
	if patterns > mostPatterns {
		return fmt.Errorf("cells %.40q...: patterns of %d bytes, want %d at most", o.Only, patterns, mostPatterns)
	}
	return nil
}

// A pattern is one of path.Match, with the text that what it matches begins and ends with.
type pattern struct{ whole, before, after string }

func patternOf(whole string) pattern {
	const special = `*?[]\`
	p := pattern{whole: whole, before: whole, after: whole[strings.LastIndexAny(whole, special)+1:]}
	if i := strings.IndexAny(whole, special); i >= 0 {
		p.before = whole[:i]
	}
	return p
}

// allows reports whether a name that begins with a text may match.
func (p pattern) allows(first string) bool {
	return strings.HasPrefix(p.before, first) || strings.HasPrefix(first, p.before)
}

// matches tells by the ends what path.Match takes long for: most names match nothing.
func (p pattern) matches(name string) bool {
	if !strings.HasSuffix(name, p.after) || !strings.HasPrefix(name, p.before) {
		return false
	}
	ok, err := path.Match(p.whole, name)
	return ok && err == nil
}
