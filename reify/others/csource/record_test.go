package csource_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/others/csource"
)

func TestRecord(t *testing.T) {
	edits := []csource.Edit{{From: 4, To: 9, Text: ";", Why: "prune: if at 4"}, {From: 2, To: 2, Text: "a\n-- b --\n", Why: "guard: tg"}, {From: 12, To: 13, Why: "prune: if at 12"}}
	text := csource.Record(edits)
	assert.NotContains(t, text, "\n-- ")
	back, err := csource.ReadRecord(text, 13)
	require.NoError(t, err)
	assert.Equal(t, edits, back)
	assert.Equal(t, "prune 2, guard 1", csource.Passes(edits))
	_, err = csource.ReadRecord(text, 12)
	assert.ErrorContains(t, err, "line 3: an edit from 12 to 13 of a text of 12 bytes")
	_, err = csource.ReadRecord(text+"{", 13)
	assert.ErrorContains(t, err, "line 4: ")
	back, err = csource.ReadRecord("", 0)
	require.NoError(t, err)
	assert.Empty(t, back)
}

// A jump is left out whose label is taken away.
func TestCompatible(t *testing.T) {
	const text = "int f(int x)\n{\n\tif (x) { again: x--; if (x) goto again; }\n\tif (x > 3) x = 2;\n\treturn x;\n}\nint main(void) { return f(0); }\n"
	p, err := csource.Parse("a.c", []byte(text), csource.LP64)
	require.NoError(t, err)
	at := func(piece string) (from, to int) {
		from = strings.Index(text, piece)
		require.GreaterOrEqual(t, from, 0)
		return from, from + len(piece)
	}
	from, to := at("{ again: x--; if (x) goto again; }")
	gone := csource.Edit{From: from, To: to, Text: ";"}
	kept := csource.Edit{From: from, To: to, Text: "{ x++; " + text[from:to] + " }"}
	from, _ = at("x = 2;")
	jump, none := csource.Edit{From: from, To: from, Text: "goto again; "}, csource.Edit{From: from, To: from, Text: "x++; "}
	assert.Equal(t, []csource.Edit{none, gone}, p.Compatible([]csource.Edit{none, jump, gone}))
	for _, all := range [][]csource.Edit{{jump}, {jump, kept, none}} {
		assert.Equal(t, all, p.Compatible(all))
	}
}

func TestDiff(t *testing.T) {
	text := []byte("one\ntwo\nthree\nfour\nfive\n")
	for _, tt := range []struct {
		edits []csource.Edit
		want  string
	}{
		{nil, ""},
		{[]csource.Edit{{From: 4, To: 7, Text: "2"}}, "@@ -2,1 +2,1 @@\n-two\n+2\n"},
		{[]csource.Edit{{From: 0, To: 0, Text: "zero\n"}, {From: 14, To: 18, Text: "4"}}, "@@ -1,1 +1,2 @@\n-one\n+zero\n+one\n@@ -4,1 +5,1 @@\n-four\n+4\n"},
		{[]csource.Edit{{From: 9, To: 15, Text: ""}, {From: 5, To: 6, Text: "x"}}, "@@ -2,1 +2,1 @@\n-two\n+txo\n@@ -3,2 +3,1 @@\n-three\n-four\n+tour\n"},
		{[]csource.Edit{{From: 4, To: 5, Text: "T"}, {From: 6, To: 7, Text: "O"}}, "@@ -2,1 +2,1 @@\n-two\n+TwO\n"},
	} {
		assert.Equal(t, tt.want, csource.Diff(text, tt.edits))
	}
}
