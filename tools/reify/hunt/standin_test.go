package hunt

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/tools/need"
	"goreify/tools/standin"
)

// The stand-in for a compiler: gcc-99, which is gcc but for what a script does
// to $src, at $level, before gcc is called.
const fakeScript = `#!/bin/sh
for a; do
	case $a in
	--version) echo "gcc-99 (Fake) 99.1.0"; echo "Copyright (C) Free Software Foundation, Inc."; exit ;;
	-O*) level=$a ;;
	*.c) src=$a ;;
	esac
done
%s
`

// kept is the shelf of the stand-ins of this package.
var kept standin.Shelf

// fakeText returns the stand-in with a script.
func fakeText(script string) string {
	return strings.Replace(fakeScript, "%s", script, 1) + kept.Compile("gcc")
}

// writeClang writes clang to dir, which is clang at -O0, with the shelf.
func writeClang(t testing.TB, dir string) {
	t.Helper()
	text := "#!/bin/sh\n" + kept.Compile(need.Command(t, "clang"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "clang"), []byte(text), 0o700))
}

// writeFake writes gcc-99 to dir.
func writeFake(t testing.TB, dir, script string) {
	t.Helper()
	need.Command(t, "gcc")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "gcc-99"), []byte(fakeText(script)), 0o700))
}

// miscompile is a compiler with two bugs: a function whose first argument ends
// in 1 to 4 returns too much, and one whose first argument ends in 5 to 7
// crashes.
const miscompile = `
if [ "$level" = -O2 ]; then
	sed -i -E 's/(got = f[0-9]+\(-?[0-9]*[1-4][,)].*);/\1 + 1;/
		s/(got = f[0-9]+\(-?[0-9]*[5-7][,)].*);/\1 + *(volatile int *)0;/' "$src"
fi`

// wrongUnoptimised is a compiler that is wrong at -O0, too, with nobody to ask
// who is right.
const wrongUnoptimised = `sed -i 's/printf("f1 /printf("f1 1/' "$src"`

// wrongPrograms is one that gets whole programs wrong.
const wrongPrograms = `sed -i 's/unsigned crc = run_cases();/unsigned crc = run_cases() + 1;/' repro.c`

// A standIn is a compiler of TestFaults: what it does, and to which functions,
// so that what must be found is known without it.
type standIn struct {
	script string // $MARK is the mark of the trial, $PORT a port where the test listens
	// wrong matches the call of a function that it gets wrong, in its first group;
	// nil matches none.
	wrong *regexp.Regexp
}

// calls returns the pattern of calls whose first argument ends in some digits.
func calls(ends string) *regexp.Regexp {
	return regexp.MustCompile(`got = (f[0-9]+)\(-?[0-9]*(?:` + ends + `)[,)]`)
}

// edit returns a script that has the bugs of a compiler at -O2: what is put
// before and after the value of each call whose first argument ends so.
func edit(ends, before, after string) string {
	return fmt.Sprintf("[ \"$level\" = -O2 ] && sed -i -E 's/got = (f[0-9]+\\(-?[0-9]*(%s)[,)].*);/got = %s\\1%s;/' \"$src\"\n", ends, before, after)
}

// does returns a script that adds C to each program, to be run before main.
func does(c string) string {
	return "grep -qs 'int main(' \"$src\" && cat >>\"$src\" <<END\n" +
		"int fork(void), setsid(void), pause(void), mkdir(const char *, unsigned), chmod(const char *, unsigned), creat(const char *, unsigned), execlp(const char *, const char *, ...);\n" +
		"int socket(int, int, int), connect(int, const void *, unsigned);\n" +
		"__attribute__((constructor)) static void fault(void) { " + c + " }\nEND\n"
}

// rare are the digits that few first arguments end in, and another those of another few.
const (
	rare    = "[0-9][379]"
	another = "[0-9][26]"
)

// passes is a script for compilers with a pass to blame, tree-vrp2.
const passes = `case " $* " in
*--help=optimizers*) printf '  -ftree-vrp  \t[enabled]\n'; exit ;;
*-fdump-passes*) echo "   tree-vrp2   :  ON" >&2 ;;
*-fno-tree-vrp*|*-fdisable-tree-vrp2*) level= ;;
esac
`

// standIns are the compilers of TestFaults, by what they do.
var standIns = map[string]standIn{
	"gets some functions wrong": {passes + edit(rare, "", " + 1"), calls(rare)},
	"crashes some programs":     {edit(rare, "", " + *(volatile int *)0"), calls(rare)},
	"prints for ever":           {edit(rare, "({ for (;;) printf(\"for ever\\\\n\"); 0; }) + ", ""), calls(rare)},
	"prints for ever as it compiles": {
		`[ "$level" = -O2 ] && grep -qE 'got = f[0-9]+\(-?[0-9]*(` + rare + `)[,)]' "$src" && exec yes >&2` + "\n", calls(rare),
	},
	"leaves processes in sessions of their own": {
		`setsid sh -c "sleep 1000; :" "$MARK" >/dev/null 2>&1 &` + "\n" + edit(rare, "", " + 1"), calls(rare),
	},
	"makes programs that leave processes in sessions of their own": {
		does(`if (!fork()) { setsid(); if (!fork()) execlp("sh", "sh", "-c", "sleep 1000; :", "$MARK", (char *)0); for (;;) pause(); }`) + edit(rare, "", " + 1"), calls(rare),
	},
	"makes programs that fork ten times": {
		does(`for (int i = 0; i < 10; i++) if (!fork()) { setsid(); for (;;) pause(); }`) + edit(rare, "", " + 1"), calls(rare),
	},
	"makes programs that make a directory of mode 000": {
		does(`mkdir("locked", 0700); creat("locked/in", 0600); chmod("locked", 0);`) + edit(rare, "", " + 1"), calls(rare),
	},
	"writes elsewhere":                    {`touch "$MARK/outside"` + "\n" + edit(rare, "", " + 1"), calls(rare)},
	"makes programs that write elsewhere": {does(`creat("$MARK/outside", 0644);`) + edit(rare, "", " + 1"), calls(rare)},
	"makes programs that connect": {
		does(`static const unsigned char to[16] = {2, 0, $PORT >> 8, $PORT & 255, 127, 0, 0, 1}; connect(socket(2, 1, 0), to, sizeof to);`) +
			edit(rare, "", " + 1"), calls(rare),
	},
	"is of another version, and gets others wrong": {
		edit(another, "", " + 1"), calls(another),
	},
	"is right": {"", nil},
	"makes programs that are slow, and end": {
		edit("[0-9]3", "({ long clock(void); while (clock() < 3000000); 0; }) + ", ""), nil,
	},
	"compiles slowly, and ends": {
		`if [ "$level" = -O2 ] && grep -qE 'got = f[0-9]+\(-?[0-9]*[0-9]3[,)]' "$src"; then
	until read -r _ _ _ _ _ _ _ _ _ _ _ _ _ user system _ </proc/$$/stat && [ $((user + system)) -ge 400 ]; do :; done
fi
`, nil,
	},
}

// standInArgs are further arguments of hunts of stand-ins.
var standInArgs = map[string][]string{"compiles slowly, and ends": {"-compile-time", "1s"}}
