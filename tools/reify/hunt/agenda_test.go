package hunt

import (
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
	"goreify/reify"
	"goreify/reify/oracle"
)

// Plays an oracle: each case is asked about by each configuration until some
// finding takes it away, and by none twice.
func TestAgenda(t *testing.T) {
	tools := []compilers.Toolchain{{Name: "gcc-1"}, {Name: "gcc-2"}}
	levels := []string{"-O0", "-O1", "-O2"}
	var configs []string
	for _, tool := range tools {
		for _, level := range levels {
			configs = append(configs, configName(tool, level))
		}
	}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		cases := make([]*reify.Case, 1+r.IntN(8))
		for i := range cases {
			cases[i] = new(reify.Case)
		}
		fails := map[string]bool{} // of case and configuration
		key := func(k *reify.Case, cfg string) string { return fmt.Sprint(slices.Index(cases, k), " ", cfg) }
		for range r.IntN(10) {
			fails[key(cases[r.IntN(len(cases))], configs[r.IntN(len(configs))])] = true
		}
		crashes := map[string]bool{} // of the compiler, which then says nothing about any case
		for _, cfg := range configs {
			crashes[cfg] = r.IntN(3) == 0
		}
		answers := map[string]int{}
		found := map[*reify.Case]string{}

		check := func(q question) *oracle.Report {
			for _, tool := range tools {
				for _, level := range levels {
					cfg := configName(tool, level)
					if !slices.Contains(q.configs, cfg) {
						continue
					}
					failed := slices.IndexFunc(q.cases, func(k *reify.Case) bool { return fails[key(k, cfg)] })
					report := &oracle.Report{}
					for i, k := range q.cases {
						switch {
						case i == failed:
							report.Finding = &oracle.Finding{Cases: []*reify.Case{k}, Toolchain: tool, Level: level}
							found[k] = cfg
						case failed >= 0 && (crashes[cfg] || fails[key(k, cfg)]):
							report.Others = append(report.Others, k)
						default:
							answers[key(k, cfg)]++
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
		for _, k := range cases {
			at, bad := len(configs), found[k]
			if bad != "" {
				at = slices.Index(configs, bad)
			}
			for i, cfg := range configs {
				want := 0
				if i < at {
					want = 1
				}
				require.Equal(t, want, answers[key(k, cfg)], "seed %d, case and configuration %s", seed, key(k, cfg))
				if fails[key(k, cfg)] {
					require.GreaterOrEqual(t, i, at, "seed %d: a failure is passed over", seed)
				}
			}
		}
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
