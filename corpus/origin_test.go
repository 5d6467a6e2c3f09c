package corpus

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Origins are read from the notes as they are written.
func TestOrigins(t *testing.T) {
	e := &Entry{Notes: []Note{
		OriginOf("zlib 1.2.12 inftrees.c inflate_table", "Zlib"),
		{NoteCalls, "7"},
		OriginOf("a, b c.c f", ""),
		OriginOf("x", "none"),
	}}
	assert.Equal(t, []Origin{{"zlib 1.2.12 inftrees.c inflate_table", "Zlib"}, {"a, b c.c f", Unlicensed}, {"x", Unlicensed}}, e.Origins())
	assert.Equal(t, "x-origin", e.Notes[0].Key)
	assert.Equal(t, "zlib 1.2.12 inftrees.c inflate_table, Zlib", e.Notes[0].Value)
}

// What is no licence is none, whatever the names around it are.
func TestOriginsUnlicensed(t *testing.T) {
	for _, o := range []struct{ origin, licence string }{
		{"a a.c f", "NONE"}, {"a a.c f", "NOASSERTION"}, {"a a.c f", "Unlicensed"}, {"a a.c f", "proprietary"},
		{"a a.c f", "unknown, see COPYING"},
		{"a a\n.c f", "unknown"}, // quoted
		{"a, b/" + strings.Repeat("c", 400), "unknown"},
	} {
		e := &Entry{Notes: []Note{OriginOf(o.origin, o.licence)}}
		assert.Equal(t, Unlicensed, e.Origins()[0].Licence, "%q", o)
	}
	e := &Entry{Notes: []Note{OriginOf("a, b/"+strings.Repeat("c", 400), "Zlib")}}
	assert.Equal(t, "Zlib", e.Origins()[0].Licence)
	assert.LessOrEqual(t, len([]rune(e.Notes[0].Value)), maxLine)
}
