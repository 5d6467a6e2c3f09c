package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/corpus"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/others/database"
	"goreify/reify/others/foreign"
	"goreify/tools/need"
)

// Functions are added once, shown, and checked; a pair that is wrong is told of, and its
// function set aside.
func TestFunctions(t *testing.T) {
	need.Long(t)
	families(t, "-O2")
	dir := t.TempDir()
	tree := filepath.Join(dir, "tree")
	write := func(name, text string) {
		path := filepath.Join(tree, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	write("good.c", "/* SPDX-License-Identifier: MIT */\n#include \"n.h\"\nint twice(int x) { return x > N ? 0 : x < -N ? 0 : 2 * x; }\n")
	write("include/n.h", "#define N 1000\n")
	write("below/broken.c", "int f(int x) { return x\n")
	write("below/lacks.c", "#include \"nowhere.h\"\nint f(int x) { return x; }\n")
	write("notes.txt", "int f(int x) { return x; }\n")
	db := filepath.Join(dir, "new", "functions.db")
	add := []string{"others", "add", "-what", "functions", "-db", db, "-cflags", "-I" + filepath.Join(tree, "include")}
	status, out := command(t, append(add, filepath.Join(tree, "below"))...)
	assert.Equal(t, 2, status, out)
	assert.Contains(t, out, "0 functions added")
	for _, want := range []string{"3 files, 0 were there, 2 not parsed; 1 functions added, 1 of them with 4 pairs", "3 files, 3 were there, 0 not parsed; 0 functions added"} {
		status, out = command(t, append(add, "-origin", "trees", tree)...)
		require.Zero(t, status, out)
		assert.Contains(t, out, want)
	}

	status, out = command(t, "others", "status", "-what", "functions", "-json", "-db", db)
	require.Zero(t, status, out)
	var got foreign.Status
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	assert.Equal(t, 1, got.Usable)
	assert.Equal(t, []foreign.Count{{Name: "branches", Count: 1}}, got.Classes)
	status, out = command(t, "others", "show", "-db", db, "twice")
	require.Zero(t, status, out)
	assert.Contains(t, out, "trees good.c twice, MIT")
	assert.Contains(t, out, "_twice(int x) { return x > 1000 ? 0 : x < -1000 ? 0 : 2 * x; }")
	status, out = command(t, "others", "show", "-db", db, "thrice")
	assert.Equal(t, 2, status, out)

	status, out = command(t, "others", "check", "-db", db)
	require.Zero(t, status, out)
	assert.Contains(t, out, "of 1 functions, 0 functions differ")
	raw, err := database.Open(db, "rw")
	require.NoError(t, err)
	require.NoError(t, database.Transact(raw, func(tx *sql.Tx) error {
		_, err := tx.Exec(`UPDATE answer SET want = want + 1 WHERE n = 0`)
		return err
	}))
	require.NoError(t, raw.Close())
	status, out = command(t, "others", "check", "-db", db)
	assert.Equal(t, 1, status, out)
	assert.Contains(t, out, "differs: trees good.c twice, MIT: ")
	status, out = command(t, "others", "status", "-what", "functions", "-db", db)
	require.Zero(t, status, out)
	assert.Contains(t, out, "0 of them with 4 pairs and more for live code, 1 set aside")
	status, out = command(t, "others", "check", "-db", db)
	assert.Equal(t, 2, status, out)

	for _, wrong := range [][]string{
		{"others", "add", "-what", "functions", "-db", db}, {"others", "add", "-what", "functions", "-db", db, filepath.Join(dir, "none")}, {"others", "add", "-what", "functions", "-db", db, "-cflags", "-O2", tree},
		{"others", "add", "-what", "functions", "-db", filepath.Join(tree, "notes.txt"), tree}, {"others", "status", "-what", "functions", "-db", filepath.Join(dir, "none.db")}, {"others", "check", "-n", "0", "-db", db},
	} {
		status, out := command(t, wrong...)
		assert.Equal(t, 2, status, "%q: %s", wrong, out)
	}
}

// someFunctions returns the path of a database with one function, and one without answers.
func someFunctions(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "functions.db")
	d, err := foreign.Open(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, d.Close()) }()
	origin := foreign.Origin{Project: "toys", File: "toys.c", Name: "twice", Licence: "MIT"}
	twice := &foreign.Function{
		Symbol: "r1a", Params: []ir.Int{ir.I32}, Result: ir.I64, Class: foreign.Plain, Models: foreign.Both, Origin: origin,
		Text: "long long r1a(int x)\n{\n\treturn 2ll * x;\n}\n",
	}
	stop := &foreign.Function{
		Symbol: "r2b", Params: []ir.Int{ir.U8}, Result: ir.I32, Class: foreign.Dead, Models: foreign.Both, Origin: origin,
		Text: "int r2b(unsigned char x)\n{\n\t__builtin_abort();\n}\n",
	}
	var pairs []foreign.Pair
	for x := range int64(6) {
		pairs = append(pairs, foreign.Pair{Args: []int64{x * x}, Want: 2 * x * x, Steps: 1})
	}
	_, err = d.Add(foreign.Source{Origin: origin, Sum: "00"}, []foreign.Harvest{{Function: twice, Pairs: pairs}, {Function: stop}}, nil)
	require.NoError(t, err)
	return path
}

