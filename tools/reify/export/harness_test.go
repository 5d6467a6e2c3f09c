package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/tools/need"
)

// A side is a compiler that a harness is to use: that which has the bug, or one that has it not. Where
// every version has it, flags stand for the second: those that mend it, or none but -O0.
type side struct {
	name  string   // of a command, in a root directory if it ends in one
	flags []string // more
	plain bool     // without optimisation
}

// harnesses run a test, and tell whether it passed. An error says that the harness is not here, or
// that it did not run the test.
var harnesses = map[string]func(*testing.T, Test, []corpus.File, side) (passed bool, said string, err error){
	"torture":   dejaGNU,
	"lit":       llvmLit,
	"fixedbugs": goRun,
	"jtreg":     javaTest,
	"wast":      wazeroSpec,
}

var (
	errMissing = errors.New("it is not here")
	errNone    = errors.New("no version, no processor and no level without the bug is here")
)

// Exported tests do in the suites of their compilers what they are for: they fail with the compiler
// that has the bug, and pass with one that has it not. The findings are those of the ledger.
func TestHarness(t *testing.T) {
	need.Named(t)
	list, err := corpus.LoadKnown("../../../corpus/" + corpus.KnownFile)
	require.NoError(t, err)
	for _, k := range list {
		t.Run(k.Bucket, func(t *testing.T) {
			e, err := corpus.Load(filepath.Join("../../../corpus", k.Bucket+corpus.Ext))
			require.NoError(t, err)
			form := formOf(e.Family)
			require.NotNil(t, form)
			test := Test{Entry: e, Name: NameOf(k.Bucket + corpus.Ext), IR: clangIR(t, e)}
			files, err := form.Write(t.Context(), test)
			if errors.Is(err, ErrNotForThis) {
				t.Skip("NOT TESTED: ", err)
			}
			require.NoError(t, err)
			bad, good := sides(e)
			for _, s := range []struct {
				side
				want bool
			}{{bad, false}, {good, true}} {
				passed, said, err := harnesses[form.Name](t, test, files, s.side)
				if errors.Is(err, errNone) {
					t.Skip("NOT TESTED: ", err)
				}
				if errors.Is(err, errMissing) {
					need.Missing(t, "harness", "%s: %v", form.Name, err)
				}
				require.NoError(t, err, "%s\n%s", s.name, said)
				assert.Equal(t, s.want, passed, "%s %q plain %t:\n%s", s.name, s.flags, s.plain, said)
				t.Logf("%s, %s %q, plain %t: passed %t", form.Name, s.name, s.flags, s.plain, passed)
			}
		})
	}
}

func formOf(family string) *Form {
	for i, f := range Forms {
		if slices.Contains(f.Families, family) {
			return &Forms[i]
		}
	}
	return nil
}

// sides returns the compiler of an entry, and one without the bug: another version that is right in all
// modes in which the first fails.
func sides(e *corpus.Entry) (bad, good side) {
	bad = side{name: e.Compiler, flags: e.Flags}
	good = side{name: e.Compiler, flags: append(slices.Clone(e.Flags), e.MendedBy...)}
	var modes []string
	for _, c := range e.ReducedBad {
		if c.Family == e.Family && c.Version == e.Version {
			modes = append(modes, c.Modes...)
		}
	}
	for _, c := range e.ReducedGood {
		name, ok := releases[c.Family+" "+c.Version]
		lacks := func(mode string) bool { return !slices.Contains(c.Modes, mode) }
		if ok && c.Family == e.Family && compilers.ProcessorOf(c.Version) == compilers.ProcessorOf(e.Version) && slices.Equal(c.Args, e.Flags) && !slices.ContainsFunc(modes, lacks) && len(modes) > 0 {
			good = side{name: name, flags: e.Flags}
			return bad, good
		}
	}
	good.plain = len(e.MendedBy) == 0 || e.Family == "clang" || e.Family == "gc"
	return bad, good
}

// releases are the commands of versions.
var releases = map[string]string{
	"gcc 15.3.0": "gcc-15@trunk", "gcc 17.0.0 20261020 r17-5409": "gcc-17@trunk", "gcc 12.2.0": "gcc-12",
	"clang 23.1.4 aarch64-unknown-linux-gnu":     "clang-23@trunk",
	"clang 23.1.4 loongarch64-unknown-linux-gnu": "clang-23@trunk",
}

