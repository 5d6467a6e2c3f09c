package oracle_test

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify/oracle"
	"goreify/tools/need"
)

// A witness is a compiler that has no reason to be wrong: at -O0, or with
// sanitizers, of either word size.
type witness struct {
	compilers.Target
	checks bool     // it has sanitizers
	terse  []string // what makes it cheaper and say less
	asked  int      // functions
	cost   oracle.Cost
}

func (w *witness) String() string {
	if !w.checks {
		return w.ID().String()
	}
	what := w.ID().Name
	if slices.Contains(w.ID().Args, "-m32") {
		what += " -m32"
	}
	return what + " with sanitizers"
}

// moreChecks are the sanitizers that are not part of undefined: the language
// has no division of floating-point numbers by zero and no conversion out of
// range.
const moreChecks = "-fsanitize=float-divide-by-zero,float-cast-overflow"

// traps has undefined behaviour end the program without a report, which halves
// what it costs to compile.
var traps = map[string][]string{
	"gcc":   {"-fsanitize-undefined-trap-on-error"},
	"clang": {"-fsanitize-trap=undefined,float-divide-by-zero,float-cast-overflow"},
}

// witnesses returns the newest compiler of each family, bare and with
// sanitizers, at -m64 and, where its libraries are installed, at -m32.
func witnesses(t *testing.T, o *oracle.Oracle) []*witness {
	require.NotEmpty(t, o.Sanitizers, "no compiler here has its sanitizers; asked: %v", o.Unusable)
	for _, family := range []string{"gcc", "clang"} {
		if !slices.ContainsFunc(o.Sanitizers, func(tool compilers.Target) bool { return tool.ID().Family == family }) {
			need.Partly(t, family, "%s has no sanitizers here", family)
		}
	}
	var list, narrow []*witness
	with := func(tool compilers.Target, arg string) compilers.Target {
		more, ok := compilers.With(tool, arg)
		require.True(t, ok)
		return more
	}
	add := func(tool compilers.Target, checks bool, limits compilers.Limits) {
		w := &witness{Target: tool, checks: checks}
		if checks {
			w.Target = with(tool, moreChecks)
			w.terse = traps[w.ID().Family]
		}
		list = append(list, w)
		m := &witness{Target: with(compilers.Plain(w.Target), "-m32"), checks: checks, terse: w.terse}
		if err := compilers.Probe(t.Context(), m.Target, o.Space, limits); err != nil {
			need.Partly(t, "m32", "%v; see make setup-all", err)
			return
		}
		narrow = append(narrow, m)
	}
	for _, tool := range newest(o) {
		add(tool, false, o.Limits)
	}
	for _, tool := range o.Sanitizers {
		add(tool, true, o.Limits.ForSanitizers())
	}
	return append(list, narrow...)
}

// A complaint is what a witness has against a program.
type complaint struct {
	*witness
	compilers.Outcome
}

func (c complaint) String() string {
	return fmt.Sprintf("%v: %v", compilers.Name(c.Target, "-O0"), c.Outcome)
}

// A question is a program for witnesses.
type question struct {
	functions int
	job       compilers.Job
	checked   compilers.Job // for those with sanitizers
	terse     bool          // no reports are asked for
}

// ask asks witnesses, as many at once as there are processors.
func ask(ctx context.Context, o *oracle.Oracle, list []*witness, limits compilers.Limits, q question) []complaint {
	said := make([]compilers.Outcome, len(list))
	var group sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, w := range list {
		group.Go(func() {
			free <- struct{}{}
			job := q.job
			if w.checks {
				job = q.checked
			}
			if q.terse {
				job.Extra = w.terse
			}
			said[i] = compilers.Test(ctx, w.Target, o.Space, job, limits)
			<-free
		})
	}
	group.Wait()
	var all []complaint
	for i, w := range list {
		w.asked += q.functions
		w.cost = w.cost.Plus(oracle.Cost{Compile: said[i].CompileCPU, Link: said[i].LinkCPU, Run: said[i].RunCPU})
		if said[i].Verdict != compilers.OK {
			all = append(all, complaint{w, said[i]})
		}
	}
	return all
}

// costs writes what each witness has cost, in CPU milliseconds for a function.
func costs(w io.Writer, list []*witness) {
	var sum oracle.Cost
	for _, x := range list {
		sum = sum.Plus(x.cost)
		fmt.Fprintf(w, "%8.2f ms a function: %v -O0\n", perFunction(x.cost.Total(), x.asked), x)
	}
	fmt.Fprintf(w, "%8.2f ms a function: all of them (%v)\n", perFunction(sum.Total(), list[0].asked), sum.Total().Round(time.Second))
}

func perFunction(d time.Duration, n int) float64 { return d.Seconds() * 1000 / float64(max(n, 1)) }

// own returns the CPU time that this process has taken, its children not
// counted.
func own(t *testing.T) time.Duration {
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// most is how many functions or programs may be wrong before a test of
// soundness gives up.
const most = 20

// A tally of functions or programs that witnesses complain of.
type tally struct{ wrong []string }

// add notes what is wrong with a seed.
func (y *tally) add(t *testing.T, seed uint64, all []complaint, text string) {
	var lines []string
	for _, c := range all {
		lines = append(lines, c.String())
	}
	y.wrong = append(y.wrong, fmt.Sprint(seed))
	t.Errorf("seed %d:\n%s\n%s", seed, strings.Join(lines, "\n"), text)
	if len(y.wrong) >= most {
		t.Fatalf("that is enough: the seeds %v are wrong", y.wrong)
	}
}

// A test that no witness objects in is worth what they would object to.
func TestWitnessesObject(t *testing.T) {
	o := machine(t)
	list := witnesses(t, o)
	for name, test := range map[string]struct {
		statement string
		checked   bool // only those with sanitizers object
	}{
		"nothing":                {"r = 7;", false},
		"wrong answer":           {"r = 8;", false},
		"overflow":               {"int x = 2147483647; x += one; r = 7;", true},
		"bounds":                 {"int x[3] = {7, 7, 7}, *p = x; x[0] = p[2 + one]; r = 7;", true},
		"division by zero":       {"double x = one / (one - 1.0); r = x > 1 ? 7 : 8;", true},
		"conversion of a double": {"double x = one * 1e30; r = (int)x; r = 7;", true},
	} {
		t.Run(name, func(t *testing.T) {
			source := "int printf(const char *, ...);\nint main(void) { volatile int one = 1; int r; " + test.statement + " printf(\"%d\\n\", r); return 0; }\n"
			job := compilers.Job{Files: compilers.Single([]byte(source)), Want: []byte("7\n"), Mode: "-O0"}
			objecting := map[bool]int{}
			for _, c := range ask(t.Context(), o, list, patience(o), question{1, job, job, true}) {
				objecting[c.checks]++
			}
			plain, checked := 0, 0
			for _, w := range list {
				if w.checks {
					checked++
				} else {
					plain++
				}
			}
			want := map[bool]int{}
			switch {
			case test.checked:
				want[true] = checked
			case name != "nothing":
				want[true], want[false] = checked, plain
			}
			require.Equal(t, want, objecting)
		})
	}
}
