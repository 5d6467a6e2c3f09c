package native

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/tools/need"
)

// standins returns the environment of stand-ins for LLVM 99: what clang links is what llc was
// given, with a line for each call before. opt goes wrong in gvn.
func standins(t *testing.T) (env compilers.Env, dir string) {
	dir = t.TempDir()
	script(t, filepath.Join(dir, "clang-99"), `case "$*" in
--version) printf 'clang version 99.1.0\nTarget: x86_64-pc-linux-gnu\n' ;;
*-dM*)
	triple=x86_64-pc-linux-gnu cpu='-target-cpu x86-64'
	case "$*" in *--target=riscv64*) triple=riscv64-unknown-linux-gnu cpu='-target-cpu generic-rv64 -target-feature +m -target-feature -e -target-feature +d -target-abi lp64d' ;; esac
	printf 'Target: %s\n "clang-99" -cc1 -triple x %s -o - \n' "$triple" "$cpu" >&2
	printf '#define __clang__ 1\n#define __SIZEOF_LONG__ 8\n#define __SIZEOF_POINTER__ 8\n#define __SIZEOF_INT128__ 16\n' ;;
*-###*) echo 'clang: no' >&2; exit 1 ;;
*" -o repro") { echo '#!/bin/sh'; cat repro.o; } > repro; chmod +x repro ;;
esac`)
	script(t, filepath.Join(dir, "llc-99"), `for out; do :; done
case "$*" in *-opt-bisect-limit*) echo "BISECT: running pass (1) X86 Fixup on function (f)" >&2 ;; esac
for in in repro.bc repro.ll; do [ -e $in ] && { cat $in > "$out"; break; }; done`)
	script(t, filepath.Join(dir, "opt-99"), `case "$*" in
-print-passes) printf 'Module passes:\n  globalopt\nFunction passes:\n  adce\n  codegenprepare\nFunction passes with params:\n  gvn<no-memdep;memdep>\n  instcombine<max-iterations=N>\nLoop passes:\n  licm<allowspeculation>\nModule analyses:\n  profile-summary\n'; exit ;;
*-opt-bisect-limit*) printf 'BISECT: running pass (1) gvn on f\nBISECT: NOT running pass (2) adce on f\n' >&2 ;;
esac
case "$*" in *gvn*) sed s/42/43/ repro.ll > repro.bc ;; *) cp repro.ll repro.bc ;; esac`)
	script(t, filepath.Join(dir, "lli-99"), `echo "lli $1" >&2; shift; . "$1"`)
	return compilers.Env{Path: dir + ":" + os.Getenv("PATH"), Space: newWorkspace(t)}, dir
}

func toolsNamed(t *testing.T, env compilers.Env, cc string) (list []Toolchain) {
	t.Helper()
	env.CC = cc
	found, unknown, err := Tools.Find(t.Context(), env)
	require.NoError(t, err)
	require.Empty(t, unknown)
	for _, target := range found {
		list = append(list, target.(Toolchain))
	}
	return list
}

// shellJob is a program of the stand-ins.
func shellJob(mode compilers.Mode) compilers.Job {
	return compilers.Job{Files: []compilers.File{{Name: compilers.MainLLVM, Content: []byte("echo 42\n")}}, Want: []byte("42\n"), Mode: mode}
}

