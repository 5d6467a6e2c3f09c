package c

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/tools/need"
)

// languageStyles are the styles that each function of the language is written in
// besides drawn ones. The second one has all that is left out of the first.
var languageStyles = []string{
	"plain",
	"volatile-args structured compound implicit-casts consts=hex char arrows designated param-struct result-struct pointer-params restrict",
	"extern noinline cond=fallthrough compound implicit-casts consts=octal computed-goto arrows pointer-params",
	"structured computed-goto order=5 consts=char flat-braces global-params restrict",
	"storage=heap structured designated result-struct array-sums",
	"volatile-args storage=alloca order=3 computed-goto",
	"extern noinline storage=vla arrows global-params",
}

// TestRunLanguage runs the functions in testdata/run, which make use of the
// whole language, with arguments and in styles that are drawn.
func TestRunLanguage(t *testing.T) {
	need.Long(t)
	files, err := filepath.Glob("testdata/run/*.ir")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".ir"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			p, err := ir.Parse(string(data))
			require.NoError(t, err)
			require.NoError(t, p.Check())
			s := choice.New([]byte(file))
			var units []Unit
			for _, f := range p.Funcs {
				cases := drawCases(t, s, f, 3)
				for _, words := range languageStyles {
					style, err := ParseStyle(words)
					require.NoError(t, err)
					units = append(units, Unit{Claim: cases[0], More: cases[1:], Style: style}.Watched(interp.Stored))
				}
				style := DrawStyle(s)
				units = append(units, Unit{Claim: cases[0], More: cases[1:], Style: style}.Watched(interp.Stored))
				style.Declared = DrawDeclared(s)
				units = append(units, Unit{Claim: cases[0], More: cases[1:], Style: style}.Watched(interp.Stored))
			}
			requireRight(t, units)
			requireCompiles32(t, units)
		})
	}
}

// drawCases returns n different cases of f.
func drawCases(t *testing.T, s *choice.Stream, f *ir.Function, n int) []*ir.Claim {
	var cases []*ir.Claim
	var last error
	for range 100 * n {
		if len(cases) == n {
			break
		}
		var args []int64
		for _, v := range f.Params() {
			args = append(args, drawValue(s, v.Type.(ir.Int)))
		}
		r, err := interp.Run(f, args, interp.Options{Fuel: 2000})
		if err != nil {
			last = err
			continue
		}
		cases = append(cases, &ir.Claim{Func: f, Args: args, Want: r.Value, Path: r.Path})
	}
	require.Len(t, cases, n, "%s: %v", f.Name, last)
	return cases
}

// TestRunLanguagePrograms writes the functions of each file as one program, in
// one file or several.
func TestRunLanguagePrograms(t *testing.T) {
	need.Long(t)
	files, err := filepath.Glob("testdata/run/*.ir")
	require.NoError(t, err)
	compilers := compilersFound(t)
	for i, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		p, err := ir.Parse(string(data))
		require.NoError(t, err)
		s := choice.New([]byte(file + " as a program"))
		for _, f := range p.Funcs {
			p.Claims = append(p.Claims, drawCases(t, s, f, 1)...)
		}
		require.NoError(t, interp.VerifyProgram(p))
		style := DrawProgramStyle(s, p)
		style.Split = Split(i % 3)
		style.Debug = i%2 == 0
		for k := range style.Funcs {
			style.Funcs[k].ParamStruct = k%2 == 0
			style.Funcs[k].ResultStruct = (i+k)%2 == 0
		}
		requireProgramRight(t, p, style, compilers[i%len(compilers)], "-O1")
	}
}
