package csource

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Marks in the output of instrumented programs, after the output of the program itself.
const (
	hitsMark = "\n#reify hits\n"
	rowsMark = "\n#reify rows\n"
	endMark  = "#reify end\n"
)

// ErrCut says that an instrumented program did not end as programs should: by
// return from main or by exit.
var ErrCut = errors.New("the program did not end by return or exit")

// Counters returns the program with a counter before each statement. It prints
// what the program prints and then, as it ends by return or exit, the counters:
// see Hits. That is after the program's own destructors, which run by priority.
func (p *Program) Counters() []byte {
	edits := p.Count(func(i int) string { return fmt.Sprintf("__reify_n[%d]++; ", i) })
	head := fmt.Sprintf("static unsigned __reify_n[%d];\n", len(p.Stmts)+1)
	tail := fmt.Sprintf(`
__attribute__((destructor(101))) static void __reify_print(void)
{
	int i;
	__builtin_printf("%%s", %q);
	for (i = 0; i < %d; i++)
		if (__reify_n[i])
			__builtin_printf("%%d %%u\n", i, __reify_n[i]);
	__builtin_printf("%%s", %q);
}
`, hitsMark, len(p.Stmts), endMark)
	return []byte(head + string(p.Apply(edits)) + tail)
}

// Count returns edits that insert code, one or more statements and a space, before each
// statement other than declarations, labels and cases.
func (p *Program) Count(code func(stmt int) string) (edits []Edit) {
	for i, s := range p.Stmts {
		if s.Kind != Declaration && s.Kind != Labelled && s.Kind != Case {
			edits = p.before(edits, i, code(i))
		}
	}
	return edits
}

// before adds edits that have code run before statement i whenever it is reached, also
// by a jump into it if it is a block.
func (p *Program) before(edits []Edit, i int, code string) []Edit {
	s := p.Stmts[i]
	switch {
	case s.Kind == Compound && p.text(p.token(s.From+1)) != "__label__":
		return append(edits, Edit{From: s.From + 1, To: s.From + 1, Text: " " + code})
	case s.Item, s.From == s.To:
		return append(edits, Edit{From: s.From, To: s.From, Text: code})
	case s.Fixed && s.Parent >= 0 && p.Stmts[s.Parent].Kind == Labelled: // a value, which braces would take away
		return edits
	}
	return append(edits, Edit{From: s.From, To: s.From, Text: "{ " + code}, Edit{From: s.To, To: s.To, Text: " }"})
}

// Hits splits the output of a program of Counters, of one run or of several, one after
// the other. It returns the output of the seed, and how often each of Stmts was
// executed. Declarations have no counter: 0. The error is ErrCut if the counters are
// not all there. Ask compilers of all families and take the larger counts: where a
// program defines a function that is a builtin, one family may call it and the other
// not.
func (p *Program) Hits(output []byte) (printed []byte, hits []uint32, err error) {
	printed, runs, err := dumped(output, hitsMark)
	if err != nil {
		return printed, nil, err
	}
	hits = make([]uint32, len(p.Stmts))
	for _, line := range slices.Concat(runs...) {
		at, count, _ := strings.Cut(line, " ")
		i, err1 := strconv.Atoi(at)
		n, err2 := strconv.ParseUint(count, 10, 32)
		if err1 != nil || err2 != nil || i < 0 || i >= len(hits) {
			return printed, nil, fmt.Errorf("counter %q of a program of %d statements", line, len(hits))
		}
		hits[i] = uint32(min(uint64(hits[i])+n, math.MaxUint32))
	}
	// A label is reached as often as its statement.
	for i := len(hits) - 1; i >= 0; i-- {
		if k := p.Stmts[i].Kind; (k == Labelled || k == Case) && i+1 < len(hits) {
			hits[i] = hits[i+1]
		}
	}
	return printed, hits, nil
}

// dumped splits the output of an instrumented program at a mark: the output of the
// seed, and the lines of each run.
func dumped(output []byte, mark string) (printed []byte, runs [][]string, err error) {
	for len(output) > 0 || runs == nil {
		run, rest, ended := bytes.Cut(output, []byte(endMark))
		at := bytes.LastIndex(run, []byte(mark))
		if at < 0 || !ended {
			return append(printed, output...), nil, ErrCut
		}
		lines := []string{}
		for line := range strings.Lines(string(run[at+len(mark):])) {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
		printed, runs, output = append(printed, run[:at]...), append(runs, lines), rest
	}
	return printed, runs, nil
}
