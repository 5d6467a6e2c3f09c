package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/emit/golang"
	"goreify/reify/ir"
	"goreify/reify/language"
	"goreify/reify/solve/search"
	"goreify/tools/need"
)

// What is here is listed as REIFY_CC names it, also what is only taken by name; what is
// not here is told.
func TestEngines(t *testing.T) {
	t.Setenv("REIFY_CC", "gc")
	status, out := command(t, "compilers")
	assert.Zero(t, status)
	assert.Regexp(t, `(?m)^gc +Go +gc 1\.\d+.* @N @O @check$`, out)
	status, out = command(t, "compilers", "-json")
	assert.Zero(t, status)
	assert.Regexp(t, `"Language": ?"Go"`, out)
	t.Setenv("REIFY_CC", "gc-1.0.99")
	assert.Contains(t, complains(t, "compilers"), "go1.0.99 is not here")
	assert.Contains(t, complains(t, "compilers", "all"), "takes no arguments")
}

// Functions are written in the languages that there are.
func TestGenLang(t *testing.T) {
	need.Long(t)
	dir := t.TempDir()
	status, out := command(t, "gen", "-lang", "go", "-n", "3", "-profile", "wild", "-o", dir)
	assert.Zero(t, status)
	assert.Contains(t, out, "3 of 3 recipes ended in a function")
	assert.FileExists(t, dir+"/case-1.go")
	assert.FileExists(t, dir+"/case-3.txtar")
	status, _ = command(t, "gen", "-lang", "jvm", "-n", "2", "-profile", "focus", "-o", dir)
	assert.Zero(t, status)
	for _, name := range []string{"case-1.jasm", "case-2.jasm", "case-2.class", "Repro.java"} {
		assert.FileExists(t, dir+"/"+name)
	}
	assert.Contains(t, complains(t, "gen", "-lang", "java", "-o", dir), `unknown language "java"`)
	assert.Contains(t, complains(t, "gen", "-lang", "go", "-variants", "1", "-o", dir), "are not for Go")
	for lang, cc := range map[string]string{"go": "gc", "wasm": "wazero"} {
		to := filepath.Join(dir, lang)
		status, out = command(t, "gen", "-lang", lang, "-what", "programs", "-n", "2", "-profile", "calls", "-o", to)
		require.Zero(t, status, out)
		assert.Contains(t, out, "2 of 2 recipes ended in a program")
		t.Setenv("REIFY_CC", cc)
		status, out = command(t, "replay", filepath.Join(to, "program-1.txtar"), filepath.Join(to, "program-2.txtar"))
		assert.Zero(t, status, out)
	}
}

// What a language cannot write is left out, and said, and what comes after it is written.
func TestGenLeavesOut(t *testing.T) {
	whole, err := language.Named("go")
	require.NoError(t, err)
	lang := *whole
	asked := 0
	lang.Supports = func(f *ir.Function) error {
		if asked++; asked%3 == 1 {
			return fmt.Errorf("@%s: blocks: %w", f.Name, golang.ErrUnsupported)
		}
		return whole.Supports(f)
	}
	focus, err := reify.FindProfile("focus")
	require.NoError(t, err)
	var said bytes.Buffer
	out := destination{says: &said, dir: t.TempDir(), what: "case"}
	a := &author{configure: focus.Configure, engine: search.Engine{}, lang: &lang}
	require.NoError(t, generate(t.Context(), 7, 1, out, a.function))
	assert.Contains(t, said.String(), "4 of 7 recipes ended in a function")
	for i := 1; i <= 7; i++ {
		path := filepath.Join(out.dir, fmt.Sprintf("case-%d.go", i))
		if i%3 == 1 {
			assert.NoFileExists(t, path)
		} else {
			assert.FileExists(t, path)
		}
	}
	lang.Supports = func(*ir.Function) error { return golang.ErrUnsupported }
	said.Reset()
	require.NoError(t, generate(t.Context(), 2, 1, out, a.function))
	assert.Contains(t, said.String(), "0 of 2 recipes ended in a function")
	assert.Contains(t, said.String(), "why the last one did not: the input gives no program: cannot be written in Go")
}