// root is the directory of make trunk.
func root() string { return compilers.EnvFrom(os.Environ()).Roots["trunk"] }

// command returns a script that runs a command, in the root directory if it is of that: the
// directories /tmp are one.
func command(t *testing.T, name string, flags ...string) (string, error) {
	name, in, _ := strings.Cut(name, "@")
	words := compilers.CommandLine(name, flags) + ` "$@"`
	text := "#!/bin/sh\nexec " + words + "\n"
	if in != "" {
		if _, err := os.Stat(filepath.Join(root(), "usr/bin", name)); err != nil {
			return "", fmt.Errorf("%w: %s in the root directory that make trunk makes", errMissing, name)
		}
		text = fmt.Sprintf(`#!/bin/sh
exec unshare -m sh -c 'root=$0 && mount --rbind /tmp "$root/tmp" && mount --rbind /dev "$root/dev" && mount -t proc proc "$root/proc" &&
	exec chroot "$root" sh -c "cd \"\$0\" && exec \"\$@\"" "$PWD" "$@"' %s %s
`, compilers.Quote(root()), words)
	} else if _, err := exec.LookPath(name); err != nil {
		return "", fmt.Errorf("%w: %s", errMissing, name)
	}
	file := filepath.Join(t.TempDir(), filepath.Base(name))
	return file, os.WriteFile(file, []byte(text), 0o700)
}

// run runs a command for ten minutes at most, and returns its output.
func run(dir string, env []string, words ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

func put(t *testing.T, dir string, files []corpus.File) {
	require.NoError(t, os.MkdirAll(dir, 0o700))
	for _, f := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), f.Content, 0o600))
	}
}

// emulator returns qemu for a triple or a GOARCH; nothing for this machine's processor.
func emulator(processor string) (string, error) {
	names := map[string]string{"powerpc64le": "ppc64le", "powerpc64": "ppc64", "loong64": "loongarch64", "arm64": "aarch64"}
	first, _, _ := strings.Cut(processor, "-")
	if name, ok := names[first]; ok {
		first = name
	}
	if first == "" || first == "x86_64" || first == "amd64" {
		return "", nil
	}
	for _, file := range []string{filepath.Join(root(), "usr/bin/qemu-"+first), "/usr/bin/qemu-" + first, "/usr/bin/qemu-" + first + "-static"} {
		if _, err := os.Stat(file); err == nil {
			return file, nil
		}
	}
	return "", fmt.Errorf("%w: qemu-%s", errMissing, first)
}

// gccSuite is the directory gcc/testsuite of GCC's sources, which make setup WITH=harness fetches.
func gccSuite() (string, error) {
	dir := filepath.Join(compilers.EnvFrom(os.Environ()).Cache, "gcc-testsuite", "testsuite")
	if _, err := os.Stat(filepath.Join(dir, "lib", "gcc-dg.exp")); err != nil {
		return "", fmt.Errorf("%w: GCC's testsuite in %s", errMissing, dir)
	}
	return dir, nil
}

