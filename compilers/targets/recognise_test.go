package targets

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/tools/need"
)

// standIn writes a script that answers to its first argument, and returns its path.
// Where there is no answer it fails.
func standIn(t *testing.T, file string, answers map[string]string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("#!/bin/sh\ncase \"$1\" in\n")
	for arg, text := range answers {
		fmt.Fprintf(&b, "%s) cat <<'END'\n%s\nEND\nexit ;;\n", arg, text)
	}
	b.WriteString("esac\necho \"unknown option $1\" >&2\nexit 2\n")
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o755))
	return file
}

// Texts that compilers print of themselves.
const (
	fsf        = "\nCopyright (C) 2026 Free Software Foundation, Inc."
	ownGCC     = "teacup (GCC) 17.0.0 20261123 (experimental)" + fsf
	ownGCCSaid = "gcc version 17.0.0 20261123 (experimental) (GCC)"
	ownClang   = "clang version 24.0.0git (https://github.com/llvm/llvm-project.git 7e3c571570967e3c571570967e3c571570961234)\nTarget: x86_64-unknown-linux-gnu"
	ownGo      = "go version go1.28-devel_0f1e2d3c4b Fri Nov 20 12:00:00 2026 +0000 linux/amd64"
	olderGo    = "go version devel go1.24-0f1e2d3c4b Fri Nov  1 12:00:00 2024 +0000 linux/amd64"
	ownJava    = "openjdk version \"28-internal\" 2027-03-16\nOpenJDK Runtime Environment (fastdebug build 28-internal-adhoc.me.jdk)\nOpenJDK 64-Bit Server VM (fastdebug build 28-internal-adhoc.me.jdk, mixed mode)"
	openJ9     = "openjdk version \"17.0.9\" 2023-10-17\nIBM Semeru Runtime Open Edition 17.0.9.0 (build 17.0.9+9)\nEclipse OpenJ9 VM 17.0.9.0 (build openj9-0.41.0, JRE 17 Linux amd64-64-Bit)"
	graal      = "java version \"21.0.1\" 2023-10-17\nJava(TM) SE Runtime Environment Oracle GraalVM 21.0.1+12.1 (build 21.0.1+12-jvmci-23.1-b19)\nJava HotSpot(TM) 64-Bit Server VM Oracle GraalVM 21.0.1+12.1 (build 21.0.1+12-jvmci-23.1-b19, mixed mode, sharing)"
)

// goTree makes a directory of Go as make.bash leaves it, without a file VERSION.
func goTree(t *testing.T, said string) string {
	dir := t.TempDir()
	standIn(t, filepath.Join(dir, "bin", "go"), map[string]string{"version": said})
	for _, tool := range []string{"compile", "link"} {
		standIn(t, filepath.Join(dir, "pkg", "tool", "linux_"+runtime.GOARCH, tool), nil)
	}
	return dir
}

// findOne returns the target of an entry of REIFY_CC.
func findOne(t *testing.T, env compilers.Env, entry string) compilers.Target {
	t.Helper()
	env.CC = entry
	found, named, err := Find(t.Context(), env)
	require.NoError(t, err)
	require.True(t, named)
	require.Len(t, found, 1)
	return found[0]
}

