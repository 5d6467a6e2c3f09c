package c

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/link"
	"goreify/tools/need"
)

var anyInt = []ir.Int{ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64}

// randomProgram returns functions with calls of each other in every position,
// guarded so that recursion ends, and cases whose answers are not known yet.
func randomProgram(s *choice.Stream) *ir.Program {
	p := new(ir.Program)
	for i := range s.Range(2, 6) {
		p.Funcs = append(p.Funcs, randomCallee(s, "f"+strconv.Itoa(i)))
	}
	for i, f := range p.Funcs {
		calls := 0
		for at := range f.Exprs() {
			c, ok := (*at).(*ir.Const)
			if !ok || calls == 3 || !s.Chance(1, 6) {
				continue
			}
			callee := choice.Pick(s, p.Funcs)
			call := &ir.Call{Func: callee}
			vars := f.Vars
			if isInitial(f, at) {
				if owner(f, at).Kind != ir.Local || i == len(p.Funcs)-1 {
					continue
				}
				// Locals are initialised ahead of the guard, so recursion would
				// not end.
				callee, vars = choice.Pick(s, p.Funcs[i+1:]), nil
				call.Func = callee
			}
			for _, v := range callee.Params() {
				t := v.Type.(ir.Int)
				if vars == nil {
					call.Args = append(call.Args, &ir.Const{T: t, V: drawValue(s, t)})
					continue
				}
				call.Args = append(call.Args, drawTree(s, vars, t, 2))
			}
			calls++
			if *at = call; callee.Result != c.T {
				*at = &ir.Convert{T: c.T, X: call}
			}
		}
	}
	for _, f := range p.Funcs {
		link.Guard(f, drawValue(s, f.Result), uint32(s.Range(1, 5)), link.Counter(s.Intn(2)))
	}
	for range s.Range(1, 3) {
		f := choice.Pick(s, p.Funcs)
		c := &ir.Claim{Func: f}
		for _, v := range f.Params() {
			c.Args = append(c.Args, drawValue(s, v.Type.(ir.Int)))
		}
		p.Claims = append(p.Claims, c)
	}
	return p
}

// randomCallee returns a function of three blocks that makes no calls yet.
func randomCallee(s *choice.Stream, name string) *ir.Function {
	f := &ir.Function{Name: name, Result: choice.Pick(s, anyInt)}
	for i := range s.Range(3, 6) {
		t := choice.Pick(s, anyInt)
		v := &ir.Var{Name: "v" + strconv.Itoa(i), Type: t, Index: i, Kind: ir.Param}
		if i >= 2 {
			v.Kind = ir.Kind(s.Range(int(ir.Local), int(ir.Static)))
			v.Init = []ir.Expr{&ir.Const{T: t, V: drawValue(s, t)}}
			v.Volatile = s.Chance(1, 10)
		}
		f.Vars = append(f.Vars, v)
	}
	exit := &ir.Block{Name: "exit", Index: 2}
	b1 := &ir.Block{Name: "b1", Index: 1, Term: &ir.Goto{To: exit}}
	entry := &ir.Block{Name: "entry", Term: &ir.If{Cond: drawTree(s, f.Vars, ir.I32, 2), Then: b1, Else: exit}}
	f.Blocks = []*ir.Block{entry, b1, exit}
	for _, b := range f.Blocks {
		for range s.Intn(3) {
			v := choice.Pick(s, f.Vars)
			b.Stmts = append(b.Stmts, &ir.Assign{Dst: &ir.VarRef{Var: v}, Src: drawTree(s, f.Vars, v.Type.(ir.Int), 2)})
		}
	}
	if f.Result == ir.U32 {
		exit.Term = &ir.Return{Val: &ir.Checksum{Of: f.Vars}}
	} else {
		exit.Term = &ir.Return{Val: drawTree(s, f.Vars, f.Result, 2)}
	}
	return f
}

func isInitial(f *ir.Function, at *ir.Expr) bool { return owner(f, at) != nil }

// owner returns the variable that *at is the initial value of, or nil.
func owner(f *ir.Function, at *ir.Expr) *ir.Var {
	for _, v := range f.Vars {
		for i := range v.Init {
			if &v.Init[i] == at {
				return v
			}
		}
	}
	return nil
}

// TestRunPrograms compares random programs with the interpreter: all at -O0,
// and some optimised. Calls are compared one by one through the assertions.
func TestRunPrograms(t *testing.T) {
	need.Long(t)
	s := choice.New([]byte("programs"))
	compilers := compilersFound(t)
	outcomes := map[string]int{}
	calls, recursive := 0, 0
	for right := 0; right < 24; {
		p := randomProgram(s)
		if slices.ContainsFunc(p.Funcs, func(f *ir.Function) bool { return ir.Check(f) != nil }) {
			outcomes["a call for the constant of expect"]++
			continue
		}
		inside, recursion := 0, false
		results, err := interp.RunProgram(p, interp.Options{Fuel: 3000, Leave: func(c interp.Call) {
			if c.Depth > 0 {
				inside++
				recursion = recursion || c.Depth >= len(p.Funcs)
			}
		}})
		var ub *interp.UB
		switch {
		case errors.As(err, &ub):
			outcomes[ub.Kind.String()]++
			continue
		case err != nil:
			outcomes["other"]++
			continue
		case inside == 0:
			outcomes["no calls"]++
			continue
		}
		outcomes["right"]++
		for i, c := range p.Claims {
			c.Want, c.Path = results[i].Value, results[i].Path
		}
		require.NoError(t, p.Check(), "%s", p)
		require.NoError(t, interp.VerifyProgram(p))
		calls += inside
		if recursion {
			recursive++
		}
		style := DrawProgramStyle(s, p)
		style.Debug = s.Chance(1, 2)
		compiler := compilers[right%len(compilers)]
		levels := []string{"-O0"}
		if right%8 == 0 {
			levels = append(levels, "-O2")
		}
		requireProgramRight(t, p, style, compiler, levels...)
		right++
	}
	t.Logf("%d calls were made, in %d programs recursive ones; outcomes: %v", calls, recursive, outcomes)
	assert.Greater(t, calls, 40)
	assert.Greater(t, recursive, 3)
	assert.NotZero(t, outcomes[interp.UnspecifiedOrder.String()])
}

