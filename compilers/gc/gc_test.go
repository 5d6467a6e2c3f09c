package gc

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/tools/need"
)

// install makes a directory that looks like a version of Go.
func install(t *testing.T, root, version string) {
	tools := filepath.Join(root, "pkg", "tool", "linux_"+runtime.GOARCH)
	require.NoError(t, os.MkdirAll(tools, 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(root, "bin"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "VERSION"), []byte("go"+version+"\ntime 2025-08-08T19:33:21Z\n"), 0o644))
	for _, file := range []string{filepath.Join(tools, "compile"), filepath.Join(tools, "link"), filepath.Join(root, "bin", "go")} {
		require.NoError(t, os.WriteFile(file, nil, 0o755))
	}
}

// A version of Go is found by its name, and knows what it is, also with settings.
func TestFind(t *testing.T) {
	modules := t.TempDir()
	install(t, filepath.Join(modules, "golang.org", "toolchain@v0.0.1-go1.25.0.linux-"+runtime.GOARCH), "1.25.0")
	install(t, filepath.Join(modules, "golang.org", "toolchain@v0.0.1-go1.22.0.linux-"+runtime.GOARCH), "1.22.0")
	here := filepath.Join(t.TempDir(), "go")
	install(t, here, "1.26.8")
	env := compilers.Env{Path: filepath.Join(here, "bin"), GoModules: modules, CC: "gc, gc-1.25.0 GOARCH=386 -l"}
	found, unknown, err := findAll(t.Context(), env)
	require.NoError(t, err)
	assert.Empty(t, unknown)
	require.Len(t, found, 2)
	assert.Equal(t, compilers.ID{Name: "gc", Args: []string{}, Family: "gc", Version: "1.26.8", Triple: runtime.GOARCH + "-linux-gnu"}, found[0].ID())
	assert.Equal(t, compilers.ID{Name: "gc-1.25.0", Args: []string{"GOARCH=386", "-l"}, Family: "gc", Version: "1.25.0 386", Triple: "386-linux-gnu"}, found[1].ID())
	assert.Equal(t, 4, found[1].Traits().Pointer)
	assert.Equal(t, []compilers.Mode{"@N", "@O", "@check"}, found[0].Modes())
	assert.Equal(t, []string{
		"env GOTOOLCHAIN=go1.25.0 GOARCH=386 go build '-gcflags=-l -d=ssa/check/on' -o x repro.go", "./x",
	}, found[1].(Toolchain).Commands(compilers.Job{Files: []compilers.File{{Name: compilers.MainGo}}, Mode: "@check"}, "x"))
	assert.Equal(t, []string{"go build -o x repro.go", "./x"},
		found[0].(Toolchain).Commands(compilers.Job{Files: []compilers.File{{Name: compilers.MainGo}}, Mode: "@O"}, "x"))
	var versions []string
	for _, s := range found[0].(Toolchain).Siblings() {
		versions = append(versions, s.ID().Version)
	}
	assert.Equal(t, []string{"1.22.0", "1.25.0"}, versions)

	for entry, want := range map[string]string{
		"gcc-12":                   "no version of Go has this name",
		"gc-12":                    "no version of Go has this name",
		"gc-1.99.0":                "go1.99.0 is not here: GOTOOLCHAIN=go1.99.0 go version downloads it",
		"gc GOARCH=vax":            `unknown processor "vax"`,
		"gc x.go":                  `"x.go" is neither a flag`,
		"gc GOARCH=":               `unknown processor ""`,
		"gc GOARCH":                `"GOARCH" is neither a flag`,
		"gc GOROOT=/":              `"GOROOT=/" is neither a flag`,
		"gc -":                     `"-" is neither a flag`,
		"gc -o":                    "-o is a flag that every call",
		"gc -importcfg=x":          "-importcfg=x is a flag that every call",
		"gc GOAMD64=v9":            `unknown level "v9"`,
		"gc GOARCH=386 GOAMD64=v3": "GOAMD64 is no setting for 386",
		"gc-1.25.0 GOARCH=386 -l":  "",
	} {
		env.CC = entry
		_, unknown, err := findAll(t.Context(), env)
		require.NoError(t, err)
		if want == "" {
			assert.Empty(t, unknown)
			continue
		}
		assert.ErrorContains(t, unknown[entry], want)
	}
	env.CC = ""
	found, unknown, err = findAll(t.Context(), env)
	require.NoError(t, err)
	assert.Empty(t, found, "none is taken without being named")
	assert.ErrorContains(t, unknown[""], "REIFY_CC")
}

