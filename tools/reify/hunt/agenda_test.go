package hunt

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify"
	"goreify/reify/oracle"
)

// Plays an oracle: each case is asked about by each configuration until some
// finding takes it away, and by none twice. Each way to fail, that is verdict
// and family, becomes one finding of its own, where it is met first.
func TestAgenda(t *testing.T) {
	tools := []compilers.Toolchain{{Name: "gcc-1", Family: compilers.GCC}, {Name: "gcc-2", Family: compilers.GCC}, {Name: "clang-1", Family: compilers.Clang}}
	levels := []string{"-O0", "-O1", "-O2"}
	var configs []string
	families := map[string]compilers.Family{}
	for _, tool := range tools {
		for _, level := range levels {
			configs = append(configs, configName(tool, level))
			families[configName(tool, level)] = tool.Family
		}
	}
	type way struct {
		family  compilers.Family
		verdict compilers.Verdict
	}
	second := 0 // findings of a case that has one already
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		cases := make([]*reify.Case, 1+r.IntN(8))
		fails := map[*reify.Case]map[string]way{}
		for i := range cases {
			cases[i] = new(reify.Case)
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
		answers := map[*reify.Case]map[string]int{}
		found := map[*reify.Case][]string{}
		for _, k := range cases {
			answers[k] = map[string]int{}
		}

		check := func(q question) *oracle.Report {
			for _, tool := range tools {
				for _, level := range levels {
					cfg := configName(tool, level)
					if !slices.Contains(q.configs, cfg) {
						continue
					}
					failed := slices.IndexFunc(q.cases, func(k *reify.Case) bool { _, bad := fails[k][cfg]; return bad })
					report := &oracle.Report{}
					for i, k := range q.cases {
						_, bad := fails[k][cfg]
						switch {
						case i == failed:
							f := &oracle.Finding{Cases: []*reify.Case{k}, Toolchain: tool, Level: level}
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
	sum, err := Start(t.Context(), o, opt)
	require.NoError(t, err)
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
	assert.Positive(t, sum.Mixes[0].CPUSeconds)
}
