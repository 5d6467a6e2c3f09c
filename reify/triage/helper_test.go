package triage

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/corpus"
	"goreify/reify/emit/c"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/oracle"
	"goreify/tools/need"
)

// The stand-in for a compiler: what it makes of C are shell scripts. They print
// what they should, or do what the script says in wrong: "answer", "crash",
// "end" or "ice". It is wrong at -O2 and -O3 where the text has a product
// with 77 and a loop or jump, and -fno-tree-vrp mends that.
const fakeScript = `#!/bin/sh
args="$*" level= src=
for a; do
	case $a in
	--version) echo "gcc-99 (Fake) 99.1.0"; echo "Copyright (C) Free Software Foundation, Inc."; exit ;;
	-O*) level=$a ;;
	*.c) src=$a ;;
	esac
done
case $args in
*--help=optimizers*) for f in alpha tree-vrp; do printf '  -f%%s  \t[enabled]\n' $f; done; exit ;;
*-fdump-passes*) for p in tree-evrp tree-vrp2 rtl-combine; do echo "   $p   :  ON" >&2; done ;;
esac
[ -n "$src" ] || exit 0
text=$(cat "$src")
wrong=
case $level in -O2|-O3) case $text in *'* 77 '*while\ \(*|*'* 77 '*goto*|*while\ \(*'* 77 '*|*goto*'* 77 '*) wrong=answer ;; esac ;; esac
%s
case $args in *-fno-tree-vrp*|*-fdisable-tree-vrp2*) wrong= ;; esac
want= status=0
case $text in *'41 + argc'*) want=42 ;; *'printf('*) want=$(sed -n '/printf(/s/.*[*] \(-*[0-9]*\) .\/$/\1/p
	/printf(.*, got);/{ s/.*printf("\([^ ]*\) .*/\1/; h; }
	/got != /{ s/.*got != \(-*[0-9]*\).*/\1/; H; x; s/\n/ /; p; }' "$src") ;; esac
case $wrong$text in
answer*__builtin_abort*) echo '#!/bin/sh
kill -ABRT $$' ;;
answer*) echo "#!/bin/sh
echo '${want}1'
exit 1" ;;
crash*) echo '#!/bin/sh
kill -SEGV $$' ;;
end*) echo '#!/bin/sh
while :; do :; done' ;;
ice*) echo "$src:1:1: internal compiler error: in vrp_fold, at tree-vrp.c:4711" >&2; exit 1 ;;
*) echo "#!/bin/sh
[ -z '$want' ] || echo '$want'" ;;
esac >repro
chmod +x repro
`

// path is where the tools of the stand-in are.
var path = os.Getenv("PATH")

// workspace returns one for the time of the test.
func workspace(t *testing.T) *compilers.Workspace {
	t.Helper()
	// t.TempDir is too long for the sockets that cvise makes in it.
	dir, err := os.MkdirTemp("", "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	space, err := compilers.NewWorkspace(dir)
	require.NoError(t, err)
	t.Cleanup(func() { _ = space.Close() }) // again, in one
	return space
}

// fake returns an oracle that asks a compiler of fakeScript, gcc-99.
func fake(t *testing.T, script string) *oracle.Oracle {
	t.Helper()
	return fakes(t, map[string]string{"99.1.0": script})
}

// fakes returns an oracle that asks several, by their versions: that of 98.1.0 is
// called gcc-98.
func fakes(t *testing.T, scripts map[string]string) *oracle.Oracle {
	t.Helper()
	if os.Getenv("PATH") == path { // or it was called before
		need.Command(t, "gcc")
	}
	dir := t.TempDir()
	var names []string
	for _, version := range slices.SortedFunc(maps.Keys(scripts), compilers.CompareVersions) {
		major, _, _ := strings.Cut(version, ".")
		name := "gcc-" + major
		names = append(names, name)
		text := fmt.Sprintf(fakeScript, scripts[version])
		text = strings.Replace(text, "gcc-99 (Fake) 99.1.0", name+" (Fake) "+version, 1)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700))
	}
	found, _, err := targets.Find(t.Context(), compilers.Env{Path: dir + ":" + path, CC: strings.Join(names, ","), Modes: "-O0,-O1,-O2,-O3"})
	require.NoError(t, err)
	t.Setenv("PATH", t.TempDir()) // valgrind takes a second; the compiler has its own
	space := workspace(t)
	limits := compilers.DefaultLimits()
	limits.CompileWall, limits.RunWall = time.Minute, time.Minute // the machine may be busy
	return &oracle.Oracle{Targets: found, Space: space, Limits: limits}
}

const program = `
func @f(%a i32, %b i32) u32 {
    local %c i32 = 5
    local %d i32 = 9
  entry:
    %c = %c + 4
    goto b1
  b1:
    %d = %d + %c - 3
    %a = %a * 77 + %b - 2
    %b = %b - 1
    if %b > 0 goto b1 else b2
  b2:
    %c = %a - %d
    if %c > 100000000 goto b3 else exit
  b3:
    %c = %c / 0
    goto b1
  exit:
    return checksum(%a, %b, %c, %d)
}
case f(a = 2, b = 2) = 0 path entry b1 b1 b2 exit
`

// modes returns a list that names gcc-99 in some modes.
func modes(modes ...string) []corpus.Configuration {
	return []corpus.Configuration{{Family: "gcc", Version: "99.1.0", Modes: modes}}
}

// entry returns the reproducer of a failure of gcc-99 that the program shows.
func entry(t testing.TB, verdict compilers.Verdict) *corpus.Entry {
	t.Helper()
	return entryOf(t, verdict, ir.MustParse(program))
}

// entryOf does the same with a program of one function.
func entryOf(t testing.TB, verdict compilers.Verdict, p *ir.Program) *corpus.Entry {
	t.Helper()
	for _, k := range p.Claims {
		r, err := interp.Run(k.Func, k.Args, interp.Options{})
		require.NoError(t, err)
		require.Equal(t, k.Path, r.Path)
		k.Want = r.Value
	}
	units := []c.Unit{{Claim: p.Claims[0], More: p.Claims[1:]}}
	e := &corpus.Entry{
		Tool: "devel", Title: "made for a test", Verdict: verdict.String(), Compiler: "gcc-99", Family: "gcc", Version: "99.1.0",
		Language: compilers.C, Source: "function", Trust: corpus.Proved, Main: corpus.MainC,
		Mode: "-O2", Date: "2026-01-02", Command: "none",
		Bad:     modes("-O2", "-O3"),
		Notes:   []corpus.Note{{Key: corpus.NoteStyle, Value: "plain"}},
		Sources: map[string]string{corpus.MainC: c.Emit(units)}, Want: c.Want(units), Program: p.String(),
	}
	require.NoError(t, e.Check())
	return e
}