// A directory of Go without a file VERSION, as a checkout that make.bash has built, is
// asked for its version. It is of links here, below a directory that a box hides.
func TestOwnDirectory(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a program")
	}
	env := compilers.EnvFrom(os.Environ())
	theirs, err := rootOf(env, "")
	if err != nil {
		t.Skip(err)
	}
	root := t.TempDir()
	require.NoError(t, os.Chmod(root, 0o755))
	entries, err := os.ReadDir(theirs)
	require.NoError(t, err)
	for _, e := range entries {
		if e.Name() != versionFile && e.Name() != "bin" {
			require.NoError(t, os.Symlink(filepath.Join(theirs, e.Name()), filepath.Join(root, e.Name())))
		}
	}
	require.NoError(t, os.Mkdir(filepath.Join(root, "bin"), 0o755))
	script := "#!/bin/sh\n[ \"$1\" != version ] || { echo 'go version go1.99-devel_0f1e2d3c4b Fri Nov 20 12:00:00 2026 +0000 linux/amd64'; exit; }\n" +
		"GOROOT=" + theirs + " exec " + filepath.Join(theirs, "bin", "go") + " \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(root, "bin", "go"), []byte(script), 0o755))

	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, ws.Close()) })
	_, _, err = ws.Enclose(t.Context(), compilers.BoxAuto)
	require.NoError(t, err)
	env.Space = ws
	tc, err := named(t.Context(), env, "gc="+root+" -N")
	require.NoError(t, err)
	assert.Equal(t, "1.99-devel_0f1e2d3c4b 20261120", tc.Version)
	assert.Equal(t, []string{"env GOTOOLCHAIN=local GOROOT=" + root + " " + root + "/bin/go build -gcflags=-N -o x repro.go", "./x"},
		tc.Commands(compilers.Job{Files: []compilers.File{{Name: compilers.MainGo}}, Mode: "@O"}, "x"))
	tc.std = newArchives()
	limits := compilers.DefaultLimits()
	limits.CompileWall, limits.RunWall = time.Minute, time.Minute // on a busy machine
	usable, unusable := compilers.ProbeAll(t.Context(), ws, []compilers.Target{tc}, limits)
	require.NoError(t, unusable)
	assert.Len(t, usable, 1)
}

// Modes are those of REIFY_MODES that are gc's.
func TestModes(t *testing.T) {
	assert.Equal(t, []compilers.Mode{"@O", "@v3"}, compilers.Env{Modes: "-O2,@O, @v3,@O,@turbofan"}.ModesOf(modes.Names()))
	assert.Nil(t, compilers.Env{Modes: "-O2"}.ModesOf(modes.Names()))
}

func TestScreen(t *testing.T) {
	for arg, ok := range map[string]bool{
		"-l": true, "-N": true, "@v3": true, "@tea": false, "-d=ssa/prove/off": true, "-d=ssa/check/on": true, "-d=ssa/cse/off,ssa/pre-opt_deadcode/off": true, "GOARCH=arm64": true, "GOAMD64=v3": true,
		"-o": false, "-d=ssa/prove/dump=f": false, "-embedcfg=/etc/passwd": false, "GOROOT=/tmp": false, "-importcfg": false, "-linkobj": false, "-cpuprofile=x": false, "": false,
	} {
		assert.Equal(t, ok, Toolchain{}.Screen(arg) == nil, arg)
	}
}

// Output that the assembler or the linker does not take is the compiler's own error.
func TestAssembler(t *testing.T) {
	said := "# command-line-arguments\n./x.go:14:22: illegal combination MOVWBR ADDR NONE NONE NONE NONE REG\n\n./x.go:14:22: zero-width instruction\n"
	o := judgeBuild(compilers.Exit{Status: 1, Stdout: []byte(said)}, compilers.Bounds{})
	assert.Equal(t, "internal-error: illegal combination MOVWBR ADDR NONE NONE NONE NONE REG", o.String())
	assert.Equal(t, o.Message, o.Crash)
	o = judgeBuild(compilers.Exit{Status: 1, Stderr: []byte("# command-line-arguments\nmain.f30: bad DS reloc for main.f30: 692022\n")}, compilers.Bounds{})
	assert.Equal(t, "internal-error: bad DS reloc: ?", o.String())
	assert.Equal(t, []string{"f30"}, o.Named)
}

