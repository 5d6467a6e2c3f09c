package llvm_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/llvm/ll"
	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/emit/llvm"
	"goreify/reify/interp"
	"goreify/reify/ir"
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

// Texts of all kinds are read by package ll, which knows nothing of the writer. In its
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
	executed(t, string(a.Files[0].Content), string(a.Want))
}

// executed has package ll read and execute a text, and what it writes of it.
func executed(t *testing.T, text, want string) {
	t.Helper()
	again := ""
	for _, big := range []bool{false, true} {
		for _, text := range []string{text, again} {
			if text == "" {
				continue
			}
			m := read(t, text)
			m.Big = big
			r, err := m.Run(m.Func("main"), ll.Number(ll.IntType(32), 1), ll.Operand{Type: &ll.Type{Kind: ll.Ptr}, Const: []ll.Lane{ll.Bits(0, 0)}})
			require.NoError(t, err, "%s", text)
			require.Equal(t, want, r.Output, "%s", text)
			assert.Equal(t, "0", r.Value.String())
			again = m.String()
		}
	}
}

// The promises of a unit are those that hold, and no others: the interpreter of package ll sees
// any further one.
func TestPromises(t *testing.T) {
	c := ir.MustParse(`
func @f(%a u32, %b u32) u32 {
  local %x u32
  local %y u64
  local %z u16
  local %w u16
  local %v [4]u32
  entry:
    %x = %a + %b ^ %a * %b ^ (%a >> 1) + (%a >> 1) ^ %a << 1 ^ %a - %b
    %x = %x ^ %a >> 5 ^ %a >> 4 ^ %a / 7 ^ (%a | 16) ^ (%a | 1) ^ u32(%a < 5) ^ u32(%b < %x)
    %y = u64(%a) + u64(%b)
    %z = u16(%a)
    %w = u16(%a >> 1)
    %v[1] = %x
    goto exit
  exit:
    return %x ^ u32(%z) ^ u32(%w) ^ u32(%y) ^ %v[1]
}
`).Funcs[0]
	r, err := interp.Run(c, []int64{0xFFFFFFF0, 0x20}, interp.Options{})
	require.NoError(t, err)
	claim := &ir.Claim{Func: c, Args: []int64{0xFFFFFFF0, 0x20}, Path: r.Path, Want: r.Value}
	require.NoError(t, interp.Close(claim))
	held, err := interp.Held(claim)
	require.NoError(t, err)
	unit := llvm.Unit{Claim: claim, Held: held, Style: llvm.Style{SSA: true, Held: true, NoInline: true}}
	text := llvm.Emit([]llvm.Unit{unit})
	for _, line := range []string{
		"define internal noundef range(i32 ", "(i32 noundef range(i32 -16, -15) %a, i32 noundef range(i32 32, 33) %b) noinline mustprogress nounwind willreturn",
		"add nsw i32 %a, %b", "mul nsw i32 %a, %b", "add nuw i32 ", "shl nsw i32 %a, 1", "lshr i32 %a, 5", "lshr exact i32 %a, 4", "udiv i32 %a, 7",
		"or i32 %a, 16", "or disjoint i32 %a, 1", "icmp ult i32 %a, 5", "icmp samesign ult i32 %b, ", "zext i32 %a to i64", "zext nneg i32 %b to i64",
		"add nuw nsw i64 ", "trunc nsw i32 %a to i16", " = trunc i32 ", "getelementptr inbounds nuw [4 x i32]", ", !range !{i32 ", ", !noundef !{}",
	} {
		assert.Contains(t, text, line)
	}
	run := func(m *ll.Module) string {
		r, err := m.Run(m.Func("f"), ll.Number(ll.IntType(32), -16), ll.Number(ll.IntType(32), 32))
		if err != nil {
			assert.ErrorIs(t, err, ll.ErrUndefined)
			return "undefined"
		}
		return r.Value.String()
	}
	right := run(read(t, text))
	assert.Equal(t, "f "+c.Result.Format(r.Value)+"\n", llvm.Want([]llvm.Unit{unit}))
	assert.Equal(t, right, strconv.Itoa(int(int32(r.Value))))
	m := read(t, text)
	wrong := map[string]int{}
	for _, i := range m.Func("f").Instrs() {
		for _, flag := range flagsOf[i.Op] {
			if slices.Contains(i.Flags, flag) || i.Op == "zext" && i.Args[0].Type.Bits == 1 { // of what the writer adds
				continue
			}
			i.Flags = append(i.Flags, flag)
			assert.Equal(t, "undefined", run(m), "%s", i)
			i.Flags = i.Flags[:len(i.Flags)-1]
			wrong[flag]++
		}
		for n, p := range i.Promises {
			if p.Hi != nil {
				i.Promises[n].Lo, i.Promises[n].Hi = p.Hi, p.Lo
				assert.Equal(t, "undefined", run(m), "%s", i)
				i.Promises[n] = p
				wrong["range"]++
			}
		}
	}
	assert.Equal(t, right, run(m))
	assert.Len(t, wrong, 7, "each kind is wrong once: %v", wrong)
}

