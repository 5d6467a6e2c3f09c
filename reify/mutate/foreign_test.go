package mutate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
)

// foreigners is a function with a loop, and two functions of others.
const foreigners = `
foreign @rab(%x u32, %y i32) u32 {
    c "unsigned rab(unsigned x, int y) { return x / 3 + (unsigned)y; }"
}
foreign @rcd(%x i64) i8 {
    c "signed char rcd(long long x) { return x < 0 ? -1 : x > 0; }"
}
func @f(%a i32, %b i32) u32 {
    local %c i32 = 1
    local %d i32 = 7
  entry:
    goto b1
  b1:
    %c = %c * 3
    %d = %d + %b
    if %c < 70 goto b1 else exit
  exit:
    return checksum(%c, %d)
}
case f(a = 2, b = 5) = 732932912 path entry b1 b1 b1 b1 exit
case f(a = 3, b = 6) = 732932912 path entry b1 b1 b1 b1 exit
`

// A knower knows what they answer: nothing about odd numbers, and guesses now and then
// something else.
type knower struct{ guesses, asks int }

func (k *knower) Ask(list []Question) ([]ir.Answer, error) {
	k.asks++
	answers := make([]ir.Answer, len(list))
	for i, q := range list {
		if q.Args[0]&1 != 0 {
			continue
		}
		answers[i] = ir.Answer{Want: int64(uint32(q.Args[0])/3 + uint32(q.Args[len(q.Args)-1])), Steps: 3}
		if q.Func.Name == "rcd" {
			answers[i].Want = int64(min(1, max(-1, q.Args[0])))
		}
	}
	return answers, nil
}

func (k *knower) Guess(list []Question) ([]ir.Answer, error) {
	k.guesses++
	answers, err := k.Ask(list)
	k.asks--
	for i := range answers {
		if i%7 == 3 {
			answers[i] = ir.Answer{Want: 1, Steps: 1}
		}
	}
	return answers, err
}

// injected returns hosts of the function, settled.
func injected(t *testing.T, free bool, n int) (hosts []*Host, k *knower) {
	return settledWith(t, free, n, false)
}

// settledWith is injected, where @rcd may be dead.
func settledWith(t *testing.T, free bool, n int, dead bool) (hosts []*Host, k *knower) {
	p := ir.MustParse(foreigners)
	for i, c := range p.Claims {
		r, err := interp.Run(c.Func, c.Args, interp.Options{})
		require.NoError(t, err)
		p.Claims[i].Want, p.Claims[i].Path = r.Value, r.Path
	}
	require.NoError(t, p.Check())
	for i := range n {
		h, err := Inject(fmt.Sprintf("f%d", i), p.Claims, []Callee{{Func: p.Funcs[0]}, {Func: p.Funcs[1], Dead: dead}}, free, choice.New(choice.Derive(uint64(i), "host")))
		require.NoError(t, err)
		require.NotNil(t, h)
		hosts = append(hosts, h)
	}
	k = new(knower)
	require.NoError(t, Settle(hosts, k))
	return hosts, k
}

// Calls put in aside change nothing, those put in freely what is returned; all answers
// were asked for, not only guessed.
func TestInject(t *testing.T) {
	for _, free := range []bool{false, true} {
		hosts, k := injected(t, free, 40)
		assert.LessOrEqual(t, k.guesses, 7)
		assert.Equal(t, 1, k.asks)
		left, changed, differ := 0, 0, 0
		for _, h := range hosts {
			if h.Cases == nil {
				continue
			}
			left++
			f := h.Cases[0].Func
			assert.Len(t, slices.Collect(f.Calls()), h.Calls())
			p := &ir.Program{Funcs: append(f.Foreigners(), f), Claims: h.Cases}
			require.NoError(t, p.Check())
			for i, c := range h.Cases {
				require.NoError(t, interp.Verify(c))
				if c.Want != h.seed[i].Want {
					changed++
				}
			}
			asked, err := interp.Asked(p)
			require.NoError(t, err)
			for f, some := range asked {
				for _, a := range some.Answers {
					right, _ := k.Ask([]Question{{f, a.Args}})
					assert.Equal(t, right[0].Want, a.Want, "@%s%v", f.Name, a.Args)
				}
				if len(some.Answers) > 2 {
					differ++
				}
			}
		}
		assert.Greater(t, left, 10)
		assert.Positive(t, differ, "arguments differ from visit to visit")
		assert.Equal(t, free, changed > 10, "%d", changed)
	}
}

// What has no answers is called where no case comes, whatever the answers of others are.
func TestInjectDead(t *testing.T) {
	for _, free := range []bool{false, true} {
		hosts, k := settledWith(t, free, 60, true)
		dead, live := 0, 0
		for _, h := range hosts {
			if h.Cases == nil {
				continue
			}
			for call := range h.Cases[0].Func.Calls() {
				if call.Func.Name == "rcd" {
					assert.Empty(t, call.Func.Foreign.Answers)
					dead++
				} else {
					live++
				}
			}
			for _, c := range h.Cases {
				require.NoError(t, interp.Verify(c))
			}
		}
		assert.Greater(t, dead, 20)
		assert.Greater(t, live, 10)
		assert.Equal(t, 1, k.asks)
		t.Logf("free %v: %d dead, %d live calls", free, dead, live)
	}
}

// The pass has something depend on the answers: branches, guards, constants.
func TestForeign(t *testing.T) {
	hosts, _ := injected(t, false, 40)
	blocks, constants := 0, 0
	for i, h := range hosts {
		if h.Cases == nil {
			continue
		}
		seed, err := NewSeed(h.Cases)
		require.NoError(t, err)
		before := h.Cases[0].Func
		cases, done, err := seed.Mutate("g", Options{Edits: 1, Only: []string{ForeignPass}}, choice.New(choice.Derive(uint64(i), "pass")))
		require.NoError(t, err)
		if len(done) == 0 {
			continue
		}
		assert.Equal(t, ForeignPass, done[0].Pass)
		after := cases[0].Func
		if len(after.Blocks) > len(before.Blocks) {
			blocks++
		} else {
			constants++
		}
		assert.Greater(t, strings.Count(after.String(), "%t"), strings.Count(before.String(), "%t"), "%s", after)
	}
	assert.Positive(t, blocks)
	assert.Positive(t, constants)
}
