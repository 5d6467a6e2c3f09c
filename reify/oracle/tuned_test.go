package oracle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
)

// A tunable stand-in has two modes more, and garbles what it prints as garbles says
// of its flags and the mode.
type tunable struct {
	*standIn
	garbles func(flags []string, mode compilers.Mode) bool
}

func (t tunable) Modes() []compilers.Mode { return []compilers.Mode{"slow", "fast", "fastest"} }

// FlagSets returns two sets that are seen, one with a flag that is not known, and
// one that is hidden.
func (tunable) FlagSets() []compilers.FlagSet {
	return []compilers.FlagSet{
		{Flags: []string{"-w"}, Arch: true}, {Flags: []string{"-a", "-b", "-c"}}, {Flags: []string{"-x", "-unknown"}},
		{Flags: []string{"-hide me", "-hide you"}, Scout: true},
	}
}

func (t tunable) With(args ...string) compilers.Target {
	id := t.id
	id.Args = slices.Concat(id.Args, args)
	stand := &standIn{id: id, language: t.language, log: t.log, asked: t.asked}
	stand.change = func(job compilers.Job, _ []string, o compilers.Outcome) compilers.Outcome {
		if t.garbles(id.Args, job.Mode) {
			o.Stdout = []byte("garbled\n")
		}
		return o
	}
	return tunable{stand, t.garbles}
}

// A failure is shown with what it takes and no more: without flags where that can be
// done, and with hidden ones only in a note.
func TestFewestFlags(t *testing.T) {
	has := func(flags []string, some ...string) bool {
		return !slices.ContainsFunc(some, func(f string) bool { return !slices.Contains(flags, f) })
	}
	all := []string{"-w", "-a", "-b", "-c"}
	for name, tt := range map[string]struct {
		drawn   []string
		garbles func(flags []string, mode compilers.Mode) bool
		found   string // the configuration, or nothing
		noted   string
		needs   []string
		bad     string
	}{
		"one": {
			drawn:   all,
			garbles: func(f []string, m compilers.Mode) bool { return has(f, "-b") && m != "slow" },
			found:   "ax-3 -b fast", needs: []string{"-b"}, bad: "ax 3 -b : fast fastest",
		},
		"two, far apart": {
			drawn:   all,
			garbles: func(f []string, m compilers.Mode) bool { return has(f, "-w", "-c") && m == "fast" },
			found:   "ax-3 -w -c fast", needs: []string{"-w", "-c"}, bad: "ax 3 -w -c : fast",
		},
		"none": {
			drawn:   all,
			garbles: func(_ []string, m compilers.Mode) bool { return m == "fast" },
			found:   "ax-3 fast", bad: "ax 3 : fast",
		},
		"none, elsewhere": {
			drawn:   all,
			garbles: func(f []string, m compilers.Mode) bool { return m == "fastest" || m == "fast" && has(f, "-a") },
			found:   "ax-3 fastest", needs: []string{"-a"}, bad: "ax 3 : fastest",
		},
		"hidden ones": {
			drawn:   []string{"-w", "-hide me", "-hide you"},
			garbles: func(f []string, m compilers.Mode) bool { return has(f, "-hide", "me") && m == "fast" },
			noted:   "ax-3 -hide me fast", needs: []string{"-hide me"}, bad: "ax 3 -hide me : fast",
		},
		"hidden ones, and none elsewhere": {
			drawn:   []string{"-w", "-hide me", "-hide you"},
			garbles: func(f []string, m compilers.Mode) bool { return has(f, "me") && m == "fast" || m == "fastest" },
			found:   "ax-3 fastest", needs: []string{"-hide me"}, bad: "ax 3 : fastest",
		},
		"hidden ones, and those that were seen elsewhere": {
			drawn: []string{"-w", "-hide me"},
			garbles: func(f []string, m compilers.Mode) bool {
				return has(f, "me") && m == "fast" || has(f, "-w") && m == "fastest"
			},
			found: "ax-3 -w fastest", needs: []string{"-hide me"}, bad: "ax 3 -w : fastest",
		},
		"hidden ones, and another set": {
			drawn:   []string{"-hide me"},
			garbles: func(f []string, m compilers.Mode) bool { return (has(f, "me") || has(f, "-c")) && m == "fast" },
			found:   "ax-3 -c fast", needs: []string{"-hide me"}, bad: "ax 3 -c : fast",
		},
	} {
		t.Run(name, func(t *testing.T) {
			o, log := standIns(t)
			plain := tunable{o.Targets[1].(*standIn), tt.garbles}
			plain.id = compilers.ID{Name: "ax-3", Family: "ax", Version: "3"}
			of := plain.With().(tunable)
			tuned := compilers.Tune(of, tt.drawn...)
			o.Targets[1] = of
			o.Targets = append(o.Targets, tuned)
			o.Ask = func(t compilers.Target, mode compilers.Mode) bool { return t.ID().Same(tuned.ID()) && mode == "fast" }
			r, err := o.Check(t.Context(), text{words: []string{"a"}}, 0)
			require.NoError(t, err)
			f := r.Finding
			if tt.noted != "" {
				require.Nil(t, f)
				require.Len(t, r.Suspicions, 1)
				f = r.Suspicions[0]
				assert.True(t, f.Note)
				assert.Equal(t, 1, r.Asked, "it has answered")
				assert.Zero(t, r.Discarded)
			} else {
				require.NotNil(t, f)
				assert.Empty(t, r.Suspicions)
				assert.Equal(t, compilers.Name(tuned, "fast"), r.At.String())
			}
			assert.Equal(t, tt.found+tt.noted, f.Config.String())
			assert.Equal(t, tt.needs, f.Needs)
			require.Len(t, f.Bad, 1)
			assert.Equal(t, tt.bad, f.Bad[0].String())
			e, err := f.Entry()
			require.NoError(t, err)
			assert.Equal(t, tt.found+tt.noted, strings.Join(slices.Concat([]string{e.Compiler}, e.Flags, []string{e.Mode}), " "))
			assert.Less(t, len(*log), 80)
		})
	}
}
