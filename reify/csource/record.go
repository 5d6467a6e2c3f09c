package csource

import (
	"encoding/json"
	"fmt"
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

// ReadRecord reads edits of a text of some bytes. The error names the line, also of
// an edit that is not within these.
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