// LLVM's tools are targets by their names: what they are clang says, and what they do their modes.
func TestTools(t *testing.T) {
	env, dir := standins(t)
	list := toolsNamed(t, env, "llc-99 -march=x86-64-v3 -regalloc=basic,llc="+dir+"/llc-99 -mtriple=riscv64-linux-gnu,opt-99 -passes=adce,lli-99")
	require.Len(t, list, 4)
	codegen, cross, middle, jit := list[0], list[1], list[2], list[3]
	assert.Equal(t, compilers.ID{Name: "llc-99", Args: []string{"-march=x86-64-v3", "-regalloc=basic"}, Family: "llc", Version: "99.1.0", Triple: "x86_64-pc-linux-gnu"}, codegen.ID())
	assert.Equal(t, "llc 99.1.0 riscv64-unknown-linux-gnu", cross.ID().Family+" "+cross.ID().Version)
	for _, one := range list {
		assert.Equal(t, compilers.LLVM, one.Language())
		assert.Equal(t, "-O0", one.Reference())
		assert.Equal(t, "clang", Project(one.Family))
		assert.Empty(t, append(one.Filled(), one.Forgiving()...))
		_, err := one.Sanitized(t.Context(), env.Space, patient())
		assert.ErrorIs(t, err, compilers.ErrNoSanitizers)
	}
	assert.Equal(t, "-O0 -O1 -O2 -O3 @dag @fast @global", strings.Join(codegen.Modes(), " "))
	assert.Equal(t, "-O0 -O1 -O2 -O3 @dag @global", strings.Join(cross.Modes(), " "))
	assert.Equal(t, "-O0 -O1 -O2 -O3 @globalopt @adce @codegenprepare @gvn @instcombine @licm", strings.Join(middle.Modes(), " "))
	assert.Equal(t, "-O0 -O1 -O2 -O3", strings.Join(jit.Modes(), " "))

	assert.Equal(t, "llc-99 -O2 -fast-isel -regalloc=basic -mtriple=x86_64-pc-linux-gnu -mcpu=x86-64 -relocation-model=pic -filetype=obj repro.ll -o repro.o && clang-99 -march=x86-64-v3 repro.o -o x",
		codegen.Commands(shellJob("@fast"), "x")[0])
	assert.Equal(t, dir+"/llc-99 -O0 -mtriple=riscv64-unknown-linux-gnu -mcpu=generic-rv64 -target-abi=lp64d -mattr=+m,+d -relocation-model=pic -filetype=obj repro.ll -o repro.o && "+dir+"/clang-99 --target=riscv64-linux-gnu -static repro.o -o x",
		cross.Commands(shellJob("-O0"), "x")[0])
	machine := "-mtriple=x86_64-pc-linux-gnu -mcpu=x86-64"
	for mode, pipeline := range map[compilers.Mode]string{
		"@licm": "function(adce),function(loop-mssa(licm))", "-O2": "function(adce),default<O2>", "@instcombine": "function(adce),function(instcombine)",
		"@codegenprepare": "function(adce),require<profile-summary>,function(codegenprepare)",
	} {
		level := map[bool]string{true: "-O0", false: mode}[mode[0] == '@']
		assert.Equal(t, fmt.Sprintf("opt-99 %s %s repro.ll -o repro.bc && llc-99 %s %[1]s -relocation-model=pic -filetype=obj repro.bc -o repro.o && clang-99 repro.o -o x",
			machine, compilers.Quote("-passes="+pipeline), level), middle.Commands(shellJob(mode), "x")[0])
	}
	assert.Equal(t, []string{"true", "lli-99 -O2 ./repro.ll"}, jit.Commands(shellJob("-O2"), "x"))

	for _, one := range []Toolchain{codegen, middle, jit} {
		require.NoError(t, one.Changed())
		for _, mode := range []compilers.Mode{"-O0", "-O1"} {
			o := compilers.Test(t.Context(), one, env.Space, shellJob(mode), patient())
			assert.Equal(t, compilers.OK, o.Verdict, "%v %s: %v", one, mode, o)
		}
	}
	o := compilers.Test(t.Context(), middle, env.Space, shellJob("@gvn"), patient())
	assert.Equal(t, compilers.WrongAnswer, o.Verdict, o)
	assert.Len(t, o.Command, 4)

	assert.Empty(t, toolsHere(compilers.Env{Path: t.TempDir()}))
	for _, name := range []string{"llc-30", "llc", "opt"} {
		script(t, filepath.Join(dir, name), "exit 1")
	}
	assert.Equal(t, []string{"llc-30", "opt"}, toolsHere(compilers.Env{Path: dir}))

	env.Modes = "@gvn,-O2,@fast"
	list = toolsNamed(t, env, "opt-99,llc-99,lli-99")
	assert.Equal(t, []compilers.Mode{"@gvn", "-O2"}, list[0].Modes())
	assert.Equal(t, []compilers.Mode{"-O2", "@fast"}, list[1].Modes())
	assert.Equal(t, []compilers.Mode{"-O2"}, list[2].Modes())
	for cc, want := range map[string]string{
		"lli-99 --target=riscv64-linux-gnu": "of this machine only", "llc-98": "llc-98: not found", "llc=llc": "want an absolute path", "opt@nowhere": "no root directory", "gcc": compilers.ErrName.Error(),
	} {
		env.CC = cc
		_, unknown, err := Tools.Find(t.Context(), env)
		assert.NoError(t, err)
		assert.ErrorContains(t, unknown[cc], want, cc)
	}
}

