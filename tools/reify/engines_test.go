package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
)

// fails returns what a command line that is refused says.
func fails(t *testing.T, args ...string) string {
	return capture(t, &os.Stderr, func() {
		status, _ := command(t, args...)
		assert.Equal(t, 2, status, args)
	})
}

// What is here is listed as REIFY_CC names it, also what is only taken by name; what is
// not here is told.
func TestEngines(t *testing.T) {
	t.Setenv("REIFY_CC", "gc")
	status, out := command(t, "engines")
	assert.Zero(t, status)
	assert.Regexp(t, `(?m)^gc +Go +gc 1\.\d+.* @N @O @check$`, out)
	status, out = command(t, "engines", "-json")
	assert.Zero(t, status)
	assert.Regexp(t, `"Language": ?"Go"`, out)
	t.Setenv("REIFY_CC", "gc-1.0.99")
	assert.Contains(t, fails(t, "engines"), "go1.0.99 is not here")
	assert.Contains(t, fails(t, "engines", "all"), "takes no arguments")
}

// Functions are written in the languages that there are.
func TestGenLang(t *testing.T) {
	dir := t.TempDir()
	status, out := command(t, "gen", "-lang", "go", "-n", "3", "-profile", "wild", "-o", dir)
	assert.Zero(t, status)
	assert.Contains(t, out, "3 of 3 recipes ended in a function")
	assert.FileExists(t, dir+"/case-1.go")
	assert.FileExists(t, dir+"/case-3.txtar")
	status, _ = command(t, "gen", "-lang", "jvm", "-n", "2", "-profile", "focus", "-o", dir)
	assert.Zero(t, status)
	for _, name := range []string{"case-1.jasm", "case-2.jasm", "case-2.hex", "Repro.java"} {
		assert.FileExists(t, dir+"/"+name)
	}
	assert.Contains(t, fails(t, "gen", "-lang", "java", "-o", dir), `unknown language "java"`)
	assert.Contains(t, fails(t, "gen", "-lang", "go", "-programs", "1", "-o", dir), "are for C")
}