// Each compiler is recognised by its path, and is found by its path under its name.
func TestRecognised(t *testing.T) {
	dir := t.TempDir()
	goroot := goTree(t, ownGo)
	jdk := filepath.Join(dir, "jdk")
	standIn(t, filepath.Join(jdk, "bin", "java"), map[string]string{"-version": ownJava})
	node := standIn(t, filepath.Join(dir, "node", "bin", "node"), map[string]string{"--version": "v26.1.0", "-p": "14.6.202.33"})
	bun := standIn(t, filepath.Join(dir, "my-bun"), map[string]string{"--version": "1.3.9", "--help": "Bun is a fast JavaScript runtime, package manager, bundler, and test runner. (1.3.9)"})
	gcc := standIn(t, filepath.Join(dir, "teacup"), map[string]string{"--version": ownGCC, "-v": ownGCCSaid})
	require.NoError(t, os.Rename(gcc, gcc+".out"))
	// It prints that on standard error.
	require.NoError(t, os.WriteFile(gcc, []byte("#!/bin/sh\ncase $1 in -v) exec >&2;; esac\nexec "+gcc+".out \"$@\"\n"), 0o755))
	clang := standIn(t, filepath.Join(dir, "cup"), map[string]string{"--version": ownClang})
	opt := standIn(t, filepath.Join(dir, "opt"), map[string]string{"--version": "wasm-opt version 120 (version_120)"})
	gccgo := standIn(t, filepath.Join(dir, "gcc", "bin", "gccgo"), map[string]string{"--version": strings.Replace(ownGCC, "teacup", "gccgo", 1), "-dumpfullversion": "17.0.0"})
	for entry, want := range map[string]struct{ name, family, version string }{
		gccgo:                              {"gccgo=" + gccgo, "gccgo", "17.0.0"},
		"gccgo=" + dir + "/gcc -O9":        {"gccgo=" + dir + "/gcc -O9", "gccgo", "17.0.0"},
		gcc:                                {gcc, "gcc", "17.0.0 20261123 build "},
		gcc + " -O9 -g":                    {gcc + " -O9 -g", "gcc", "17.0.0 20261123 build "},
		"gcc=" + gcc:                       {gcc, "gcc", "17.0.0 20261123 build "},
		clang:                              {clang, "clang", "24.0.0git 7e3c57157096 build "},
		"clang=" + clang + " -m32":         {clang + " -m32", "clang", "24.0.0git 7e3c57157096 build "},
		goroot:                             {"gc=" + goroot, "gc", "1.28-devel_0f1e2d3c4b 20261120 build "},
		goroot + "/bin/go -N":              {"gc=" + goroot + "/bin/go -N", "gc", "1.28-devel_0f1e2d3c4b 20261120 build "},
		"gc=" + goroot:                     {"gc=" + goroot, "gc", "1.28-devel_0f1e2d3c4b 20261120 build "},
		"gc=" + goTree(t, olderGo):         {"", "gc", "1.24-devel_0f1e2d3c4b 20241101 build "},
		goTree(t, "go version go1.26.2 x"): {"", "gc", "1.26.2"},
		jdk:                                {"java=" + jdk, "hotspot", "28-internal build "},
		jdk + "/bin/java -Xss2m":           {"java=" + jdk + "/bin/java -Xss2m", "hotspot", "28-internal build "},
		"java=" + jdk:                      {"java=" + jdk, "hotspot", "28-internal build "},
		node:                               {"node=" + node, "v8", "14.6.202.33"},
		filepath.Join(dir, "node"):         {"node=" + filepath.Join(dir, "node"), "v8", "14.6.202.33"},
		"node=" + node + " --no-opt":       {"node=" + node + " --no-opt", "v8", "14.6.202.33"},
		bun:                                {"bun=" + bun, "jsc", "1.3.9"},
		opt:                                {"wasm-opt=" + opt, "binaryen", "120"},
		"teacup -m32":                      {gcc + " -m32", "gcc", "17.0.0 20261123 build "},
		"my-bun":                           {"bun=" + bun, "jsc", "1.3.9"},
	} {
		target := findOne(t, compilers.Env{Path: dir + ":/usr/bin:/bin"}, entry)
		id := target.ID()
		if want.name == "" {
			want.name = id.String()
		}
		if strings.HasPrefix(entry, "teacup") { // found by its name
			want.name = entry
		}
		assert.Equal(t, want.name, id.String(), entry)
		assert.Equal(t, want.family, id.Family, entry)
		if strings.HasSuffix(want.version, " ") {
			assert.Regexp(t, "^"+want.version+"[0-9a-f]{8}$", id.Version+stampOf(t, target, want.version), entry)
		} else {
			assert.Equal(t, want.version, id.Version, entry)
		}
		assert.NoError(t, compilers.Changed(target), entry)
	}
}

