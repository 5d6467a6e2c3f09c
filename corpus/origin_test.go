package corpus

import (
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
