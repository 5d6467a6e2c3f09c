package search_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
)

// undefinedBodies are undefined whatever their symbols are, or nearly so.
var undefinedBodies = []string{
	"%x = 2147483647 + (%a & 7 | 1)\n if %x + ?0 > 0 goto b1 else exit",
	"%x = %a * 65536 * 65536 * %a\n goto exit",
	"%x = %x / (%a - %a)\n goto exit",
	"%x = %x % (%x - %x)\n goto exit",
	"%x = (%a | 1) << 31 >> 40\n goto exit",
	"%x = %x << (%a | 32)\n goto exit",
	"%x = -(-2147483647 - 1 + (%a - %a))\n goto exit",
	"%x = abs(-2147483647 - 1) + clz(%k & 0:u64) + ctz(u32(%a - %a))\n goto exit",
	"@g[(%a & 3) + 2][%a * 3 | 4] = %a\n goto exit",
	"%x = *(@q + ((%a & 15) + 9))\n goto exit",
	"%r = &@g[0][%a | 16]\n *%r = 3\n goto exit",
	"%x, %a = add_overflow(%a / (%x - %x), @g[1][4 + (%a & 1)])\n goto exit",
	"%h = f32(i8(%a << 33))\n goto exit",
	"%v = <4>u16{u16(%a / (%a - %a)), 1, 2, 3}\n goto exit",
	"if %x / (%a - %a) + ?0 > 0 goto b1 else exit",
	"switch %x / (%a - %a) {?0: b1, else exit}",
	"%x = %x * 3 + 1000000 * %x\n if %x - ?0 > 0 goto b1 else exit",
}

func TestUndefinedOperationsAreReplaced(t *testing.T) {
	for _, body := range undefinedBodies {
		text := fmt.Sprintf(language, body)
		for seed := range uint64(10) {
			s := choice.New(choice.Derive(seed, body))
			f := ir.MustParse(text).Funcs[0]
			require.NoError(t, ir.Check(f), body)
			var stats solve.Stats
			p := solve.Problem{Func: f, Path: []int{0, 1, 2}, Stats: &stats, Repair: true}
			m, err := search.Engine{}.Solve(p, s)
			require.NoError(t, err, body)
			judge(t, f, p.Path, m)

			f = ir.MustParse(text).Funcs[0]
			path, m, stats, err := search.Engine{}.Find(f, solve.Target{Length: 6, Repair: true}, s)
			require.NoError(t, err, body)
			judge(t, f, path, m)
			if body != undefinedBodies[len(undefinedBodies)-1] {
				assert.NotZero(t, stats.Repairs, body)
			}
		}
	}
}

// Without leave the function stays as it is.
func TestFunctionsStayAsTheyAre(t *testing.T) {
	for _, body := range undefinedBodies {
		f := ir.MustParse(fmt.Sprintf(language, body)).Funcs[0]
		was := f.String()
		for seed := range uint64(3) {
			s := choice.New(choice.Derive(seed, body))
			var stats solve.Stats
			_, err := search.Engine{}.Solve(solve.Problem{Func: f, Path: []int{0, 1, 2}, Stats: &stats}, s)
			if err != nil {
				require.ErrorIs(t, err, solve.ErrUnknown)
			}
			_, _, found, _ := search.Engine{}.Find(f, solve.Target{Length: 6}, s)
			assert.Zero(t, stats.Repairs+found.Repairs)
			require.Equal(t, was, f.String())
		}
	}
}
