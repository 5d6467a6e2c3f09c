package csource_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/others/csource"
	"goreify/tools/need"
)

// own returns the names of our headers, and a text that includes them all.
func own(t *testing.T) (names []string, text string) {
	files, err := filepath.Glob("libc/*.h")
	require.NoError(t, err)
	for _, f := range files {
		if name := filepath.Base(f); name != "predefined.h" {
			names = append(names, name)
			text += "#include <" + name + ">\n"
		}
	}
	return names, text
}

// Our prototypes are those that gcc knows, in both models, and each header
// stands alone.
func TestHeaders(t *testing.T) {
	gcc := need.Command(t, "gcc")
	names, all := own(t)
	for _, m := range []csource.Model{csource.LP64, csource.ILP32} {
		for _, name := range append(names, "") {
			source := "#include <" + name + ">\n"
			if name == "" {
				source = all
			}
			text, err := csource.Preprocess("a.c", []byte(source), m)
			require.NoError(t, err, name)
			_, err = csource.Parse("a.c", text, m)
			require.NoError(t, err, name)
			bits := "-m64"
			if m == csource.ILP32 {
				bits = "-m32"
			}
			cmd := exec.Command(gcc, bits, "-fsyntax-only", "-Werror", "-Wall", "-x", "c", "-")
			cmd.Stdin = bytes.NewReader(text)
			out, err := cmd.CombinedOutput()
			assert.NoError(t, err, "%s %v: %s", name, m, out)
		}
	}
}

// Our constants and types are those of the machine's headers.
func TestConstantsAgree(t *testing.T) {
	need.Long(t)
	gcc := need.Command(t, "gcc")
	_, include := own(t)
	var macros []string
	for _, name := range []string{"limits.h", "stdint.h", "float.h", "stdlib.h", "stdio.h"} {
		text, err := os.ReadFile("libc/" + name)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?m)^#define ([A-Z][A-Z0-9_]*) `).FindAllStringSubmatch(string(text), -1) {
			macros = append(macros, m[1])
		}
	}
	source := include
	for _, m := range macros {
		source += fmt.Sprintf("__typeof__(%s) our_%s = %s;\n", m, m, m)
	}
	types := []string{"size_t", "ptrdiff_t", "wchar_t", "intptr_t", "uintptr_t", "intmax_t", "uintmax_t"}
	for _, n := range []int{8, 16, 32, 64} {
		for _, form := range []string{"int%d_t", "uint%d_t", "int_least%d_t", "uint_least%d_t", "int_fast%d_t", "uint_fast%d_t"} {
			types = append(types, fmt.Sprintf(form, n))
		}
	}
	text, err := csource.Preprocess("a.c", []byte(source), csource.LP64)
	require.NoError(t, err)
	// What is expanded is compared with what the compiler's own headers have.
	check := include
	for _, m := range regexp.MustCompile(`(?m)^__typeof__\((.*)\) our_(\w+) = .*;$`).FindAllStringSubmatch(string(text), -1) {
		check += fmt.Sprintf("_Static_assert((%s) == (%s) && __builtin_types_compatible_p(__typeof__(%s), __typeof__(%s)), \"%s\");\n", m[1], m[2], m[1], m[2], m[2])
	}
	require.Equal(t, len(macros), bytes.Count([]byte(check), []byte("_Static_assert")))
	for _, name := range types {
		m := regexp.MustCompile(`(?m)^typedef (.*) ` + name + `;$`).FindSubmatch(text)
		require.NotNil(t, m, name)
		check += fmt.Sprintf("_Static_assert(__builtin_types_compatible_p(%s, %s), \"%s\");\n", m[1], name, name)
	}
	cmd := exec.Command(gcc, "-fsyntax-only", "-x", "c", "-")
	cmd.Stdin = bytes.NewReader([]byte(check))
	out, err := cmd.CombinedOutput()
	assert.NoError(t, err, "%.3000s", out)
}