// A program tells a wrong answer, and with Debug the first wrong function.
func TestProgramTellsWrong(t *testing.T) {
	need.Long(t)
	p, err := ir.Parse(`func @outer() i32 {
  entry:
    goto exit
  exit:
    return @inner_1(i8(@inner_2(3))) + 1
}
func @inner_1(%a i8) i32 {
  only:
    return i32(%a) * -2
}
func @inner_2(%b u64) u64 {
  only:
    return %b + 18446744073709551610
}
case outer() = 7 path entry exit
`)
	require.NoError(t, err)
	require.NoError(t, p.Check())
	require.NoError(t, interp.VerifyProgram(p))
	answers := answered(t, p)
	var sites []*ir.Call
	for call := range p.Funcs[0].Calls() {
		sites = append(sites, call)
	}
	compiler := compilersFound(t)[0]
	for _, split := range []Split{OneFile, DriverApart, FilePerFunction} {
		style := ProgramStyle{Split: split, Debug: true}
		requireProgramRight(t, p, style, compiler, "-O1")
		for i, name := range []string{"inner_2", "inner_1"} {
			answers[sites[i]]++
			out, status := execute(t, build(t, EmitProgram(p, answers, style), compiler, "-O1"))
			assert.Equal(t, name, Blamed([]byte(out)))
			assert.Equal(t, 1, status)
			answers[sites[i]]--
		}
		p.Claims[0].Want++
		out, status := execute(t, build(t, EmitProgram(p, answers, style), compiler, "-O1"))
		assert.Equal(t, "outer_", Blamed([]byte(out)))
		assert.Equal(t, 1, status)
		style.Debug = false
		out, status = execute(t, build(t, EmitProgram(p, answers, style), compiler, "-O1"))
		assert.NotEqual(t, WantProgram(p), out)
		assert.Empty(t, Blamed([]byte(out)))
		assert.Equal(t, 1, status)
		p.Claims[0].Want--
		assert.Equal(t, WantProgram(p), out, "the line is what the functions return")
	}
}

// The answer is computed when the program runs, not by the compiler.
func TestProgramChecksumIsNotFolded(t *testing.T) {
	p := ir.MustParse("func @f() u32 {\n only:\n return 7\n}\ncase f() = 7 path only\n")
	for _, compiler := range compilersFound(t) {
		asm := assembly(t, compiler, "-O3", EmitProgram(p, nil, ProgramStyle{})[0].Text)
		assert.NotContains(t, asm, WantProgram(p)[:5]+"printf")
		assert.Regexp(t, `(call|callq|jmp)\s+crc32`, asm, compiler)
	}
}

func TestProgramStyles(t *testing.T) {
	p := ir.MustParse(`func @f(%a i32) i32 {
  only:
    return @g(%a)
}
func @g(%a i32) i32 {
  only:
    return @h(%a)
}
func @h(%crc32 i32) i32 {
    local %g i32 = 4
  only:
    return %crc32 - %g
}
case f(a = 7) = 3 path only
`)
	inline := FuncStyle{Style: Style{Linkage: StaticInline, NoInline: true, ParamsAsGlobals: true}, NoClone: true, Purity: Const}
	style := ProgramStyle{Split: DriverApart, Funcs: []FuncStyle{inline, inline}}
	files := EmitProgram(p, nil, style)
	require.Len(t, files, 2)
	assert.Contains(t, files[0].Text, "\nNOINLINE NOCLONE __attribute__((const)) int f(int a);\n", "main calls it")
	assert.Contains(t, files[0].Text, "\nNOINLINE NOCLONE __attribute__((const)) static inline int g(int a);\n")
	assert.Contains(t, files[0].Text, "\nstatic int h(int crc32_2);\n")
	assert.NotContains(t, files[1].Text, " g(")
	style.Debug = true
	assert.NotContains(t, joined(EmitProgram(p, nil, style)), "const)")

	seen := map[string]bool{}
	for order := range uint32(40) {
		text := EmitProgram(p, nil, ProgramStyle{Order: order})[0].Text
		assert.Equal(t, text, EmitProgram(p, nil, ProgramStyle{Order: order})[0].Text)
		seen[definitions(text)] = true
	}
	assert.Len(t, seen, 6, "every order of three functions")

	for _, panics := range []func(){
		func() { EmitProgram(&ir.Program{Funcs: p.Funcs}, nil, ProgramStyle{}) },
		func() { EmitProgram(p, nil, ProgramStyle{Split: 3}) },
		func() { Emit([]Unit{{Claim: p.Claims[0]}}) },
	} {
		assert.Panics(t, panics)
	}

	a, b := choice.New([]byte("x")), choice.New([]byte("y"))
	for range 20 {
		DrawProgramStyle(a, p)
		DrawProgramStyle(b, p)
		assert.Equal(t, a.Draws(), b.Draws())
	}
}

// definitions returns the names of the functions in the order they are defined.
func definitions(text string) string {
	var s strings.Builder
	for line := range strings.Lines(text) {
		for _, name := range []string{"f", "g", "h"} {
			if strings.HasPrefix(line, "static int "+name+"(") && !strings.Contains(line, ";") {
				s.WriteString(name)
			}
		}
	}
	return s.String()
}
