package oracle_test

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify/oracle"
	"goreify/reify/subject"
)

// objects has a sanitizer report programs with a word.
func objects(target compilers.Target, word string) {
	target.(*standIn).change = func(job compilers.Job, _ []string, o compilers.Outcome) compilers.Outcome {
		if strings.TrimSpace(string(job.Files[0].Content)) == word {
			return compilers.Outcome{Verdict: compilers.WrongAnswer, Report: true, Message: "undefined behaviour"}
		}
		return o
	}
}

// Whether a contradicted subject is our own bug depends on who vouches for it.
func TestContradictionsByTrust(t *testing.T) {
	for name, contradict := range map[string]func(o *oracle.Oracle, s *text){
		"both families": func(_ *oracle.Oracle, s *text) { s.want = "lie\n" },
		"the sanitizers": func(o *oracle.Oracle, _ *text) {
			garbles(o.Targets[2], "fast", "a")
			objects(o.Sanitizers[0], "a")
			objects(o.Sanitizers[1], "a")
		},
	} {
		for trust, want := range map[subject.Trust]struct {
			ours bool
			what string
		}{
			subject.Proved:   {true, "GENERATOR BUG: "},
			subject.Recorded: {false, "a recorded answer does not hold: "},
		} {
			t.Run(name+" "+trust.String(), func(t *testing.T) {
				o, _ := standIns(t)
				s := text{words: []string{"a"}, trust: trust}
				contradict(o, &s)
				report, err := o.Check(t.Context(), s, 0)
				var c *oracle.Contradiction
				require.ErrorAs(t, err, &c)
				assert.Equal(t, want.ours, c.Ours())
				assert.Equal(t, trust, c.Trust)
				assert.True(t, strings.HasPrefix(c.Error(), want.what), c.Error())
				require.NotNil(t, c.Finding, "what seemed to be one")
				assert.Contains(t, c.Program(), "trust: "+trust.String()+"\n")
				assert.Contains(t, c.Error(), c.Program())
				assert.Nil(t, report.Finding)
			})
		}
	}
}

// agreement is what is asked about a variant before anything else.
var agreement = []string{
	"ax-1 slow: s", "ax-1 slow: s~2", "bx-1 slow: s", "bx-1 slow: s~2",
	"ax-2 check slow: s", "ax-2 check slow: s~2", "bx-1 check slow: s", "bx-1 check slow: s~2",
}

func variant() text { return text{words: []string{"s~2"}, trust: subject.Agreed, seed: "s"} }

// A variant that all agree on is asked about like any other, with the answer of
// its seed.
func TestAgreement(t *testing.T) {
	o, log := standIns(t)
	report, err := o.Check(t.Context(), variant(), 0)
	require.NoError(t, err)
	assert.Equal(t, append(agreement, "ax-1 fast: s~2", "ax-2 fast: s~2", "bx-1 fast: s~2"), *log)
	assert.Equal(t, 3, report.Asked)

	o, _ = standIns(t)
	garbles(o.Targets[2], "fast", "s~2")
	report, err = o.Check(t.Context(), variant(), 0)
	require.NoError(t, err)
	require.NotNil(t, report.Finding)
	assert.Equal(t, "bx-1 fast", report.Finding.Config.String())
	e := entry(t, report.Finding)
	assert.Equal(t, "s\n", e.Want, "the reproducer holds the answer that was agreed on")
	assert.Equal(t, "s", e.Expected)
	assert.Equal(t, "garbled", e.Got)
}

// An answer that nobody prints is an answer, too.
func TestAgreementOnNothing(t *testing.T) {
	silent := func(_ compilers.Job, _ []string, o compilers.Outcome) compilers.Outcome {
		o.Stdout = nil
		return o
	}
	o, log := standIns(t)
	for i := range o.Targets[:2] {
		o.Targets[i].(*standIn).change = silent
	}
	_, err := o.Check(t.Context(), variant(), 0)
	assert.ErrorContains(t, err, "bx-1 slow: wrong-answer", "it prints something")
	assert.Equal(t, agreement[:3], *log)
}