// Programs that show one bug have one crash.
func TestCrashLine(t *testing.T) {
	for message, want := range map[string]string{
		"internal compiler error: 'f80': arg 0 of value v19 = ADDLconst <int32> [84112639] v325 (a[int32]) does not dominate, arg=v325 = SUBL <int32> v11 v14":                            "internal compiler error: arg ? of value v does not dominate, arg=v",
		"internal compiler error: 'F': arg 0 of value v19 = ADDLconst <int32> [1] v18 (a[int32]) does not dominate, arg=v18 = CMOVLLE <int32> v11 v15 v22 (~r0[int32])":                   "internal compiler error: arg ? of value v does not dominate, arg=v",
		"internal compiler error: 'f10': arg 0 of value v709 = ADDLconst <int32> [991422806] v829 (a[int32]) does not dominate, arg=v829 = ADDLload <int32> {main.f10_f} [12] v706 v3 v7": "internal compiler error: arg ? of value v does not dominate, arg=v",
		"internal compiler error: 'f0': can't find source for b103->b4: v701 = SUBL <int32> v2157 v700 : R12":                                                                             "internal compiler error: can't find source for b?->b?: v",
		"panic: runtime error: index out of range [7] with length 3":                                                                                                                      "panic: runtime error: index out of range [?] with length ?",
	} {
		assert.Equal(t, want, crashLine(message))
	}
}

// real returns a version of Go that is here.
func real(t *testing.T, cc string) (Toolchain, *compilers.Workspace) {
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, ws.Close()) })
	env := compilers.EnvFrom(os.Environ())
	env.CC = cc
	found, unknown, err := findAll(t.Context(), env)
	require.NoError(t, err)
	require.NoError(t, errors.Join(unknown[cc]))
	return found[0].(Toolchain), ws
}

// roomy are limits for a machine that is busy.
func roomy() compilers.Limits {
	l := compilers.DefaultLimits()
	l.CompileWall, l.RunWall = 2*time.Minute, time.Minute
	return l
}

func program(body string) []compilers.File {
	return []compilers.File{{Name: compilers.MainGo, Content: []byte("package main\n\nimport \"os\"\n\nfunc main() {\n" + body + "\n}\n")}}
}

// Outcomes of programs are told as of those in C.
func TestVerdicts(t *testing.T) {
	need.Long(t)
	tc, ws := real(t, "gc")
	require.NoError(t, tc.Probe(t.Context(), ws, roomy()))
	for name, tt := range map[string]struct {
		body    string
		verdict compilers.Verdict
		message string
	}{
		"right":    {`os.Stdout.WriteString("42\n")`, compilers.OK, ""},
		"wrong":    {`os.Stdout.WriteString("41\n")`, compilers.WrongAnswer, `printed "41\n", want "42\n"`},
		"panics":   {`var p *int; os.Exit(*p)`, compilers.WrongAnswer, "panic: runtime error: invalid memory address"},
		"endless":  {`for { _ = os.Args }`, compilers.Endless, "CPU time"},
		"rejected": {`os.Exit("1")`, compilers.Rejected, "repro.go:6:9: cannot use"},
	} {
		job := compilers.Job{Files: program(tt.body), Want: []byte("42\n"), Mode: "@O"}
		o := compilers.Test(t.Context(), tc, ws, job, roomy())
		assert.Equal(t, tt.verdict, o.Verdict, "%s: %v", name, o)
		assert.Contains(t, o.Message, tt.message, name)
		assert.False(t, o.Report, name)
		if o := tc.Compile(t.Context(), ws, job, roomy()); tt.verdict != compilers.Rejected {
			assert.Equal(t, compilers.OK, o.Verdict, "%s: %v", name, o)
			assert.Zero(t, o.LinkCPU)
		}
	}
	phases, err := tc.Phases(t.Context(), ws, roomy())
	require.NoError(t, err)
	assert.Contains(t, phases, "prove")
	assert.NotContains(t, phases, "check")
}

// The rare modes are right about what the others are, and the commands that are shown
// build the same.
func TestRareModes(t *testing.T) {
	tc, ws := real(t, "gc")
	for _, m := range modes {
		if !m.rare || m.level != "" {
			continue
		}
		job := compilers.Job{Files: program(`os.Stdout.WriteString("42\n")`), Want: []byte("42\n"), Mode: m.name}
		if m.race {
			assert.Equal(t, []string{"go build -race -gcflags=-d=checkptr=0 -o x repro.go", "env GORACE=atexit_sleep_ms=0 ./x"}, tc.Commands(job, "x"))
			other := tc.With("GOARCH=386").(Toolchain)
			o := compilers.Test(t.Context(), other, ws, job, roomy())
			assert.Contains(t, o.String(), "@race is for this machine's own processor, not for 386")
			if _, err := exec.LookPath("gcc"); err != nil {
				need.Partly(t, "gcc", "%s: %v", m.name, err)
				continue
			}
			t.Logf("NOT TESTED: %s, whose archives take 8 s of CPU time; reify prove -lang go -what engines asks it", m.name)
			continue
		}
		o := compilers.Test(t.Context(), tc, ws, job, roomy())
		assert.Equal(t, compilers.OK, o.Verdict, "%s: %v", m.name, o)
	}
	for _, set := range tc.FlagSets() {
		assert.NoError(t, tc.Screen(set.Flags...))
		job := compilers.Job{Files: program(`os.Stdout.WriteString("42\n")`), Want: []byte("42\n"), Mode: "@O", Extra: set.Flags}
		o := compilers.Test(t.Context(), tc, ws, job, roomy())
		assert.Equal(t, compilers.OK, o.Verdict, "%v: %v", set.Flags, o)
		break
	}
}

