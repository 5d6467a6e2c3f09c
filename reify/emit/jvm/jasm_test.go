package jvm_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	machines "goreify/compilers/jvm"
	"goreify/corpus"
	"goreify/reify/emit/jvm"
	"goreify/tools/need"
)

// asmtools is where Debian has the assembler (libasmtools-java, which jtreg7 brings).
const asmtools = "/usr/share/java/asmtools.jar"

// The text of a class is a file of jasm, which makes the same class of it.
func TestJasm(t *testing.T) {
	if _, err := os.Stat(asmtools); err != nil {
		t.Skip("NOT TESTED: jasm; there is no " + asmtools)
	}
	need.Long(t)
	need.Command(t, "java")
	for _, name := range []string{"wrong-answer-java-28-trunk-c2-4c843d19", "slow-compile-java-tiered-8ef7cb7b", "internal-error-java-11-c2-2a78f4cf"} {
		e, err := corpus.Load(filepath.Join("../../../corpus", name+corpus.Ext))
		require.NoError(t, err)
		class, err := machines.Decode([]byte(e.Reduced))
		require.NoError(t, err)
		text, err := jvm.Text(class)
		require.NoError(t, err)
		dir := t.TempDir()
		file := filepath.Join(dir, "Cases.jasm")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		out, err := exec.Command("java", "-cp", asmtools, "org.openjdk.asmtools.jasm.Main", "-d", dir, file).CombinedOutput()
		require.NoError(t, err, "%s: %s", name, out)
		original := filepath.Join(dir, "original.class")
		require.NoError(t, os.WriteFile(original, class, 0o600))
		assert.Equal(t, disassembled(t, original), disassembled(t, filepath.Join(dir, "Cases.class")), name)
	}
}

// disassembled returns the code of a class as the JDK prints it, without indices into its pool.
func disassembled(t *testing.T, file string) string {
	out, err := exec.Command("javap", "-p", "-c", file).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return index.ReplaceAllString(string(out), "")
}

var index = regexp.MustCompile(`#\d+,? *(?:\d+ *)?|Compiled from .*\n`)
