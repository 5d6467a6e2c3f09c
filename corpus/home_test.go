package corpus

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An entry that moves twice remembers both homes, through the file.
func TestFormerHomes(t *testing.T) {
	e := load(t, "full.txtar")
	first := Home{Configuration{"gcc", "12.2.0", e.Flags, []string{"-O2"}}, "gcc-12", e.Verdict, "gcc/a; b/c/d"}
	e.Bucket = first.Bucket
	before := string(e.Format())
	copied := *e
	copied.Leave()
	assert.Equal(t, before, string(e.Format()), "a copy of it stays as it is")

	assert.Empty(t, e.FormerHomes())
	assert.Equal(t, []string{first.Bucket}, e.Buckets())
	e.Leave()
	assert.True(t, e.KnownBad("gcc", "12.2.0", e.Flags, "-O2"))
	second := Home{Configuration{"gcc", "17.0.0 20261020", []string{"-m32"}, []string{"-O1"}}, "gcc-17@trunk", "crash", ""}
	e.Compiler, e.Version, e.Flags, e.Mode, e.Verdict, e.Bucket = second.Compiler, second.Version, second.Args, "-O1", "crash", ""
	e.Leave()
	e.Version = "17.0.0 20261025"
	require.NoError(t, e.Check())
	back, err := Parse("x", e.Format())
	require.NoError(t, err)
	assert.Equal(t, []Home{first, second}, back.FormerHomes())
	assert.Equal(t, []string{first.Bucket}, back.Buckets())
	assert.Equal(t, e.Version, back.Version)
	assert.True(t, back.KnownBad("gcc", "12.2.0", first.Args, "-O2"))
	assert.True(t, back.KnownBad("gcc", "17.0.0 20261020", []string{"-m32"}, "-O1"))

	back.Notes = []Note{{NoteFormerHome, "somewhere"}, {NoteFormerHome, "a; b; c; d"}}
	assert.Empty(t, back.FormerHomes())
}

func TestKnownGood(t *testing.T) {
	e := &Entry{Family: "gcc", Version: "12", Mode: "-O2", Good: []Configuration{{"gcc", "13", []string{"-m32"}, []string{"-O1", "-O2"}}}}
	assert.True(t, e.KnownGood("gcc", "13", []string{"-m32"}, "-O2"))
	for _, c := range []Configuration{{"gcc", "12", nil, []string{"-O2"}}, {"gcc", "13", nil, []string{"-O2"}}, {"gcc", "13", []string{"-m32"}, []string{"-O3"}}, {"clang", "13", []string{"-m32"}, []string{"-O2"}}} {
		assert.False(t, e.KnownGood(c.Family, c.Version, c.Args, c.Modes[0]), "%v", c)
	}
}