// A group of variants stays a group: a failure leads to one of its members, with
// the answer that was agreed on for that alone. A member without one is no finding.
func TestAgreementOfGroups(t *testing.T) {
	all := texts{text{words: []string{"a~2", "b~2", "c~2"}, trust: subject.Agreed, seed: "a b c"}}
	for name, tt := range map[string]struct {
		group subject.Group
		named []string
	}{
		"named":                  {all, []string{"b~2"}},
		"members run one by one": {choosy{all}, nil},
		"halved":                 {all, nil},
	} {
		t.Run(name, func(t *testing.T) {
			o, _ := standIns(t)
			o.Targets[2].(*standIn).change = func(job compilers.Job, args []string, right compilers.Outcome) compilers.Outcome {
				words := strings.Fields(string(job.Files[0].Content))
				switch i := slices.Index(words, "b~2"); {
				case i < 0 || job.Mode != "fast" || args != nil && args[0] != strconv.Itoa(i):
					return right
				case tt.named != nil:
					return compilers.Outcome{Verdict: compilers.InternalError, Message: "gone", Named: tt.named}
				}
				return compilers.Outcome{Verdict: compilers.Crash}
			}
			report, err := o.Check(t.Context(), tt.group, 0)
			require.NoError(t, err)
			require.NotNil(t, report.Finding, "%v", report.Discards)
			assert.Equal(t, "b~2", report.Finding.Subject.Name())
			assert.Equal(t, "b\n", entry(t, report.Finding).Want)
			assert.Subset(t, []string{"a~2", "c~2"}, report.Others)
		})
	}

	o, _ := standIns(t)
	garbles(o.Targets[2], "fast", "b~2")
	o.Sanitizers[0].(*standIn).change = func(job compilers.Job, _ []string, right compilers.Outcome) compilers.Outcome {
		right.Report = strings.TrimSpace(string(job.Files[0].Content)) == "b~2"
		if right.Report {
			right.Verdict = compilers.WrongAnswer
		}
		return right
	}
	report, err := o.Check(t.Context(), all, 0)
	require.NoError(t, err)
	require.NotNil(t, report.Finding)
	assert.Equal(t, "b~2 c~2", report.Finding.Subject.Name(), "nobody agrees on b~2 alone")
}

// One that some disagree on is set aside before any configuration is asked.
func TestDisagreement(t *testing.T) {
	for name, tt := range map[string]struct {
		spoil func(o *oracle.Oracle)
		asked int // of agreement
		why   string
	}{
		"another answer of one family": {func(o *oracle.Oracle) { garbles(o.Targets[2], "slow", "s~2") }, 4, "bx-1 slow: wrong-answer"},
		"another answer of the first":  {func(o *oracle.Oracle) { garbles(o.Targets[0], "slow", "s~2") }, 2, "ax-1 slow: wrong-answer"},
		"another answer to the seed":   {func(o *oracle.Oracle) { garbles(o.Targets[2], "slow", "s") }, 3, "bx-1 slow: wrong-answer"},
		"a report about the seed":      {func(o *oracle.Oracle) { objects(o.Sanitizers[0], "s") }, 5, "ax-2 check slow: wrong-answer: undefined behaviour"},
		"a report about the variant":   {func(o *oracle.Oracle) { objects(o.Sanitizers[1], "s~2") }, 8, "bx-1 check slow: wrong-answer: undefined behaviour"},
		"one family":                   {func(o *oracle.Oracle) { o.Targets, o.Sanitizers = o.Targets[:2], nil }, 2, "two families are needed"},
	} {
		t.Run(name, func(t *testing.T) {
			o, log := standIns(t)
			tt.spoil(o)
			report, err := o.Check(t.Context(), variant(), 0)
			var c *oracle.Contradiction
			require.ErrorAs(t, err, &c)
			assert.False(t, c.Ours())
			assert.Equal(t, subject.Agreed, c.Trust)
			assert.Nil(t, c.Finding)
			assert.Contains(t, c.Error(), "a variant that does not do what its seed does: s~2: ")
			assert.Contains(t, c.Error(), tt.why)
			assert.Equal(t, agreement[:tt.asked], *log)
			assert.Zero(t, report.Asked)
		})
	}
}

