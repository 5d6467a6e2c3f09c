package csource_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/others/csource"
	"goreify/tools/need"
)

// However main is written, it gets its inputs: also by its own name, and with any byte
// in them.
func TestDrive(t *testing.T) {
	gcc := need.Command(t, "gcc")
	const declares = "int printf(const char *, ...);\nint getchar(void);\n"
	inputs := []csource.Input{{Args: []string{"a\"\\?\x80", "b c"}, Stdin: []byte("x\x001")}, {}}
	for text, want := range map[string]string{
		"int main(int argc, char **argv) { int main = argc; printf(\"%d %s\\n\", main, argv[argc - 1]); }":      "3 b c\n1 repro\n",
		"int main(argc, argv) int argc; char **argv; { printf(\"%d %s\\n\", argc, argv[argc > 1]); return 0; }": "3 a\"\\?\x80\n1 repro\n",
		"int main() { int n = 0; while (getchar() >= 0) n++; printf(\"%d\\n\", n); }":                           "3\n0\n",
		"int main(int n, char **v) { if (n == 0) return 0; printf(\"%d\\n\", n); return main(n - 1, v); }":      "3\n2\n1\n1\n",
	} {
		p, err := csource.Parse("a.c", []byte(declares+text), csource.LP64)
		require.NoError(t, err)
		driven, err := p.Drive(inputs)
		require.NoError(t, err)
		p, err = csource.Parse("driven.c", driven, csource.LP64)
		require.NoError(t, err)
		for _, f := range p.Functions { // nothing of what was added is edited
			for _, s := range p.Stmts[f.First:f.Last] {
				assert.True(t, s.Fixed || f.Name == "__reify_main", f.Name)
			}
		}
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), driven, 0o600))
		out, err := exec.Command(gcc, "-w", "-o", filepath.Join(dir, "a"), filepath.Join(dir, "a.c")).CombinedOutput()
		require.NoError(t, err, "%s", out)
		out, err = exec.Command(filepath.Join(dir, "a")).Output()
		require.NoError(t, err)
		assert.Equal(t, want, string(out), text)
	}
}
