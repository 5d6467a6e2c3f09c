package jvm

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/tools/need"
)

// machine returns the java on PATH.
func machine(t testing.TB) Machine {
	need.Command(t, "java")
	m, err := named(t.Context(), compilers.EnvFrom(os.Environ()), "java")
	if err != nil {
		need.Missing(t, "java", "%v", err)
	}
	return m
}

func space(t testing.TB) *compilers.Workspace {
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, ws.Close()) })
	return ws
}

func job(mode compilers.Mode, want string) compilers.Job {
	return compilers.Job{Files: []compilers.File{{Name: MainFile, Content: probe}}, Want: []byte(want), Mode: mode}
}

// A machine runs a class in each mode by a server, and, in a box, in a process of its
// own.
func TestModes(t *testing.T) {
	testModes(t, "java", "java", len(modes))
}

// Zero has one mode, and is another family.
func TestZero(t *testing.T) {
	need.Long(t)
	machine(t)
	assert.Equal(t, zero, testModes(t, "zero", "java -zero", 1).ID().Family)
}

// A machine in a root directory runs there, and is called as its users do.
func TestRoot(t *testing.T) {
	m := testModes(t, "trunk", "java-28@trunk", len(modes))
	assert.NotEmpty(t, m.Root)
	assert.Regexp(t, `^/usr/lib/jvm/java-28-openjdk-\w+/bin/java -XX.* -Xint Repro.java$`, m.Commands(job("@int", ""), "")[0])
}

func testModes(t *testing.T, needed, entry string, n int) Machine {
	ws := space(t)
	wall, why, err := ws.Enclose(t.Context(), compilers.BoxAuto)
	require.NoError(t, err)
	env := compilers.EnvFrom(os.Environ())
	env.Space = ws
	m, err := named(t.Context(), env, entry)
	if err != nil {
		need.Missing(t, needed, "%v", err)
	}
	t.Log(m.ID(), wall, why)
	require.Len(t, m.all(), n)
	ws.Show(m.Dirs()...)
	require.NoError(t, m.Probe(t.Context(), ws, compilers.DefaultLimits()))
	direct, err := m.LinkDirectly(t.Context(), ws, compilers.DefaultLimits())
	require.NoError(t, err)
	for _, mode := range m.all() {
		for range 2 {
			o := compilers.Test(t.Context(), direct, ws, job(mode, "f 42\n"), compilers.DefaultLimits())
			assert.Equal(t, compilers.OK, o.Verdict, "%s: %v", mode, o)
		}
		o := compilers.Test(t.Context(), direct, ws, job(mode, "f 41\n"), compilers.DefaultLimits())
		assert.Equal(t, `wrong-answer: printed "f 42", want "f 41"`, o.String(), mode)
	}
	o := compilers.Test(t.Context(), m, ws, compilers.Job{Files: []compilers.File{{Name: MainFile, Content: Encode([]byte("no class at all"))}}, Mode: "@int"}, compilers.DefaultLimits())
	assert.Equal(t, compilers.Rejected, o.Verdict)
	assert.Contains(t, o.Message, "ClassFormatError")
	return m
}

// compiled returns what javac makes of the runner, or of what an edit makes of it.
func compiled(t testing.TB, edit func(string) string) string {
	javac := need.Command(t, "java", "javac")
	dir := t.TempDir()
	source := filepath.Join(dir, RunnerFile)
	require.NoError(t, os.WriteFile(source, []byte(edit(Runner)), 0o600))
	out, err := exec.Command(javac, "-J-XX:TieredStopAtLevel=1", "--release", "8", "-Xlint:-options", "-g:none", "-d", dir, source).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return dir
}

// The classes that are here are what javac makes of the source that is here.
func TestRunner(t *testing.T) {
	need.Long(t)
	m := machine(t)
	dir := compiled(t, func(s string) string { return s })
	if !strings.HasPrefix(m.Version, "17.") {
		need.Missing(t, "java", "whether the runner is what javac 17 makes of its source: this is %s", m.Version)
	}
	for _, f := range runnerFiles {
		got, err := os.ReadFile(filepath.Join(dir, f.Name))
		require.NoError(t, err)
		assert.True(t, bytes.Equal(f.Content, got), "%s: javac --release 8 -g:none -d . Repro.java makes another one", f.Name)
	}
}