// stampOf returns what a target that is found by a name lacks in its version.
func stampOf(t *testing.T, target compilers.Target, want string) string {
	if strings.Contains(target.ID().Name, "/") {
		return ""
	}
	digest, err := target.(compilers.Stamped).Digest("")
	require.NoError(t, err)
	return strings.TrimPrefix(compilers.StampVersion(target.ID().Version, digest), target.ID().Version)
}

// Errors name what is not supported, what an executable is, and how others are recognised.
func TestNotRecognised(t *testing.T) {
	dir := t.TempDir()
	env := compilers.Env{Path: "/usr/bin:/bin"}
	for said, answers := range map[string]map[string]string{
		"d8, the shell of V8, is not supported yet: node is":                 {"--version": "Warning: unknown flag --version.\nV8 version 14.4.0 (candidate)\nd8> "},
		"jsc, the shell of JavaScriptCore, is not supported yet: bun is":     {"--help": "Usage: jsc [options] [files] [-- arguments]\n  -d         Dumps bytecode (debug builds only)"},
		"wasmtime is not supported yet: wizer":                               {"--version": "wasmtime 25.0.0 (abcdef123 2026-09-20)"},
		"OpenJ9 is not supported yet: HotSpot is":                            {"-version": openJ9},
		"GraalVM is not supported yet: HotSpot is":                           {"-version": graal},
		"tinygo is not supported yet: gc is":                                 {"version": "tinygo version 0.31.2 linux/amd64 (using go version go1.22.1 and LLVM version 17.0.1)"},
		"CompCert is not supported yet: gcc and clang are":                   {"--version": "The CompCert C verified compiler, version 3.13"},
		"Intel's compiler is not supported yet":                              {"--version": "Intel(R) oneAPI DPC++/C++ Compiler 2024.0.0 (2024.0.0.20231017)\nTarget: x86_64-unknown-linux-gnu"},
		"is none of the compilers that are known (--version: \"teapot 1.0\"": {"--version": "teapot 1.0"},
		"\n  clang        --version  clang version":                          {"--version": "teapot 2.0"},
	} {
		file := standIn(t, filepath.Join(dir, "x"), answers)
		env.CC = file
		_, _, err := Find(t.Context(), env)
		assert.ErrorContains(t, err, said)
		assert.ErrorContains(t, err, file)
	}
	standIn(t, filepath.Join(dir, "bin", "java"), map[string]string{"-version": openJ9})
	ownNode := standIn(t, filepath.Join(dir, "n"), map[string]string{"-p": "V8 version 14.4.0 (candidate)"})
	gcc := standIn(t, filepath.Join(dir, "g"), map[string]string{"--version": strings.Replace(ownGCC, "teacup", "gcc", 1)})
	xgcc := standIn(t, filepath.Join(dir, "xgcc"), map[string]string{"--version": strings.Replace(ownGCC, "teacup", "xgcc", 1)})
	standIn(t, filepath.Join(dir, "cc1"), nil)
	unbuilt := goTree(t, ownGo)
	require.NoError(t, os.RemoveAll(filepath.Join(unbuilt, "pkg")))
	for entry, want := range map[string]string{
		"java=" + dir:            "OpenJ9 is not supported yet: HotSpot is",
		dir:                      "OpenJ9 is not supported yet: HotSpot is",
		"node=" + ownNode:        "d8, the shell of V8, is not supported yet",
		"clang=" + gcc:           "is gcc: \"gcc (GCC) 17.0.0",
		"clang=gcc":              "want an absolute path",
		"teapot=" + gcc:          "has this name",
		"/none/such":             "/none/such: there is no such file (a path ends at a blank or a comma",
		"/none/a dir/gcc":        "/none/a: there is no such file",
		"gc=/none":               "/none: there is no such file",
		"gc=" + dir:              "a directory without an executable bin/go",
		t.TempDir():              "a directory without an executable bin/go or bin/node or bin/bun or bin/java",
		"gc=" + unbuilt:          "make.bash in " + unbuilt + "/src builds it",
		xgcc:                     "name it as " + xgcc + " -B" + dir + "/",
		gcc + " -B.":             "want -B with an absolute path",
		"/usr/bin/env":           "is none of the compilers that are known",
		"gcc-99":                 "gcc-99: not found on PATH (/usr/bin:/bin); reify compilers lists the names of those that are here",
		"gc-1.25=" + unbuilt:     "has this name",
		"gcc-12@/none":           "there is no root directory",
		"/a@b/gcc":               "there is no root directory",
		"node@trunk=/usr/bin/no": "has this name",
	} {
		env.CC = entry
		_, _, err := Find(t.Context(), env)
		assert.ErrorContains(t, err, want, entry)
		assert.ErrorContains(t, err, "REIFY_CC=", entry)
	}
	assert.NotNil(t, findOne(t, env, xgcc+" -B"+dir+"/"))
}

