package bisect

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Rules that take out an extension, in the words of several processors.
func TestExtension(t *testing.T) {
	for rule, want := range map[string]bool{
		"PPC64.rules:682 (MOVWZreg w:(SLWconst u)) => w":                 true,
		"RISCV64.rules:646 (MOVWreg x:(MOVHreg _)) => (MOVDreg x)":       true,
		"ARM64.rules (MOVWUreg x) => x":                                  true,
		"AMD64.rules:1 (MOVLQZX x) => x":                                 true,
		"S390X.rules:709 (CMPW x (MOVDconst [c])) => (CMPWconst x [c])":  false,
		"S390X.rules:1 (MOVWstore p x mem) => (MOVDstore p x mem)":       false,
		"ARM.rules:1071 (MVNshiftRA (MOVWconst [c]) [d]) => (MOVWconst)": false,
		"PPC64.rules:1 (Add (MOVWZreg x) y) => (ADD x y)":                false,
	} {
		assert.Equal(t, want, extension.MatchString(rule), rule)
	}
}

func TestFired(t *testing.T) {
	m := firedLine.FindStringSubmatch("x\nFIRED 17 late lower main.f\nOP DIVW f\n")
	assert.Equal(t, []string{"17", "late lower", "main.f"}, m[1:])
	assert.Equal(t, "DIVW", opLine.FindStringSubmatch("OP DIVW f\n")[1])
}

func TestCodeGeneration(t *testing.T) {
	assert.Equal(t, "code generation for s390x", CodeGenerationFor("s390x", ""))
	located := Blame{Pass: CodeGenerationFor("aarch64", "aarch64-isel"), Code: []string{"sbfiz"}, Uncovered: "tailcallelim"}
	assert.True(t, located.Located())
	assert.Equal(t, "code generation for aarch64 (aarch64-isel), which makes sbfiz, uncovered by tailcallelim", located.String())
	assert.False(t, (&Blame{Pass: CodeGenerationFor("s390x", "")}).Located())
	assert.False(t, (&Blame{Pass: "loop-load-elim"}).Located())
	assert.True(t, (&Blame{Pass: "tree-sccp", Seen: true}).Located())
}

// The numbers of steps that are left out, and steps of the combiner.
func TestIntervals(t *testing.T) {
	assert.Equal(t, []string{"-mllvm", "-opt-bisect=1-4,6-999999"}, without(5))
	assert.Equal(t, []string{"-mllvm", "-opt-bisect=2-999999"}, without(1))
	assert.Equal(t, []string{"-mllvm", "-opt-bisect=1,3-999999"}, without(2))
	assert.Equal(t, []string{"-mllvm", "-debug-counter=dagcombine=0-4"}, combines(5))
	assert.Equal(t, []string{"-mllvm", "-debug-counter=dagcombine=0"}, combines(1), "an interval of one is none")
	steps := []step{{"licm", "f", false}, {"dse", "f", false}, {"licm", "f", false}, {"licm", "g", false}}
	assert.Equal(t, []int{1, 3}, of(steps, steps[0]))
}

// A rule of the processor comes before one of all processors, and of these only what the processor
// decides counts: a rule that fires where the program is right does not go wrong.
func TestCandidates(t *testing.T) {
	rules := []string{
		"generic.rules:1 (Add x y) => (Add y x)",
		"generic.rules:2 (Mul x y) && config.useHmul => (Hmul x y)",
		"generic.rules:3 (Load <t> x) && config.BigEndian => (Const x)",
		"dec.rules:4 (Load <t> x) && config.PtrSize == 8 => (Make x)",
		"ARM.rules:5 (Add x y) => (ADD x y)",
		"ARM.rules:6 (ADD x y) && config.x => (SUB x y)",
	}
	rule := func(id int) (string, bool) { return rules[id], id > 3 }
	of := func(ids ...int) (list []firing) {
		for _, id := range ids {
			list = append(list, firing{id, "opt"})
		}
		return list
	}
	for _, tt := range []struct {
		elsewhere []firing
		sameOrder bool
		want      []firing
	}{
		{nil, true, of(4, 5, 3, 2, 1)},
		{of(1, 2, 4), true, of(4, 5, 3)},
		{of(1, 2, 3), false, of(4, 5, 2)},
	} {
		assert.Equal(t, tt.want, candidates(of(0, 1, 2, 5, 3, 5, 4), tt.elsewhere, rule, tt.sameOrder))
	}
}