// flagsOf are what instructions may promise.
var flagsOf = map[string][]string{
	"add": {"nuw", "nsw"}, "sub": {"nuw", "nsw"}, "mul": {"nuw", "nsw"}, "shl": {"nuw", "nsw"}, "trunc": {"nuw", "nsw"},
	"lshr": {"exact"}, "ashr": {"exact"}, "udiv": {"exact"}, "sdiv": {"exact"}, "or": {"disjoint"}, "zext": {"nneg"}, "icmp": {"samesign"},
}

func read(t *testing.T, text string) *ll.Module {
	t.Helper()
	m, err := ll.ParseStrict(text)
	require.NoError(t, err, "%s", text)
	m.Steps = steps
	return m
}

// An idiom that is written as an intrinsic is what it was: cells of the matrix give their answers.
func TestIdioms(t *testing.T) {
	var units []llvm.Unit
	types, least := []string{"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "i37", "u37", "u7", "i65", "v4i8", "v4u8", "v2i32", "v2u64", "v8i16", "v8u16", "v3u32", "u24", "u40", "i12", "v8u3", "v3i24", "v6i12", "v4u20"}, 300
	if testing.Short() {
		types, least = []string{"i8", "u16", "i32", "u32", "u64", "i37", "u40", "v4u8", "v2i32", "v8i16", "v8u16", "v6i12"}, 150
	}
	for _, name := range []string{
		"min", "max", "minle", "umin", "smax", "clamp", "clampmm", "abs", "absraw", "absge", "cmp3", "cmp3q", "cmpsum", "cmp3z", "cmp3g", "cmp3l", "cmp3e", "cmp3n",
		"usubsat", "usubsatmax", "usubsatgt", "usubsatge", "usubsatmin", "uaddsatroom", "uaddsatmin", "saddsat", "ssubsat", "smulsat", "uaddsatw", "umulsat",
		"rotl", "rotr", "fshl", "fshr", "clzsafe", "carry", "redadd", "redmul", "redand", "redor", "redxor", "redmin", "sellt", "seleq", "swaphalf", "bswapsh",
		"bitcount", "bitrevall", "byterev", "ushlsat", "sshlsat", "castnarrow", "castwide", "castbytes", "castlanes", "treeadd", "laneat", "laneset", "compress",
	} {
		for _, of := range types {
			cell, err := matrix.Parse(name + "." + of)
			if err != nil {
				continue // not all operations are on all types
			}
			k, err := cell.Make(fmt.Sprintf("f%d", len(units)), ir.C)
			if err != nil || llvm.Supports(k.Func) != nil {
				continue
			}
			require.NoError(t, interp.Close(k.Claims()...))
			units = append(units, llvm.Unit{Claim: k.Claim, More: k.More, Style: llvm.Style{SSA: true, Idioms: true, Selects: len(units)%3 > 0}})
		}
	}
	require.Greater(t, len(units), least)
	text := llvm.Emit(units)
	names := map[string]bool{}
	for _, m := range regexp.MustCompile(`call .*@llvm\.([a-z.]+[a-z])\.`).FindAllStringSubmatch(text, -1) {
		names[m[1]] = true
	}
	for _, name := range []string{
		"smin", "smax", "umin", "umax", "abs", "scmp", "ucmp", "usub.sat", "uadd.sat", "sadd.sat", "ssub.sat", "smul.fix.sat", "umul.fix.sat",
		"fshl", "fshr", "ctlz", "ctpop", "bitreverse", "bswap", "ushl.sat", "uadd.with.overflow", "vector.reduce.add", "vector.reduce.mul", "vector.reduce.and", "vector.reduce.or", "vector.reduce.xor", "experimental.vector.compress",
	} {
		assert.True(t, names[name], name)
	}
	assert.Regexp(t, `select <\d+ x i1>`, text)
	assert.Regexp(t, `@llvm.fshl.v8i16\(.*, <8 x i16> <i16 8, `, text)
	executed(t, text, llvm.Want(units))
}