// Two builds that call themselves the same have versions of their own, and one that is
// built anew is another.
func TestStamps(t *testing.T) {
	dir := t.TempDir()
	banner := func(name string) map[string]string {
		return map[string]string{"--version": "gcc (GCC) 15.2.0" + fsf, name: name}
	}
	a := standIn(t, filepath.Join(dir, "a"), banner("a"))
	b := standIn(t, filepath.Join(dir, "b"), banner("b"))
	env := compilers.Env{Path: dir + ":/usr/bin:/bin", CC: a, Cache: filepath.Join(dir, "cache")}
	versions := func() (list []string) {
		found, _, err := Find(t.Context(), env)
		require.NoError(t, err)
		for _, one := range found {
			list = append(list, one.ID().Version)
		}
		return list
	}
	assert.Equal(t, []string{"15.2.0"}, versions(), "a release that is alone")
	env.CC = a + "," + b
	two := versions()
	assert.Regexp(t, "^15.2.0 build [0-9a-f]{8}$", two[0])
	assert.Regexp(t, "^15.2.0 build [0-9a-f]{8}$", two[1])
	assert.NotEqual(t, two[0], two[1])
	assert.Equal(t, two, versions())
	assert.FileExists(t, filepath.Join(env.Cache, "digests.json"))
	env.CC = a + "," + a + " -m32"
	assert.Equal(t, []string{"15.2.0", "15.2.0"}, versions(), "one build")

	goroot := goTree(t, ownGo)
	env.CC = "gc=" + goroot
	found, _, err := Find(t.Context(), env)
	require.NoError(t, err)
	standIn(t, filepath.Join(goroot, "pkg", "tool", "linux_"+runtime.GOARCH, "compile"), banner("new"))
	assert.ErrorContains(t, compilers.Changed(found[0]), "compile was replaced")
	again := versions()
	assert.NotEqual(t, found[0].ID().Version, again[0])
	assert.Positive(t, compilers.CompareVersions("1.28.0", again[0]), "before the release")
	assert.Equal(t, "2026-11-20", compilers.SnapshotDay(again[0]))
}

// An executable that does not answer is asked once, and not with the arguments of each
// sign.
func TestNoAnswer(t *testing.T) {
	need.Long(t)
	t.Parallel()
	file := filepath.Join(t.TempDir(), "bin", "cc")
	require.NoError(t, os.Mkdir(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte("#!/bin/sh\nsleep 1000\n"), 0o755))
	began := time.Now()
	_, err := recognise(t.Context(), compilers.Env{Path: os.Getenv("PATH")}, finders, file)
	assert.ErrorContains(t, err, "asking "+file+" which compiler it is")
	assert.ErrorContains(t, err, "no answer in time")
	assert.Less(t, time.Since(began), 35*time.Second)
}
