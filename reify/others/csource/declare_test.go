package csource_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/others/csource"
)

// What old C leaves out is declared, and nothing else is changed.
func TestDeclared(t *testing.T) {
	for text, want := range map[string]string{
		"main () { if (f ()) abort (); exit (0); }\nstatic inline f () { return 0; }\n": "void abort(void) __attribute__((noreturn));\n" +
			"void exit(int) __attribute__((noreturn));\nint main () { if (f ()) abort (); exit (0); }\nstatic inline int f () { return 0; }\n",
		"int g (char *p) { p = malloc (3); fputs (p, 0); return memcmp (p, p, 3); }\n": "int fputs(const char *restrict, struct _IO_FILE *restrict);\n" +
			"void *malloc(__SIZE_TYPE__);\nint memcmp(const void *, const void *, __SIZE_TYPE__);\n" +
			"int g (char *p) { p = malloc (3); fputs (p, 0); return memcmp (p, p, 3); }\n",
		"void exit(int);\nunsigned abs (int n) { return n; }\nint f (int (*puts)(int)) { exit (abs (1)); return puts (3); }\n": "",
	} {
		p, err := csource.Parse("a.c", []byte(text), csource.LP64)
		require.NoError(t, err)
		if want == "" {
			want = text
		}
		got := p.Declared()
		assert.Equal(t, want, string(got))
		_, err = csource.Parse("a.c", got, csource.LP64)
		require.NoError(t, err, "%s", got)
	}
}
