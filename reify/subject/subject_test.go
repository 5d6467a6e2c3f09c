package subject

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"goreify/compilers"
	"goreify/corpus"
)

func TestTrust(t *testing.T) {
	for trust, want := range map[Trust]string{
		Proved: corpus.Proved, Recorded: corpus.Recorded, Agreed: corpus.Agreed, -1: "Trust(-1)", 3: "Trust(3)",
	} {
		assert.Equal(t, want, trust.String())
	}
}

func TestArtefact(t *testing.T) {
	a := Artefact{
		Language: compilers.C,
		Files:    []compilers.File{{Name: compilers.MainC, Content: []byte("1")}, {Name: "x.c", Content: []byte("2")}},
		Want:     []byte("3\n"),
	}
	assert.Equal(t, compilers.Job{Files: a.Files, Want: a.Want, Mode: "-O2"}, a.Job("-O2"))
	assert.Equal(t, map[string]string{compilers.MainC: "1", "x.c": "2"}, Sources(a.Files))
}

func TestAddMember(t *testing.T) {
	var list []int
	for _, member := range []int{2, 0, 2, 1, 0} {
		list = AddMember(list, member)
	}
	assert.Equal(t, []int{2, 0, 1}, list)
}