// dejaGNU runs a test of gcc.dg/torture as make check-gcc does.
func dejaGNU(t *testing.T, test Test, files []corpus.File, s side) (bool, string, error) {
	suite, err := gccSuite()
	if err != nil {
		return false, "", err
	}
	if _, err := exec.LookPath("runtest"); err != nil {
		return false, "", fmt.Errorf("%w: DejaGnu's runtest", errMissing)
	}
	triple := compilers.ProcessorOf(test.Version)
	flags := slices.DeleteFunc(slices.Clone(s.flags), func(f string) bool { return slices.Contains(test.Flags, f) })
	if triple != "" {
		flags = append(flags, "-static")
	}
	tool, err := command(t, s.name)
	if err != nil {
		return false, "", err
	}
	if flags != nil || s.plain { // behind the level, which they take back
		if s.plain { // a level that is right
			flags = append(flags, map[bool]string{true: "-O1", false: "-O0"}[test.Mode == "-O0"])
		}
		text := "#!/bin/sh\nexec " + tool + ` "$@" ` + strings.Join(flags, " ") + "\n"
		tool = filepath.Join(t.TempDir(), "cc")
		require.NoError(t, os.WriteFile(tool, []byte(text), 0o700))
	}
	dir := t.TempDir()
	copied := filepath.Join(dir, "testsuite")
	require.NoError(t, os.CopyFS(copied, os.DirFS(suite)))
	put(t, filepath.Join(copied, "gcc.dg/torture"), files)
	target := "x86_64-pc-linux-gnu"
	board := "unix"
	if triple != "" {
		qemu, err := emulator(triple)
		if err != nil {
			return false, "", err
		}
		target, board = triple, "emulated"
		put(t, dir, []corpus.File{{Name: board + ".exp", Content: []byte("load_generic_config \"sim\"\nset_board_info sim \"" + qemu + "\"\nset_board_info is_simulator 1\nprocess_multilib_options \"\"\n")}})
	}
	site := fmt.Sprintf("set rootme %q\nset srcdir %q\nset testsuitedir %[2]q\nset tmpdir %[1]q\nset host_triplet x86_64-pc-linux-gnu\nset build_triplet x86_64-pc-linux-gnu\n"+
		"set target_triplet %[3]s\nset target_alias %[3]s\nset tool gcc\nset HOSTCC gcc\nset HOSTCFLAGS \"\"\nset TESTING_IN_BUILD_TREE 1\nset GCC_UNDER_TEST %[4]q\nlappend boards_dir %[1]q\n",
		dir, copied, target, tool)
	put(t, dir, []corpus.File{{Name: "site.exp", Content: []byte(site)}})
	said, _ := run(dir, nil, "runtest", "--tool", "gcc", "--srcdir", copied, "--target_board="+board, "dg-torture.exp="+files[0].Name)
	sum := regexp.MustCompile(`(?m)^(FAIL|ERROR|UNRESOLVED|UNSUPPORTED): `).FindStringSubmatch(said)
	switch {
	case sum == nil && strings.Contains(said, "# of expected passes"):
		return true, said, nil
	case sum != nil && sum[1] == "FAIL":
		return false, said, nil
	case sum != nil && sum[1] == "UNSUPPORTED" || strings.Contains(said, "# of unsupported tests"):
		return false, said, fmt.Errorf("%w: what the test needs of the processor", errMissing)
	}
	return false, said, errors.New("runtest has no result")
}

// clangIR returns Test.IR by the compiler of an entry.
func clangIR(t *testing.T, e *corpus.Entry) func(context.Context, string, compilers.Mode, []string, bool) (string, error) {
	return func(_ context.Context, source string, mode compilers.Mode, flags []string, optimised bool) (string, error) {
		tool, err := command(t, e.Compiler)
		if err != nil {
			need.Missing(t, "harness", "lit: %v", err)
		}
		dir := t.TempDir()
		put(t, dir, []corpus.File{{Name: corpus.MainC, Content: []byte(source)}})
		words := slices.Concat([]string{tool, "-w", mode}, flags, IRFlags(optimised), []string{corpus.MainC})
		if said, err := run(dir, nil, words...); err != nil {
			return "", fmt.Errorf("%w: %s", err, said)
		}
		text, err := os.ReadFile(filepath.Join(dir, irFile(corpus.MainC)))
		return string(text), err
	}
}

// llvmLit runs a test by lit and FileCheck. A version without llc and opt does what they do by clang.
// Where llc is wrong without optimising, too, LLVM for this machine's processor is the one without
// the bug.
func llvmLit(t *testing.T, test Test, files []corpus.File, s side) (bool, string, error) {
	passed, said, err := litOnce(t, test, files, s)
	if passed || err != nil || !s.plain {
		return passed, said, err
	}
	if len(test.Flags) == 0 { // it is the one below
		return false, said, errNone
	}
	own := *test.Entry
	own.Flags, test.Entry, s.plain = nil, &own, false
	text := elsewhere.ReplaceAllString(string(files[0].Content), "")
	return litOnce(t, test, one(files[0].Name, text), s)
}