// standIn is a script in the place of java, whose version it knows: it is java in the
// mode @int.
func standIn(t *testing.T, script string) Machine {
	m := machine(t)
	path := filepath.Join(t.TempDir(), "java")
	text := "#!/bin/bash\n[ \"$1\" = -version ] || case \"$*\" in *-Xint*) ;; *)\n" + script + "\n;; esac\nexec " + m.Path + " \"$@\"\n"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o700))
	m, err := named(t.Context(), m.Host, "java="+path)
	require.NoError(t, err)
	return m
}

// doctored is a script that runs another runner, which makes calls as a machine would
// that is wrong.
func doctored(dir string) string {
	return `args=(); for a; do [ "$a" = . ] && a=` + dir + `; args+=("$a"); done; set -- "${args[@]}"`
}

// Machines that are wrong are found out, and told from each other.
func TestStandIns(t *testing.T) {
	need.Long(t)
	machine(t)
	const call = "value = f.applyAsLong(c.request);"
	lies := compiled(t, func(s string) string {
		s = strings.Replace(s, call, call+`
			String lie = System.getProperty("lie", "");
			if (lie.equals("always") || lie.equals("later") && c.made >= 300 || lie.equals("used") && ++used > 2) value++;
			if (lie.equals("endless")) for (;;) Cases.f();
			if (lie.equals("waits")) Cases.fw();
			if (lie.equals("deep")) throw new StackOverflowError();
			if (lie.equals("full")) throw new OutOfMemoryError("Java heap space");`, 1)
		s = strings.Replace(s, "	// A call is", "	private static int used;\n\n	// A call is", 1)
		return s + "\nclass Cases { static volatile int n; static void f() { for (;;) g(); } static void fw() { new Thread(Cases::f).start(); synchronized (Cases.class) { for (;;) try { Cases.class.wait(); } catch (InterruptedException e) { } } } static void g() { for (int i = 0; i < 1000000; i++) n++; } }\n"
	})
	tell := func(lie string) string { return doctored(lies) + `; set -- -Dlie=` + lie + ` "$@"` }
	crash := `printf '#\n# A fatal error has been detected by the Java Runtime Environment:\n#\n#  SIGSEGV (0xb) at pc=0x00007f1234567890, pid=12, tid=13\n#\n# Problematic frame:\n# V  [libjvm.so+0x5c0d8e]  PhaseIdealLoop::split_if(Node*)+0x12e\n#\n'; exit 1` // as it does that leaves no core
	for name, tt := range map[string]struct{ script, mode, served, alone string }{
		"right":                    {":", "@c2", "ok", "ok"},
		"lies":                     {tell("always"), "@c2", `wrong-answer: printed "f 43", want "f 42"`, `wrong-answer: printed "f 43", want "f 42"`},
		"does not interpret lies":  {tell("always"), "@int", "ok", "ok"},
		"lies after 300 calls":     {tell("later"), "@tiered", `wrong-answer: printed "f 42 varies 43 at call 301", want "f 42"`, `wrong-answer: printed "f 42 varies 43 at call 301", want "f 42"`},
		"is not called that often": {tell("later"), "@c2", "ok", "ok"},
		"lies when it was used":    {tell("used"), "@c2", `wrong-answer: printed "f 43", want "f 42"`, "ok"},
		"has no memory":            {tell("full"), "@c1", "", "discarded: OutOfMemoryError: Java heap space"},
		"has no stack":             {tell("deep"), "@c1", "", "discarded: StackOverflowError"},
		"dies":                     {crash, "@c1", "internal-error: SIGSEGV (0x?) in V [libjvm.so] PhaseIdealLoop::split_if(Node*)", "internal-error: SIGSEGV (0x?) in V [libjvm.so] PhaseIdealLoop::split_if(Node*)"},
		"never ends a call":        {tell("endless"), "@c1", "", "endless: used its CPU time of 3 s"},
		"never ends compiling it":  {tell("waits"), "@c1", "", "slow-compile: used its CPU time of 3 s"},
	} {
		t.Run(name, func(t *testing.T) {
			m := standIn(t, tt.script)
			ws := space(t)
			limits := compilers.DefaultLimits()
			if strings.HasPrefix(name, "never ends") {
				limits.CompileCPU, limits.CompileWall, limits.RunCPU = 3*time.Second, time.Minute, 0 // the machine may be busy
			}
			if tt.served != "" {
				direct, err := m.LinkDirectly(t.Context(), ws, limits)
				require.NoError(t, err)
				var o compilers.Outcome
				for range 3 {
					o = compilers.Test(t.Context(), direct, ws, job(tt.mode, "f 42\n"), limits)
				}
				assert.Equal(t, tt.served, o.String())
			}
			o := compilers.Test(t.Context(), m, ws, job(tt.mode, "f 42\n"), limits)
			assert.Equal(t, tt.alone, o.String())
		})
	}
}