// twoEntries is a loop with two entries, of which gc 1.17.13 to 1.25.0 make code that
// is wrong; with checks they notice.
const twoEntries = `package main

func F(a int32) int32 {
	b, c := int32(-1), int32(-1)
b1:
	c = c
	if a != 1 {
		goto b4
	}
b2:
	a = func() int32 {
		if a <= 1 {
			return a
		}
		return 1
	}() + 1
	if a == 1 {
		return b
	}
	goto b4
b3:
	if b < 1 {
		goto b1
	}
	goto b3
b4:
	if a >= 1 {
		goto b4
	}
	goto b2
}

func main() {
	if F(0) != -1 {
		panic("wrong")
	}
}
`

// The bug that two entries into one loop show is there in go1.25.0, where that is in the
// module cache, and not in the one on PATH if that is 1.26 or later.
func TestTwoEntries(t *testing.T) {
	job := compilers.Job{Files: []compilers.File{{Name: compilers.MainGo, Content: []byte(twoEntries)}}, Mode: "@check"}
	env := compilers.EnvFrom(os.Environ())
	if _, err := rootOf(env, "1.25.0"); err != nil {
		t.Logf("NOT TESTED: %v", err)
	} else {
		tc, ws := real(t, "gc-1.25.0")
		o := compilers.Test(t.Context(), tc, ws, job, roomy())
		assert.Equal(t, compilers.InternalError, o.Verdict, "%v", o)
		assert.Equal(t, "internal compiler error: arg ? of value v does not dominate, arg=v", o.Crash)
		assert.Equal(t, []string{"F"}, o.Named)
		job.Mode = tc.Reference()
		o = compilers.Test(t.Context(), tc, ws, job, roomy())
		assert.Equal(t, compilers.OK, o.Verdict, "%v", o)
	}
	tc, ws := real(t, "gc")
	if compilers.CompareVersions(tc.Version, "1.26") < 0 {
		t.Skipf("NOT TESTED: %v is too old", tc)
	}
	for _, job.Mode = range tc.Modes() {
		o := compilers.Test(t.Context(), tc, ws, job, roomy())
		assert.Equal(t, compilers.OK, o.Verdict, "%s: %v", job.Mode, o)
	}
}

// Where Go's build cache cannot be written, another does.
func TestNoCache(t *testing.T) {
	tc, ws := real(t, "gc")
	tc.Root, tc.std, tc.Host.GoCache = filepath.Join(t.TempDir(), "go"), newArchives(), "/proc/none"
	install(t, tc.Root, "1.99.0")
	script := "#!/bin/sh\ncase $GOCACHE in /proc/*) exit 1 ;; esac\necho archive >os.a\necho os $PWD/os.a\n"
	require.NoError(t, os.WriteFile(filepath.Join(tc.Root, "bin", "go"), []byte(script), 0o755))
	cfg, err := tc.importcfg(t.Context(), ws, mode{})
	require.NoError(t, err)
	text, err := os.ReadFile(cfg)
	require.NoError(t, err)
	archive := filepath.Join(filepath.Dir(cfg), "os.a")
	assert.Equal(t, "packagefile os="+archive+"\n", string(text))
	assert.FileExists(t, archive)
}

// A toolchain whose command go fails is told what it said.
func TestBrokenToolchain(t *testing.T) {
	tc, ws := real(t, "gc")
	tc.Root, tc.std = filepath.Join(t.TempDir(), "go"), newArchives()
	install(t, tc.Root, "1.99.0")
	require.NoError(t, os.WriteFile(filepath.Join(tc.Root, "bin", "go"), []byte("#!/bin/sh\necho no such luck >&2\nexit 3\n"), 0o755))
	err := tc.Probe(t.Context(), ws, roomy())
	assert.ErrorContains(t, err, "no such luck")
	assert.ErrorContains(t, err, "the standard library of go"+tc.Version)
}
