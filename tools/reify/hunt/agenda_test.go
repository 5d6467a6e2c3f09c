package hunt

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify/oracle"
	"goreify/reify/subject"
)

// A stub is a target that is not asked.
type stub struct {
	compilers.Target
	id    compilers.ID
	modes []compilers.Mode
}

func (s stub) ID() compilers.ID        { return s.id }
func (s stub) Modes() []compilers.Mode { return s.modes }

// Language is that of the family, C unless it is listed.
func (s stub) Language() compilers.Language {
	of := map[string]compilers.Language{"toy": "Toy", "gc": compilers.Go, "hotspot": compilers.JVM}
	return cmp.Or(of[s.id.Family], compilers.C)
}

func (s stub) Reference() compilers.Mode {
	if s.id.Family == "toy" {
		return "@slow"
	}
	return "-O0"
}

// stubs returns targets, each a name and a family, with these modes.
func stubs(modes []compilers.Mode, ids ...[2]string) (list []compilers.Target) {
	for _, id := range ids {
		list = append(list, stub{id: compilers.ID{Name: id[0], Family: id[1]}, modes: modes})
	}
	return list
}

// A named is a subject of that name and weight, and no more.
type named struct {
	subject.Subject
	name   string
	weight int
}

func (n named) Name() string { return n.name }
func (n named) Weight() int  { return n.weight }

// Plays an oracle: each case is asked about by each configuration until some
// finding takes it away, and by none twice. Each way to fail, that is verdict
// and family, becomes one finding of its own, where it is met first.
func TestAgenda(t *testing.T) {
	targets := stubs([]compilers.Mode{"-O0", "-O1", "-O2"}, [2]string{"gcc-1", "gcc"}, [2]string{"gcc-2", "gcc"}, [2]string{"clang-1", "clang"})
	all := (&oracle.Oracle{Targets: targets}).Configs()
	var configs []string
	families := map[string]string{}
	for _, c := range all {
		configs = append(configs, c.String())
		families[c.String()] = c.Target.ID().Family
	}
	type way struct {
		family  string
		verdict compilers.Verdict
	}
	second := 0 // findings of a case that has one already
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		cases := make([]string, 1+r.IntN(8))
		fails := map[string]map[string]way{}
		for i := range cases {
			cases[i] = fmt.Sprintf("f%d", i)
			fails[cases[i]] = map[string]way{}
		}
		for range r.IntN(20) {
			cfg := configs[r.IntN(len(configs))]
			verdict := []compilers.Verdict{compilers.WrongAnswer, compilers.InternalError}[r.IntN(2)]
			fails[cases[r.IntN(len(cases))]][cfg] = way{families[cfg], verdict}
		}
		crashes := map[string]bool{} // of the compiler, which then says nothing about any case
		for _, cfg := range configs {
			crashes[cfg] = r.IntN(3) == 0
		}
		answers := map[string]map[string]int{}
		found := map[string][]string{}
		for _, k := range cases {
			answers[k] = map[string]int{}
		}

		check := func(q question) *oracle.Report {
			for _, config := range all {
				cfg := config.String()
				if !slices.Contains(q.configs, cfg) {
					continue
				}
				failed := slices.IndexFunc(q.members, func(k string) bool { _, bad := fails[k][cfg]; return bad })
				report := &oracle.Report{At: config}
				for i, k := range q.members {
					_, bad := fails[k][cfg]
					switch {
					case i == failed:
						f := &oracle.Finding{Subject: named{name: k, weight: 1}, Config: config}
						for _, other := range configs {
							if w, bad := fails[k][other]; bad && w != fails[k][cfg] {
								f.Apart = append(f.Apart, other)
							}
						}
						report.Finding = f
						found[k] = append(found[k], cfg)
					case failed >= 0 && (crashes[cfg] || bad):
						report.Others = append(report.Others, k)
					default:
						answers[k][cfg]++
					}
				}
				if report.Finding != nil {
					return report
				}
			}
			return &oracle.Report{}
		}
		for todo := (agenda{{cases, configs}}); len(todo) > 0; {
			todo = todo.after(check(todo[0]))
		}
		for i, k := range cases {
			var want []string
			met := map[way]bool{}
			for _, cfg := range configs {
				w, bad := fails[k][cfg]
				if bad && !met[w] {
					met[w], want = true, append(want, cfg)
				}
				asked := 0
				if len(met) == 0 {
					asked = 1
				}
				require.Equal(t, asked, answers[k][cfg], "seed %d, case %d, %s", seed, i, cfg)
			}
			require.Equal(t, want, found[k], "seed %d, case %d", seed, i)
			second += max(0, len(want)-1)
		}
	}
	require.Positive(t, second)
}