func TestNames(t *testing.T) {
	root := t.TempDir()
	env := compilers.Env{Path: "/nowhere", Cache: t.TempDir(), Roots: map[string]string{"other": root}}
	dir := filepath.Join(cacheDir(env), "java-99", "bin")
	require.NoError(t, os.MkdirAll(dir, 0o700))
	write := func(answer string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "java"), []byte("#!/bin/sh\necho '"+answer+"' >&2\n"), 0o700))
	}
	write("openjdk version \"99.0.1\" 2050-01-01\nOpenJDK Runtime Environment (build 99)\nOpenJDK 64-Bit Server VM (build 99)")
	m, err := named(t.Context(), env, "java-99 -XX:-UseJumpTables")
	require.NoError(t, err)
	assert.Equal(t, "99.0.1", m.Version)
	assert.Equal(t, "java", here(env)[0], "the last that is here, if none is on PATH")
	assert.Equal(t, filepath.Join(dir, "java"), find(env, "", "java"))
	require.NoError(t, os.Rename(filepath.Join(cacheDir(env), "java-99"), filepath.Join(cacheDir(env), "temurin-99-jdk")))
	m, err = named(t.Context(), env, "temurin-99")
	require.NoError(t, err)
	assert.Equal(t, "99.0.1", m.Version)
	require.NoError(t, os.Rename(filepath.Join(cacheDir(env), "temurin-99-jdk"), filepath.Join(cacheDir(env), "java-99")))
	write("openjdk version \"99.0.1\" 2050-01-01\nEclipse OpenJ9 VM (build openj9)")
	_, err = named(t.Context(), env, "java-99")
	assert.ErrorContains(t, err, "OpenJ9 is not supported yet: HotSpot is")
	write("openjdk version \"1.8.0_392\"\nOpenJDK 64-Bit Server VM (build 25.392)")
	_, err = named(t.Context(), env, "java-99")
	assert.ErrorContains(t, err, "is Java 1.8.0_392: want 9 or newer")
	write("who?")
	_, err = named(t.Context(), env, "java-99")
	assert.ErrorContains(t, err, "is no version")
	for entry, want := range map[string]string{
		"java-99@other": "java-99@other is not below " + root + debianDir,
		"java@other":    "java@other is not below " + root + debianDir,
		"java@nowhere":  `java@nowhere: no root directory is called "nowhere"`,
		"java-98":       "java-98 is neither on PATH, nor below /usr/lib/jvm, nor in " + cacheDir(env),
		"java=java":     "java=java: want an absolute path",
		"java=/none":    "java=/none: /none: there is no such file (a path ends at a blank or a comma: a link may name one that has some)",
		"node":          "node: no Java virtual machine has this name",
	} {
		_, err := named(t.Context(), env, entry)
		assert.EqualError(t, err, want)
	}
}

// Reproducers bring flags that choose how code is compiled, and no others.
func TestScreen(t *testing.T) {
	m := Machine{}
	assert.NoError(t, m.Screen(append([]string{zeroFlag}, switches...)...))
	for _, set := range m.FlagSets() {
		assert.NoError(t, m.Screen(set.Flags...))
	}
	for _, flag := range []string{"-agentpath:/tmp/x.so", "-javaagent:x.jar", "-cp", "-XX:OnError=rm", "-XX:Flags=file", "-XX:+PrintCompilation", "-XX:LogFile=x", "@file", "-Dx=y", "-XX:+UsePerfData"} {
		assert.Error(t, m.Screen(flag), flag)
	}
}
