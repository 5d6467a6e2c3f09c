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
		got := CrashLine(a.Files[0].Data)
		if *update {
			a.Files[1].Data = []byte(got)
			require.NoError(t, os.WriteFile(file, txtar.Format(a), 0o644))
			continue
		}
		assert.Equal(t, strings.TrimSpace(string(a.Files[1].Data)), got, file)
		assert.Equal(t, internalError(string(a.Files[0].Data)) == "", got == "", "%s: an error is one to both", file)
	}
}

// Where the compiler was loaded and which line of its source it was is no part
// of the line, so neighbouring versions agree.
func TestCrashLineWithoutNumbers(t *testing.T) {
	for file, a := range crashTexts(t) {
		moved := regexp.MustCompile(`0x[0-9a-f]{6,}`).ReplaceAll(a.Files[0].Data, []byte("0x1234567"))
		moved = regexp.MustCompile(`(\.(?:cc|cpp|h)):\d+`).ReplaceAll(moved, []byte("${1}:9999"))
		moved = regexp.MustCompile(`exit code \d+`).ReplaceAll(moved, []byte("exit code 99"))
		assert.Equal(t, CrashLine(a.Files[0].Data), CrashLine(moved), file)
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
