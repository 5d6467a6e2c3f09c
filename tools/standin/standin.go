// Package standin has the last lines of shell scripts that stand in for compilers in
// tests. The lines before have the bugs that a test wants.
package standin

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// compile calls the compiler $cc with the flags $quick, which save time. So does $shelf, a
// directory with what texts were compiled to before: "" has them all compiled. Flags that
// change nothing at -O0 make no difference.
const compile = `
out=
case "$shelf $* " in
" "* | *" -fdump"* | *" -v "*) ;;
*" -o repro ") out=repro ;;
*" repro.c -c ") out=repro.o ;;
esac
if [ "$out" ]; then
	kept=$({ echo "$cc"; for a; do case $a in -O* | -fdisable-* | -fno-tree-* | -fno-strict-aliasing | -ffp-contract=*) ;; *) echo "$a" ;; esac; done; cat *.[ch]; } | sha256sum)
	kept=$shelf/${kept%% *}
	[ -e "$kept" ] && cp "$kept" "$out" 2>/dev/null && exit
	"$cc" "$@" $quick || exit
	ln "$out" "$kept" 2>/dev/null
	exit 0
fi
exec "$cc" "$@" $quick
`

// A Shelf is a directory with what was compiled before. The empty one has nothing. No
// program in a box can see it.
type Shelf string

// Compile returns the last lines of a script: cc is called with its arguments at -O0. Gold
// links for gcc, in half the time, if it is here.
func (s Shelf) Compile(cc string) string {
	quick := "-O0"
	if _, err := exec.LookPath("ld.gold"); err == nil && filepath.Base(cc) == "gcc" {
		quick += " -fuse-ld=gold"
	}
	return fmt.Sprintf("cc=%s shelf=%s quick='%s'", quote(cc), quote(string(s)), quick) + compile
}

// quote makes a word of the shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// Run runs the tests of a package with a shelf, which is removed then.
func (s *Shelf) Run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "reify-shelf-")
	if err == nil { // else each text is compiled again
		*s = Shelf(dir)
		defer func() { _ = os.RemoveAll(dir) }()
	}
	return m.Run()
}
