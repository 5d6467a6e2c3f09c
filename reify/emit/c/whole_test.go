package c

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"goreify/reify/interp"
	"goreify/reify/ir"
)

// build writes the files of a program, compiles each on its own, as a user
// would, and returns the name of the program.
func build(t testing.TB, files []File, compiler string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	args := append(flags, "-w", "-o", "program")
	for _, f := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o666))
		args = append(args, f.Name)
	}
	cmd := exec.CommandContext(ctx, compiler, args...)
	cmd.Dir = dir
	msg, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s %v: %s\n%s", compiler, flags, msg, joined(files))
	return filepath.Join(dir, "program")
}

func joined(files []File) string {
	var s strings.Builder
	for _, f := range files {
		fmt.Fprintf(&s, "-- %s --\n%s", f.Name, f.Text)
	}
	return s.String()
}

// requireProgramRight checks that a program, and with Debug each of its calls,
// gives the right answer with a compiler at each level.
func requireProgramRight(t *testing.T, p *ir.Program, style ProgramStyle, compiler string, levels ...string) {
	t.Helper()
	files, want := EmitProgram(p, answered(t, p), style), WantProgram(p)
	for _, level := range levels {
		got, status := execute(t, build(t, files, compiler, strings.Fields(level)...))
		if got != want || status != 0 {
			t.Fatalf("%s %s: status %d, want %q, got %q\n%s\n%s", compiler, level, status, want, got, joined(files), p)
		}
	}
}

// answered returns the answers of the calls of p.
func answered(t testing.TB, p *ir.Program) map[*ir.Call]int64 {
	t.Helper()
	answers, err := interp.Answers(p)
	require.NoError(t, err, "%s", p)
	return answers
}

// TestProgramGolden compares the program in the file "ir" of each archive with
// the other files, whose names are that of a split or the word debug, and that
// of the source file.
func TestProgramGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/programs/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		require.NoError(t, err)
		p, err := ir.Parse(string(archive.Files[0].Data))
		require.NoError(t, err)
		require.NoError(t, p.Check())
		require.NoError(t, interp.VerifyProgram(p))
		got := archive.Files[:1:1]
		for _, style := range []struct {
			name string
			ProgramStyle
		}{
			{"plain", ProgramStyle{}},
			{"debug", ProgramStyle{Debug: true, Split: DriverApart, Funcs: []FuncStyle{
				{Style: Style{NoInline: true, VolatileArgs: true}}, {Purity: Pure},
			}}},
			{"apart", ProgramStyle{Split: FilePerFunction, Order: 3, Funcs: []FuncStyle{
				{NoClone: true}, {Style: Style{Linkage: StaticInline, Structured: true}}, {Purity: Const},
			}}},
		} {
			for _, f := range EmitProgram(p, answered(t, p), style.ProgramStyle) {
				got = append(got, txtar.File{Name: style.name + " " + f.Name, Data: []byte(f.Text)})
			}
			for _, compiler := range compilersFound(t) {
				requireProgramRight(t, p, style.ProgramStyle, compiler, "-O0", "-O2")
			}
		}
		if *update {
			archive.Files = got
			require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o666))
			continue
		}
		require.Len(t, archive.Files, len(got), file)
		for i, f := range got {
			assert.Equal(t, f.Name, archive.Files[i].Name)
			assert.Equal(t, string(archive.Files[i].Data), string(f.Data), f.Name)
		}
	}
}
