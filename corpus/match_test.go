package corpus

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestKnownBad(t *testing.T) {
	e := &Entry{
		Family: "gcc", Version: "12.2.0", Mode: "-O1",
		Bad: []Configuration{
			{Family: "gcc", Version: "12.2.0", Modes: []string{"-O2", "-O3"}},
			{Family: "gcc", Version: "12.2.0", Args: []string{"-m32", "-g"}, Modes: []string{"-Os"}},
		},
	}
	tests := []struct {
		name            string
		family, version string
		args            []string
		level           string
		want            bool
	}{
		{"listed", "gcc", "12.2.0", nil, "-O2", true},
		{"empty arguments are none", "gcc", "12.2.0", []string{}, "-O3", true},
		{"found there", "gcc", "12.2.0", nil, "-O1", true},
		{"listed with arguments", "gcc", "12.2.0", []string{"-m32", "-g"}, "-Os", true},
		{"other level", "gcc", "12.2.0", nil, "-O0", false},
		{"start of a level", "gcc", "12.2.0", nil, "-O", false},
		{"other version", "gcc", "12.2.1", nil, "-O2", false},
		{"other family", "clang", "12.2.0", nil, "-O2", false},
		{"arguments not listed", "gcc", "12.2.0", []string{"-m32"}, "-O2", false},
		{"arguments missing", "gcc", "12.2.0", nil, "-Os", false},
		{"arguments in another order", "gcc", "12.2.0", []string{"-g", "-m32"}, "-Os", false},
		{"level of the other arguments", "gcc", "12.2.0", []string{"-m32", "-g"}, "-O1", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, e.KnownBad(tt.family, tt.version, tt.args, tt.level))
		})
	}
}

// Where an entry says that it is incomplete, all modes of its compiler count.
func TestKnownBadIncomplete(t *testing.T) {
	e := &Entry{Family: "go", Version: "1.26", Mode: "-N,-l", Notes: []Note{{NoteIncomplete, "no time"}}}
	assert.True(t, e.KnownBad("go", "1.26", nil, "-l"))
	assert.False(t, e.KnownBad("go", "1.25", nil, "-l"))
}

func TestAdd(t *testing.T) {
	args := []string{"-m32"}
	var list []Configuration
	for _, mode := range []string{"-O2", "-O3", "-O2"} {
		list = Add(list, "gcc", "12.2.0", args, mode)
		list = Add(list, "gcc", "12.2.0", []string{}, mode)
	}
	list = Add(list, "gcc", "13.1.0", nil, "-O2")
	args[0] = "-m64"
	assert.Equal(t, []Configuration{
		{Family: "gcc", Version: "12.2.0", Args: []string{"-m32"}, Modes: []string{"-O2", "-O3"}},
		{Family: "gcc", Version: "12.2.0", Modes: []string{"-O2", "-O3"}},
		{Family: "gcc", Version: "13.1.0", Modes: []string{"-O2"}},
	}, list)
	assert.Equal(t, "gcc 12.2.0 -m32 : -O2 -O3", list[0].String())
}

func TestFingerprint(t *testing.T) {
	base := func() *Entry { return load(t, "full.txtar") }
	assert.Equal(t, "gcc 12.2.0 -fwrapv -m32; wrong; -O2 -O3; internal compiler error: in nothing, at none.c:1", base().Fingerprint())

	tests := []struct {
		name   string
		change func(e *Entry)
		same   bool
	}{
		{"title", func(e *Entry) { e.Title = "x" }, true},
		{"answer", func(e *Entry) { e.Got, e.Expected, e.Want = "1", "2", "2\n" }, true},
		{"program", func(e *Entry) { e.Sources[MainC] = "x\n" }, true},
		{"order of the levels", func(e *Entry) { e.Bad[0].Modes = []string{"-O2", "-O3"} }, true},
		{"level it was found at", func(e *Entry) { e.Mode = "-O3" }, true},
		{"another version fails too", func(e *Entry) { e.Bad[1].Modes = []string{"-O1"} }, true},
		{"place in the source", func(e *Entry) { e.Message = "a.c:7: internal compiler error: in nothing, at none.c:1" }, true},
		{"place in the compiler", func(e *Entry) { e.Message = "internal compiler error: in nothing, at none.c:2" }, false},
		{"verdict", func(e *Entry) { e.Verdict = "ice" }, false},
		{"flags", func(e *Entry) { e.Flags, e.Bad[0].Args = nil, nil }, false},
		{"version", func(e *Entry) { e.Version = "12.3.0" }, false},
		{"family", func(e *Entry) { e.Family = "clang" }, false},
		{"one more level", func(e *Entry) { e.Bad[0].Modes = []string{"-O1", "-O2", "-O3"} }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := base()
			tt.change(e)
			assert.Equal(t, tt.same, base().Fingerprint() == e.Fingerprint())
		})
	}
}