// The passes of opt and of llc have one limit and one list of numbers, as those of clang have.
func TestToolsBisect(t *testing.T) {
	env, _ := standins(t)
	middle := toolsNamed(t, env, "opt-99")[0]
	job := shellJob("@adce")
	job.Extra = []string{"-mllvm", "-opt-bisect-limit=2", "-mllvm", "-debug-counter=x"}
	built, o := middle.Build(t.Context(), env.Space, job, patient())
	require.Equal(t, compilers.OK, o.Verdict, o)
	built.Remove()
	assert.Equal(t, "BISECT: running pass (1) gvn on f\nBISECT: NOT running pass (2) adce on f\nBISECT: running pass (3) X86 Fixup on function (f)\n", string(o.Stderr))
	assert.Contains(t, o.Command[0], " -opt-bisect-limit=2 repro.ll")
	assert.Contains(t, o.Command[1], " -opt-bisect-limit=0 -debug-counter=x ")
	job.Extra = []string{"-Xclang", "-disable-llvm-passes", "-mllvm", "-opt-bisect-limit=-1"}
	assert.Contains(t, middle.Commands(job, "x")[0], "llc-99 -O0")
	assert.NotContains(t, middle.Commands(job, "x")[0], "opt-99")
	assert.Contains(t, middle.Commands(job, "x")[0], "-opt-bisect-limit=-1")
}

// A tool without a clang beside it has another one link, and says its version itself.
func TestToolsAlone(t *testing.T) {
	env, dir := standins(t)
	alone := script(t, filepath.Join(t.TempDir(), "llc"), `echo 'LLVM version 98.2.1git'`)
	require.NoError(t, os.Rename(filepath.Join(dir, "clang-99"), filepath.Join(dir, "clang-30")))
	env.Path = dir + ":/usr/bin:/bin"
	found := toolsNamed(t, env, "llc="+alone)[0]
	assert.Equal(t, "98.2.1", found.Version)
	assert.Contains(t, found.Commands(shellJob("-O2"), "x")[0], "&& clang-30 repro.o -o x")
}

// What a reproducer may give the tools are passes, processors and what -mllvm may have.
func TestToolsScreen(t *testing.T) {
	tool := Toolchain{tools: &toolset{name: opt}}
	for _, arg := range []string{"-passes=gvn", "--target=s390x-linux-gnu", "-mtriple=s390x-linux-gnu", "-march=z16", "-mattr=+v,-e", "-fast-isel", "-regalloc=pbqp", "-slp-threshold=-50"} {
		assert.NoError(t, tool.Screen(arg), arg)
	}
	for _, arg := range []string{"-o", "-o=x", "-load=x.so", "x.ll", "-passes=gvn,x(y)", "-pass-remarks-output=x", "@x", "-march=/x"} {
		assert.Error(t, tool.Screen(arg), arg)
	}
}

// Hunts draw pipelines of passes that a version has, the same always, and vectors as for clang.
func TestPipelines(t *testing.T) {
	all := &toolset{name: opt, passes: passes}
	sets := all.pipelines()
	assert.Len(t, sets, pipelines)
	assert.Equal(t, sets, (&toolset{name: opt, passes: passes}).pipelines())
	tool := Toolchain{tools: all}
	lengths := map[int]bool{}
	for _, set := range sets {
		lengths[len(set.Flags)] = true
		assert.NoError(t, tool.Screen(set.Flags...))
	}
	assert.Len(t, lengths, mostPasses)
	few := (&toolset{name: opt, passes: passes[:3]}).pipelines()
	assert.NotEmpty(t, few)
	assert.Less(t, len(few), pipelines)
	modes := map[compilers.Mode]bool{}
	for _, p := range passes {
		assert.Contains(t, within, p.level, p.name)
		assert.Regexp(t, `^[a-z0-9-]+$`, p.name)
		assert.False(t, modes[p.mode()], p.name)
		modes[p.mode()] = true
	}
	assert.Contains(t, tool.FlagSets(), compilers.FlagSet{Flags: []string{"-march=x86-64-v3"}, Arch: true})
	assert.Equal(t, []pass{{level: "function", name: "gvn", text: "gvn"}}, passesOf("Function passes:\n  gvn\n"))
}

// What is compiled directly is linked directly, in LLVM IR as in C.
func TestToolsReal(t *testing.T) {
	for _, name := range []string{"llc-14", "llvm-14"} {
		env := compilers.Env{Path: os.Getenv("PATH"), CC: name}
		found, unknown, err := Tools.Find(t.Context(), env)
		if name == "llvm-14" {
			found, unknown, err = find(t.Context(), env)
		}
		if err = cmp.Or(err, unknown[name]); err != nil {
			need.Missing(t, "clang", "no LLVM 14: %v", err)
		}
		ws := newWorkspace(t)
		d := direct(t, ws, found[0].(Toolchain))
		job := d.trivial()
		o := compilers.Test(t.Context(), d, ws, job, roomy())
		assert.Equal(t, compilers.OK, o.Verdict, o)
		assert.Positive(t, o.LinkCPU)
		require.Len(t, o.Command, 3)
		assert.Contains(t, o.Command[1], " repro.o ", "the driver does not compile it once more")
	}
}