// A whole program with a finding is not asked about again, not even where it fails
// in another way.
func TestWholeProgramsAreAskedOnce(t *testing.T) {
	targets := stubs([]compilers.Mode{"-O0", "-O2", "-O3"}, [2]string{"gcc-1", "gcc"})
	at := oracle.Config{Target: targets[0], Mode: "-O2"}
	for weight, want := range map[int]agenda{
		1: {{[]string{"p1"}, []string{"gcc-1 -O2"}}, {[]string{"p1"}, []string{"gcc-1 -O3"}}, {[]string{"p0"}, []string{"gcc-1 -O3"}}},
		9: {{[]string{"p1"}, []string{"gcc-1 -O2"}}, {[]string{"p1"}, []string{"gcc-1 -O3"}}},
	} {
		f := &oracle.Finding{Subject: named{name: "p0", weight: weight}, Config: at, Apart: []string{"gcc-1 -O3"}}
		todo := agenda{{[]string{"p0", "p1"}, []string{"gcc-1 -O0", "gcc-1 -O2", "gcc-1 -O3"}}}
		assert.Equal(t, want, todo.after(&oracle.Report{Finding: f, At: at, Others: []string{"p1"}}), weight)
	}
}

// Of a batch with findings, no part is compiled twice that has its answer.
func TestOthersAreNotAskedAgain(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	o := fake(t, `
names=$(grep -o '^int test_f[0-9]*' "$src" | sed 's/int test_//' | tr '\n' ' ')
echo "$level $names" >>`+log+`
if [ "$level" = -O2 ]; then
	sed -i 's/printf("f\([135]\) /printf("f\1 1/' "$src"
fi
if [ "$level" = -O3 ]; then
	case "$names" in *"f4 "*) echo "repro.c: In function 'test_f4':" >&2; echo "repro.c:3:1: internal compiler error: in foo, at bar.cc:12" >&2; exit 1 ;; esac
fi`, "-O0", "-O2", "-O3")
	opt := options(t, t.TempDir(), 1, 7)
	sum := finished(t, o, opt)
	assert.Equal(t, []string{"f1", "f3", "f4", "f5"}, query(t, opt.Dir, `SELECT functions FROM findings ORDER BY functions`))
	text, err := os.ReadFile(log)
	require.NoError(t, err)
	var several []string // the others look into failures
	for line := range strings.Lines(string(text)) {
		if len(strings.Fields(line)) > 2 {
			several = append(several, strings.TrimSpace(line))
		}
	}
	assert.Equal(t, []string{
		"-O0 f0 f1 f2 f3 f4 f5 f6",
		"-O2 f0 f1 f2 f3 f4 f5 f6", // f1
		"-O2 f3 f5",                // f3, and then f5 alone
		"-O3 f0 f2 f4 f6",          // f4
		"-O3 f0 f2 f6",
	}, several)
	assert.EqualValues(t, 6, sum.Compilations)
	assert.Less(t, sum.CompilerCPUSeconds, sum.CPUSeconds)
	assert.Positive(t, sum.ByKind[0].CPUSeconds)
}
