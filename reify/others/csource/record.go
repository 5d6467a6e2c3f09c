package csource

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Record returns edits as text, a line each. ReadRecord reads it.
func Record(edits []Edit) string {
	var b strings.Builder
	for _, e := range edits {
		line, err := json.Marshal(e)
		if err != nil {
			panic("csource: an edit: " + err.Error()) // plain fields only
		}
		b.Write(append(line, '\n'))
	}
	return b.String()
}

// ReadRecord reads edits of a text of some bytes. The error names the line, also of an
// edit out of bounds.
func ReadRecord(text string, size int) (edits []Edit, err error) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		var e Edit
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if e.From < 0 || e.To < e.From || e.To > size {
			return nil, fmt.Errorf("line %d: an edit from %d to %d of a text of %d bytes", n, e.From, e.To, size)
		}
		edits = append(edits, e)
	}
	return edits, nil
}

// Passes counts edits by the pass that made them: "guard 2, prune 13". The order
// is that of their first.
func Passes(edits []Edit) string {
	var names []string
	count := map[string]int{}
	for _, e := range edits {
		name, _, _ := strings.Cut(e.Why, ":")
		if count[name]++; count[name] == 1 {
			names = append(names, name)
		}
	}
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, count[name])
	}
	return strings.Join(names, ", ")
}

// Diff returns edits as a unified diff without context: the lines of the text that each
// touches, before and after. An edit that another drops is left out.
func Diff(text []byte, edits []Edit) string {
	var b strings.Builder
	sorted := slices.SortedStableFunc(slices.Values(edits), func(a, b Edit) int { return cmp.Compare(a.From, b.From) })
	grown := 0 // lines that were added before
	for i := 0; i < len(sorted); {
		from, to := linesOf(text, sorted[i])
		n := i + 1
		for ; n < len(sorted) && sorted[n].From < to; n++ {
			if _, end := linesOf(text, sorted[n]); end > to {
				to = end
			}
		}
		var inside []Edit
		for _, e := range sorted[i:n] {
			e.From, e.To = e.From-from, e.To-from
			inside = append(inside, e)
		}
		before, after := string(text[from:to]), string(apply(text[from:to], inside))
		first, old, new := 1+bytes.Count(text[:from], []byte("\n")), strings.Count(before, "\n"), strings.Count(after, "\n")
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", first, old, first+grown, new)
		for _, side := range []struct{ mark, text string }{{"-", before}, {"+", after}} {
			for line := range strings.Lines(side.text) {
				b.WriteString(side.mark + line)
			}
		}
		grown += new - old
		i = n
	}
	return b.String()
}

// linesOf returns the begin and end of the lines that an edit touches. The last one of
// a text ends in a newline.
func linesOf(text []byte, e Edit) (from, to int) {
	from = 1 + bytes.LastIndexByte(text[:e.From], '\n')
	to = len(text)
	if i := bytes.IndexByte(text[e.To:], '\n'); i >= 0 {
		to = e.To + i + 1
	}
	return from, to
}