// Programs that are written call functions of others, and say whose they are.
func TestInjectFunctions(t *testing.T) {
	db := someFunctions(t)
	a, b := t.TempDir(), t.TempDir()
	for _, dir := range []string{a, b} {
		status, out := command(t, "others", "inject", "-n", "48", "-db", db, "-o", dir)
		require.Zero(t, status, out)
		assert.Contains(t, out, "48 tests are in "+dir)
	}
	calls, named := map[string]int{}, 0
	for i := range 48 {
		name := fmt.Sprintf("fixed-%d.txtar", i)
		e, err := corpus.Load(filepath.Join(a, name))
		require.NoError(t, err)
		again, err := os.ReadFile(filepath.Join(b, name))
		require.NoError(t, err)
		assert.Equal(t, string(e.Format()), string(again))
		for _, o := range e.Origins() { // programs of a batch share no function

			assert.Equal(t, corpus.Origin{From: "toys toys.c twice", Licence: "MIT"}, o)
			named++
		}
		p, err := ir.Parse(e.Program)
		require.NoError(t, err)
		require.NoError(t, interp.VerifyProgram(p))
		for _, f := range p.Funcs {
			for call := range f.Calls() {
				calls[call.Func.Name]++
			}
		}
	}
	assert.GreaterOrEqual(t, named, 2)
	assert.Positive(t, calls["r1a"])
	assert.Positive(t, calls["r2b"])
	for _, wrong := range [][]string{{"-n", "-1", "-db", db}, {"-n", "1", "-db", filepath.Join(a, "none.db")}, {"-n", "1", "-db", filepath.Join(a, "fixed-1.txtar")}} {
		status, out := command(t, append([]string{"others", "inject", "-o", b}, wrong...)...)
		assert.Equal(t, 2, status, out)
	}
}

// Without a network make others takes what is here, says what is not, and ends with a line
// that says so where it can do nothing.
func TestFunctionsScript(t *testing.T) {
	bin, root := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text), 0o700))
	}
	run := func(goCommand string) (status int, out string) {
		write("go", goCommand)
		cmd := exec.Command("sh", "tools/functions.sh", filepath.Join(t.TempDir(), "functions.db"))
		cmd.Dir = "../.."
		cmd.Env = append(os.Environ(), "PATH="+bin+":/usr/bin:/bin", "ROOT="+root, "MODULES="+root)
		said, err := cmd.CombinedOutput()
		if exit := new(exec.ExitError); !errors.As(err, &exit) {
			require.NoError(t, err)
		}
		return cmd.ProcessState.ExitCode(), string(said)
	}
	// A reify that says what it is to add, and keeps no function of stb.
	build := `
case $1 in
env) echo "$MODULES"; exit ;;
esac
while [ "$1" != -o ]; do shift; done
cat >"$2" <<'END'
#!/bin/sh
if [ "$2" = status ]; then echo status; exit; fi
[ "${8%@*}" != stb ] || { echo "reify: no function was kept" >&2; exit 2; }
: >>"$6"
echo "added ${8%@*}"
END
chmod +x "$2"
`
	write("apt-get", "exit 100\n")
	status, out := run(build)
	require.Zero(t, status, out)
	assert.Equal(t, `could not be had: gcc-12-source newlib-source libstb-dev libxxhash-dev; install these packages, and run make others again for their functions
no C of others is here: these are the functions of testdata/functions alone
added goreify
status
`, out)

	for _, name := range []string{"stb.h", "stb_image.h"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, "usr/include/stb"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, "usr/include/stb", name), nil, 0o600))
	}
	sqlite := filepath.Join(root, "modernc.org/ccorpus2@v1/assets/sqlite-amalgamation")
	require.NoError(t, os.MkdirAll(sqlite, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(sqlite, "sqlite3.c"), nil, 0o600))
	status, out = run(build)
	require.Zero(t, status, out)
	assert.Contains(t, out, "stb: reify: no function was kept\nadded stb_image\nadded sqlite\n")
	assert.Contains(t, out, "could not be had: gcc-12-source newlib-source libxxhash-dev;")
	assert.NotContains(t, out, "goreify")

	status, out = run("echo 'go: modernc.org/cc/v4@v4.31.0: dial tcp: no such host' >&2; exit 1\n")
	assert.Equal(t, 2, status)
	assert.Contains(t, out, "make others: reify was not built, see above; without a network its modules must be here, by go mod download\n")
}
