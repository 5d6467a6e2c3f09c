package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each compiler hunts with each mix; what a hunt came to is told, or why it came to nothing.
func TestEach(t *testing.T) {
	bin, dir := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bin, "go"), []byte(`#!/bin/sh
cat >"$3" <<'END'
#!/bin/sh
case $REIFY_CC in
gone,*) echo "reify: gone: not found" >&2; exit 2 ;;
esac
echo "$REIFY_CC, $7: 1 CPU s, 0 findings"
END
chmod +x "$3"
`), 0o700))
	cmd := exec.Command("sh", "tools/each.sh", dir, "1s", "a,b", "c")
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "EACH_CC=gcc-12 -m32;gone", "JUDGES=clang")
	out, err := cmd.Output()
	require.NoError(t, err)
	assert.Equal(t, `gcc-12 -m32 | a,b | gcc-12 -m32,clang, a,b: 1 CPU s, 0 findings
gcc-12 -m32 | c | gcc-12 -m32,clang, c: 1 CPU s, 0 findings
gone | a,b | exit status 2: reify: gone: not found
gone | c | exit status 2: reify: gone: not found
`, string(out))
}