func litOnce(t *testing.T, test Test, files []corpus.File, s side) (bool, string, error) {
	lit, err := command(t, "lit-24@trunk")
	if err != nil {
		return false, "", err
	}
	dir := t.TempDir()
	put(t, dir, files)
	triple := ""
	for _, f := range test.Flags {
		if name, ok := strings.CutPrefix(f, "--target="); ok {
			triple = name
		}
	}
	qemu, err := emulator(triple)
	if err != nil {
		return false, "", err
	}
	if after, ok := strings.CutPrefix(qemu, root()); ok { // it runs there
		qemu = after
	}
	tools := map[string]string{"llc": `exec llc-24 "$@"`, "opt": `exec opt-24 "$@"`}
	if s.plain {
		tools["llc"] = `exec llc-24 -O0 $(echo " $*" | sed 's/ -O[0-3]//; s/ -m\(attr\|cpu\)=[^ ]*//')`
		tools["opt"] = `exec opt-24 $(echo " $*" | sed 's/<O[123s]>/<O0>/; /<O0>/!s/ -passes=[^ ]*/ -passes=verify/')`
	}
	if clang, _, _ := strings.Cut(s.name, "@"); !strings.HasSuffix(clang, "-24") {
		by := `words="-O2" how="-S -o - -"; for w; do case $w in -filetype=*) how=-c ;; -mtriple=*) words="$words --target=${w#-mtriple=}" ;; -relocation-model=*|-global-isel-abort=*) ;; -global-isel) words="$words -fglobal-isel" ;; -passes=*) words="$words -O2" ;; *) words="$words $w" ;; esac; done; exec ` + compilers.CommandLine(clang, s.flags) + ` -w -fPIC -x ir $how $words`
		tools["llc"], tools["opt"] = by, by+" -emit-llvm"
	}
	for name, text := range tools {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o700))
	}
	cc := "clang-24"
	if triple != "" {
		cc += " --target=" + triple + " -static"
	}
	if slices.Contains(test.Flags, "-fuse-ld=lld") {
		cc += " -fuse-ld=lld"
	}
	config := fmt.Sprintf(`import lit.formats
config.name = "exported"
config.test_format = lit.formats.ShTest(False)
config.suffixes = [".ll"]
config.environment["PATH"] = %q + ":" + config.environment["PATH"]
config.substitutions += [("%%cc", %q), ("%%run", %q), ("FileCheck", "FileCheck-24")]
`, dir, cc, qemu)
	put(t, dir, []corpus.File{{Name: "lit.cfg.py", Content: []byte(config)}})
	said, _ := run(dir, nil, lit, "-v", ".")
	switch {
	case strings.Contains(said, "linker command failed"):
	case strings.Contains(said, "Passed: 1"):
		return true, said, nil
	case strings.Contains(said, "Failed: 1"):
		return false, said, nil
	}
	return false, said, errors.New("lit has no result")
}

// elsewhere is what IR says of the processor that it is for.
var elsewhere = regexp.MustCompile(`(?m) -(?:mtriple|mcpu|target-abi)=\S+|^target (?:datalayout|triple) = .*\n| "(?:target-cpu|target-features|tune-cpu)"="[^"]*"`)

// goRun does what cmd/internal/testdir does with a test, by its first line. testdir itself takes
// minutes for each processor, as it builds the standard library anew.
func goRun(t *testing.T, test Test, files []corpus.File, s side) (bool, string, error) {
	version, goarch, _ := strings.Cut(test.Version, " ")
	if s.plain && goarch != "" {
		goarch = "amd64"
	}
	dir := t.TempDir()
	put(t, dir, files)
	env := []string{"GOTOOLCHAIN=go" + version, "GOFLAGS=", "GOARCH=" + goarch}
	first, _, _ := strings.Cut(string(files[0].Content), "\n")
	action := strings.Fields(strings.ReplaceAll(strings.TrimPrefix(first, "// "), `"`, ""))
	flags := strings.TrimPrefix(strings.Join(action[1:], " "), "-gcflags=")
	switch { // another mode, which is right
	case s.plain && action[0] == "compile":
		flags = ""
	case s.plain && goarch == "":
		flags = "-N -l"
	}
	words := []string{"go", "build", "-gcflags=" + flags, "-o", "test", files[0].Name}
	said, err := run(dir, env, words...)
	if err != nil || action[0] == "compile" {
		return err == nil, said, nil
	}
	qemu, err := emulator(goarch)
	if err != nil {
		return false, "", err
	}
	said, err = run(dir, nil, slices.DeleteFunc([]string{qemu, "./test"}, func(w string) bool { return w == "" })...)
	if len(files) > 1 && err == nil {
		return said == string(files[1].Content), said, nil
	}
	return err == nil, said, nil
}

