package native

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"goreify/compilers"
)

var update = flag.Bool("update", false, "write what is got into the golden files")

// crashTexts returns what the compilers of testdata/crash printed.
func crashTexts(t *testing.T) map[string]*txtar.Archive {
	files, err := filepath.Glob("testdata/crash/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	texts := map[string]*txtar.Archive{}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		require.NoError(t, err)
		require.Len(t, a.Files, 2, file)
		texts[file] = a
	}
	return texts
}

func TestCrashLine(t *testing.T) {
	for file, a := range crashTexts(t) {
		got := crashLine(a.Files[0].Data)
		if *update {
			a.Files[1].Data = []byte(got)
			require.NoError(t, os.WriteFile(file, txtar.Format(a), 0o644))
			continue
		}
		assert.Equal(t, strings.TrimSpace(string(a.Files[1].Data)), got, file)
		assert.Equal(t, internalError(string(a.Files[0].Data)) == "", got == "", "%s: an error is one to both", file)
	}
}

// A compiler that crashes says where and on which functions, and one that fails in
// another way says nothing of the kind.
func TestOutcomeOfCrash(t *testing.T) {
	named := map[string][]string{
		"gcc-symbols": {"f1"}, "clang-crash-in-pass": {"f17"}, "rejected": {"f"},
	}
	ws := newWorkspace(t)
	for file, a := range crashTexts(t) {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		text := filepath.Join(t.TempDir(), "stderr")
		require.NoError(t, os.WriteFile(text, a.Files[0].Data, 0o600))
		tc := fake(t, "cat "+text+" >&2; exit 1")
		_, built := tc.Build(t.Context(), ws, compilers.Job{}, roomy())
		_, compiled, err := tc.Compile(t.Context(), ws, compilers.Job{}, "none", roomy())
		require.NoError(t, err)
		for _, o := range []compilers.Outcome{built, compiled} {
			assert.Equal(t, name != "rejected", o.Verdict == compilers.InternalError, "%s: %v", name, o)
			assert.Equal(t, strings.TrimSpace(string(a.Files[1].Data)), o.Crash, name)
			assert.Equal(t, named[name], o.Named, name)
		}
	}
	for _, body := range []string{writes("echo 42"), `echo "In function 'f'" >&2; kill -KILL $$`} {
		_, o := fake(t, body).Build(t.Context(), ws, compilers.Job{}, roomy())
		assert.Empty(t, o.Crash, o)
		assert.Empty(t, o.Named, o)
	}
}

// Where the compiler was loaded and which line of its source it was is no part
// of the line, so neighbouring versions agree.
func TestCrashLineWithoutNumbers(t *testing.T) {
	for file, a := range crashTexts(t) {
		moved := regexp.MustCompile(`0x[0-9a-f]{6,}`).ReplaceAll(a.Files[0].Data, []byte("0x1234567"))
		moved = regexp.MustCompile(`(\.(?:cc|cpp|h)):\d+`).ReplaceAll(moved, []byte("${1}:9999"))
		moved = regexp.MustCompile(`exit code \d+`).ReplaceAll(moved, []byte("exit code 99"))
		assert.Equal(t, crashLine(a.Files[0].Data), crashLine(moved), file)
	}
}

func TestFunctionName(t *testing.T) {
	for frame, want := range map[string]string{
		"llvm::sys::RunSignalHandlers() (/usr/lib/libLLVM.so.19.1+0xeb5070)": "llvm::sys::RunSignalHandlers",
		"(/usr/lib/libLLVM.so.19.1+0xeb7a8b)":                                "",
		"???":                                                                "",
		"":                                                                   "",
		"main (/usr/lib/llvm-19/bin/clang+0x11bf9)":      "main",
		"raise ./signal/../sysdeps/posix/raise.c:27:6":   "raise",
		"std::pair<int, A<B> > f<C>(D<int>*)":            "f",
		"(anonymous namespace)::X::run(llvm::Function&)": "anonymous::X::run",
		"A<B>::operator<<(int)":                          "A::operator<<",
		"execute_one_pass.isra.0(opt_pass*)":             "execute_one_pass",
	} {
		assert.Equal(t, want, functionName(frame), frame)
	}
}
