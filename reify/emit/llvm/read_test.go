package llvm_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/llvm/ll"
	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/source/matrix"
	"goreify/reify/source/program"
	"goreify/reify/subject"
)

// steps bound the runs of a module: more than a batch makes.
const steps = 1 << 24

// sources are those of the kinds of hunts in LLVM IR.
func sources() (list []source.Source) {
	for _, profile := range reify.Profiles() {
		list = append(list, function.Source{Options: function.Options{Profile: profile, Size: 4, Language: compilers.LLVM}})
	}
	return append(list,
		program.Source{Options: function.Options{Profile: "calls", Size: 1, Language: compilers.LLVM}},
		program.Source{Options: function.Options{Profile: "focus", Size: 2, Language: compilers.LLVM}},
		matrix.Source{Options: matrix.Options{Size: 60, Language: compilers.LLVM}})
}

// What is written of all kinds is read by package ll, which knows nothing of the writer. In its
// interpreter each call gives the answer of the proof, with poison that no decision and no
// answer depends on, whichever byte comes first in memory. The same holds of the text that is
// written of what was read.
func TestRead(t *testing.T) {
	for n, s := range sources() {
		o, _ := s.(function.Source)
		t.Run(fmt.Sprintf("%s/%d/%s", s.Name(), n, o.Profile), func(t *testing.T) {
			in, err := s.Make(t.Context(), s.Draw(choice.From(uint64(n)*7919+1)))
			require.NoError(t, err)
			judged(t, in)
		})
	}
}

func judged(t *testing.T, s subject.Subject) {
	t.Helper()
	a := s.Artefact()
	text := string(a.Files[0].Content)
	again := ""
	for _, big := range []bool{false, true} {
		for _, text := range []string{text, again} {
			if text == "" {
				continue
			}
			m, err := ll.ParseStrict(text)
			require.NoError(t, err, "%s", text)
			m.Big, m.Steps = big, steps
			r, err := m.Run(m.Func("main"), ll.Number(ll.IntType(32), 1), ll.Operand{Type: &ll.Type{Kind: ll.Ptr}, Const: []ll.Lane{ll.Bits(0, 0)}})
			require.NoError(t, err, "%s", text)
			require.Equal(t, string(a.Want), r.Output, "%s", text)
			assert.Equal(t, "0", r.Value.String())
			again = m.String()
		}
	}
}