// A variant must have a seed.
func TestVariantWithoutASeed(t *testing.T) {
	o, log := standIns(t)
	_, err := o.Check(t.Context(), text{words: []string{"s"}, trust: subject.Agreed}, 0)
	assert.ErrorContains(t, err, "s: a variant without a seed")
	assert.NotErrorAs(t, err, new(*oracle.Contradiction))
	assert.Empty(t, *log)
}

// Targets are asked about subjects of their language alone, and that there is none
// for it is an error.
func TestOf(t *testing.T) {
	o, log := standIns(t)
	for _, list := range [][]compilers.Target{o.Targets[:1], o.Sanitizers[:1]} {
		list[0].(*standIn).language = compilers.C
	}
	some, err := o.Of(toy)
	require.NoError(t, err)
	assert.Equal(t, o.Targets[1:], some.Targets)
	assert.Equal(t, o.Sanitizers[1:], some.Sanitizers)
	assert.Len(t, o.Targets, 3)
	report, err := o.Check(t.Context(), text{words: []string{"a"}}, 0)
	require.NoError(t, err)
	assert.Equal(t, 2, report.Asked)
	assert.Equal(t, []string{"ax-2 fast: a", "bx-1 fast: a"}, *log)

	o.Targets, *log = o.Targets[:1], nil
	report, err = o.Check(t.Context(), text{words: []string{"a"}}, 0)
	assert.EqualError(t, err, "no compiler for toy is here")
	assert.Equal(t, &oracle.Report{}, report)
	e, err := text{words: []string{"a"}}.Entry()
	require.NoError(t, err)
	assert.Empty(t, o.Replay(t.Context(), e))
	assert.Empty(t, o.ReplayBriefly(t.Context(), e))
	assert.Empty(t, *log)
}

// A target for another processor is to blame only if its own word is good without
// optimising, or that of one like it, and if compilers of this machine's own judge.
func TestEmulatedTargets(t *testing.T) {
	always := func(job compilers.Job, _ []string, o compilers.Outcome) compilers.Outcome {
		o.Stdout = []byte("garbled\n")
		return o
	}
	far := compilers.Traits{ByteOrder: binary.BigEndian, Long: 4, Pointer: 4, Emulated: true, Runner: []string{"qemu"}}
	for name, test := range map[string]struct {
		prepare func(o *oracle.Oracle)
		doubt   string // "" for a finding
	}{
		"optimising":    {func(o *oracle.Oracle) { garbles(o.Targets[1], "fast", "a") }, ""},
		"always":        {func(o *oracle.Oracle) { o.Targets[1].(*standIn).change = always }, "no compiler for such a processor"},
		"one of two":    {func(o *oracle.Oracle) { o.Targets[1].(*standIn).change = always; o.Targets[2].(*standIn).traits = far }, ""},
		"nobody judges": {func(o *oracle.Oracle) { garbles(o.Targets[1], "fast", "a"); o.Sanitizers = nil }, "no compiler of this machine's own"},
	} {
		t.Run(name, func(t *testing.T) {
			o, _ := standIns(t)
			o.Targets[1].(*standIn).traits = far
			test.prepare(o)
			assert.Equal(t, o.Sanitizers == nil, o.Judged() != nil)
			report, err := o.Check(t.Context(), text{words: []string{"a"}}, 0)
			require.NoError(t, err)
			if test.doubt == "" {
				require.NotNil(t, report.Finding)
				assert.Equal(t, "ax-2 fast", report.Finding.Config.String())
				return
			}
			assert.Nil(t, report.Finding)
			require.Len(t, report.Suspicions, 1)
			assert.Contains(t, report.Suspicions[0].Doubt, test.doubt)
		})
	}
}