// javaTest runs a test by jtreg, with the JDK that is here and known to fail.
func javaTest(t *testing.T, test Test, files []corpus.File, s side) (bool, string, error) {
	jtreg, err := exec.LookPath("jtreg")
	if err != nil {
		return false, "", fmt.Errorf("%w: jtreg", errMissing)
	}
	jdk := ""
	for _, b := range test.ReducedBad {
		if major, _, _ := strings.Cut(b.Version, "."); b.Family == test.Family {
			found, _ := filepath.Glob("/usr/lib/jvm/*-" + major + "-jdk*")
			more, _ := filepath.Glob("/usr/lib/jvm/java-" + major + "-openjdk*")
			if found = append(found, more...); len(found) > 0 {
				jdk = found[len(found)-1]
			}
		}
	}
	if jdk == "" {
		return false, "", fmt.Errorf("%w: a JDK that fails", errMissing)
	}
	dir := t.TempDir()
	put(t, dir, append(slices.Clone(files), corpus.File{Name: "TEST.ROOT"}))
	words := []string{jtreg, "-jdk:" + jdk, "-w:" + dir + "/work", "-r:" + dir + "/report", "-v:fail"}
	for _, flag := range s.flags {
		words = append(words, "-vmoption:"+flag)
	}
	if s.plain {
		words = append(words, "-vmoption:-Xint")
	}
	said, _ := run(dir, nil, append(words, files[0].Name)...)
	switch {
	case strings.Contains(said, "Test results: passed: 1"):
		return true, said, nil
	case strings.Contains(said, "Test results: failed: 1"):
		return false, said, nil
	}
	return false, said, errors.New("jtreg has no result")
}

// wazeroSpec runs a test as wazero runs those of the specification: in a package of its own tests,
// by the compiler or by the interpreter. wabt's interpreter must find it right, too.
func wazeroSpec(t *testing.T, test Test, files []corpus.File, s side) (bool, string, error) {
	for _, tool := range []string{"wast2json", "spectest-interp"} {
		if _, err := exec.LookPath(tool); err != nil {
			return false, "", fmt.Errorf("%w: wabt's %s", errMissing, tool)
		}
	}
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/tetratelabs/wazero").Output()
	if err != nil {
		return false, "", err
	}
	module := strings.TrimSpace(string(out))
	const suite = "internal/integration_test/spectest"
	dir := t.TempDir()
	err = filepath.WalkDir(module, func(path string, d os.DirEntry, err error) error {
		name, _ := filepath.Rel(module, path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" && filepath.Dir(name) != suite || d.Name() == "site"):
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(dir, name), 0o700)
		}
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o600)
		}
		return err
	})
	require.NoError(t, err)
	own := filepath.Join(dir, suite, "exported")
	put(t, filepath.Join(own, "testdata"), files)
	stem := strings.TrimSuffix(files[0].Name, ".wast")
	if said, err := run(filepath.Join(own, "testdata"), nil, "wast2json", files[0].Name); err != nil {
		return false, said, err
	}
	if said, err := run(filepath.Join(own, "testdata"), nil, "spectest-interp", stem+".json"); err != nil {
		return false, said, fmt.Errorf("wabt: %w", err)
	}
	for _, name := range []string{"spectest.go", "spec_test.go"} {
		text, err := os.ReadFile(filepath.Join(dir, suite, "v1", name))
		require.NoError(t, err)
		put(t, own, []corpus.File{{Name: name, Content: bytes.Replace(text, []byte("package v1"), []byte("package exported"), 1)}})
	}
	which := "TestCompiler"
	if s.plain {
		which = "TestInterpreter"
	}
	said, err := run(own, []string{"GOFLAGS="}, "go", "test", "-count=1", "-v", "-run", "^"+which+"$", ".")
	switch {
	case err == nil && strings.Contains(said, "--- PASS: "+which+"/"):
		return true, said, nil
	case strings.Contains(said, "--- FAIL: "+which+"/"):
		return false, said, nil
	}
	return false, said, errors.New("no test was run: " + strconv.Quote(fmt.Sprint(err)))
}
