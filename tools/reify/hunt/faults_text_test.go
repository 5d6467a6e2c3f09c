package hunt

import (
	"bytes"
	"compress/zlib"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"goreify/corpus"
)

// quick is the time that a command may take to refuse a bomb, on a busy machine.
const quick = 20 * time.Second

// added has others' files added, as programs and as functions: all must be refused.
func (t *trial) added(paths ...string) {
	for _, what := range []string{"programs", "functions"} {
		args := append([]string{"others", "add", "-what", what, "-workers", "1", "-db", filepath.Join(t.dir, what+".db")}, paths...)
		if status, said := t.ask(quick, []string{"REIFY_CC=gcc,clang", "REIFY_MODES=-O0"}, args...); status != 2 {
			t.complain("%s: status %d: %.300s", what, status, said)
		}
		for _, suffix := range []string{"", "-wal"} {
			if text, err := os.ReadFile(filepath.Join(t.dir, what+".db"+suffix)); err == nil && strings.Contains(string(text), "the secret") {
				t.complain("%s.db%s holds the secret", what, suffix)
				t.count.escaped++
			}
		}
	}
}

// including returns an attack by a file that includes another.
func including(name, main, header string) attack {
	return attack{name, func(t *trial, victim string) {
		dir := filepath.Join(t.dir, "c")
		words := filepath.Join(t.bins, "words.h")
		require.NoError(t, os.WriteFile(words, []byte("#error the secret of root\nint the_secret(int the secret);\n"), 0o600))
		require.NoError(t, os.Mkdir(dir, 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), []byte(t.marked(main)), 0o666))
		switch header {
		case "link":
			require.NoError(t, os.Symlink(words, filepath.Join(dir, "s.h")))
		case "dir":
			require.NoError(t, os.Symlink(t.bins, filepath.Join(dir, "s")))
		case "zero":
			require.NoError(t, os.Symlink("/dev/zero", filepath.Join(dir, "s.h")))
		case "pipe":
			require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "s.h"), 0o666))
		default:
			require.NoError(t, os.WriteFile(filepath.Join(dir, "s.h"), []byte(header), 0o666))
		}
		t.added(dir)
		require.NoError(t, os.RemoveAll(filepath.Join(t.dir, "programs.db")))
		require.NoError(t, os.RemoveAll(filepath.Join(t.dir, "functions.db")))
		t.added(filepath.Join(dir, "a.c"))
	}}
}

// walked returns an attack by a directory.
func walked(name string, put func(t *trial, dir, victim string)) attack {
	return attack{name, func(t *trial, victim string) {
		dir := filepath.Join(t.dir, "c")
		require.NoError(t, os.Mkdir(dir, 0o777))
		put(t, dir, victim)
		t.added(dir)
	}}
}

// hunted makes a directory with a hunt's database in it, with a run and a batch.
func (t *trial) hunted(statements ...string) (dir, file string) {
	dir = filepath.Join(t.dir, "hunted")
	require.NoError(t, os.Mkdir(dir, 0o777))
	s, err := openStore(dir)
	require.NoError(t, err)
	_, err = s.seed(7)
	require.NoError(t, err)
	run, err := s.beginRun(Run{Version: "x", Workers: 1})
	require.NoError(t, err)
	_, err = s.db.Exec(`INSERT INTO batches (number, run, kind, part, seeds, tries, reason) VALUES (1, ?, 'focused', 'all', 4, 1, 'no answer')`, run)
	require.NoError(t, err)
	for _, text := range statements {
		_, err = s.db.Exec(text)
		require.NoError(t, err, text)
	}
	require.NoError(t, s.close())
	return dir, filepath.Join(dir, databaseName)
}

// looked has all commands look at a hunt's directory that read its database. Each must end,
// with a status of those given.
func (t *trial) looked(dir string, statuses ...int) {
	for _, args := range [][]string{{"status", dir}, {"status", "-json", dir}, {"report", "-o", filepath.Join(t.dir, "reports"), dir}, {"hunt", "-o", dir, "-n", "1", "-time", "1s", "-mix", "focused"}} {
		if status, said := t.ask(quick, []string{"REIFY_CC=gcc", "REIFY_MODES=-O0"}, args...); !slices.Contains(statuses, status) {
			t.complain("%s: status %d: %.300s", args[0], status, said)
		}
	}
}

// changed returns an attack by a hunt's database that SQL has changed.
func changed(name string, statements ...string) attack {
	return attack{name, func(t *trial, victim string) {
		dir, _ := t.hunted(statements...)
		t.looked(dir, 2)
	}}
}

// endlessRows is a query that has rows without end.
const endlessRows = `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n`

// controls are characters that do something to a terminal: clear it, rename its window,
// turn the direction, and the same in other bytes.
const controls = "\x1b[2J\x1b]0;title\a\u202egnp\u2066\u009b31m\x9b31m\x7f\r"

// shows complains of text that does more than show.
func (t *trial) shows(what, said string) {
	for _, r := range said {
		if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			t.complain("%s prints %q", what, r)
			return
		}
	}
	if !strings.Contains(said, "title") {
		t.complain("%s does not show the text: %.300q", what, said)
	}
}

// textAttacks are those by the words of a file: what it includes, what a database makes of
// queries, what a terminal makes of text.
var textAttacks = []attack{
	including("a header is a link out of the tree", "#include \"s.h\"\nint f(int x) { return x; }\n", "link"),
	including("a header is below a link out of the tree", "#include \"s/words.h\"\nint f(int x) { return x; }\n", "dir"),
	including("a header is above", "#include \"../../bin/words.h\"\nint f(int x) { return x; }\n", ""),
	including("a header has a path", "#include \"$MARK/bin/words.h\"\nint f(int x) { return x; }\n", ""),
	including("a header is /dev/zero", "#include \"s.h\"\n", "zero"),
	including("a header is a pipe", "#include \"s.h\"\n", "pipe"),
	including("a file includes itself", "#include \"a.c\"\n", ""),
	including("a file includes itself as the system's", "#include <a.c>\n", ""),
	including("two files include each other", "#include \"s.h\"\n", "#include \"a.c\"\n"),
	including("a header twenty thousand times", strings.Repeat("#include \"s.h\"\n", 20_000), strings.Repeat("#undef x\n", 10_000)),
	including("four million tokens", strings.Repeat("x;", 2<<20), ""),
	including("macros without end", "#define A x x x x x x x x\n#define B A A A A A A A A\n#define C B B B B B B B B\n#define D C C C C C C C C\n#define E D D D D D D D D\n#define F E E E E E E E E\n#define G F F F F F F F F\n#define H G G G G G G G G\nint H H H H;\n", ""),
	including("a type of 49000 stars", "int "+strings.Repeat("*", 49_000)+"x; int f(int x) { return x; }\n", ""),
	including("blocks 9000 deep", "int a; int f(int x) {"+strings.Repeat("{int x; a++;", 9000)+strings.Repeat("}", 9000)+"}\n", ""),
	including("types that double", doubled(), ""),
	walked("a tree 100 directories deep", func(t *trial, dir, _ string) {
		deep := filepath.Join(dir, strings.Repeat("d/", 100))
		require.NoError(t, os.MkdirAll(deep, 0o777))
		good := "#include <stdio.h>\nint f(int x) { return x / 2; }\nint main(void) { printf(\"%d\\n\", f(3)); return 0; }\n"
		require.NoError(t, os.WriteFile(filepath.Join(deep, "a.c"), []byte(good), 0o666))
	}),
	walked("files that are links and pipes", func(t *trial, dir, victim string) {
		require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "p.c"), 0o666))
		require.NoError(t, os.Symlink("/dev/zero", filepath.Join(dir, "z.c")))
		require.NoError(t, os.Symlink(victim, filepath.Join(dir, "v.c")))
		require.NoError(t, os.Symlink("..", filepath.Join(dir, "up")))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), []byte("int f(\n"), 0o666))
	}),

	changed("a view without end", `ALTER TABLE batches RENAME TO b`, `CREATE VIEW batches AS SELECT x AS number, x AS run, x AS kind, x AS part, x AS seeds, x AS done, x AS tries, x AS reason, x AS functions, x AS programs, x AS compilations, x AS discards, x AS cpu, x AS compiler_cpu, x AS sum FROM (`+endlessRows+`)`),
	changed("a trigger without end", `CREATE TRIGGER t AFTER INSERT ON runs BEGIN INSERT INTO log SELECT x, x, x FROM (`+endlessRows+`); END`),
	changed("a column that is computed", `CREATE TABLE g (x INTEGER, y TEXT AS (hex(zeroblob(500000000))) STORED CHECK (length(y) > 3))`),
	changed("an index that is computed", `CREATE INDEX g ON runs (abs(id))`),
	changed("a thousand tables", thousand()...),
	{"pages of hunt.db that are in two places", func(t *trial, _ string) {
		dir, file := t.hunted(`INSERT INTO log SELECT 1, 1, hex(zeroblob(500)) FROM (` + endlessRows + ` LIMIT 1000)`)
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		const page, interior, cells = 4096, 5, 12
		for at := page; at < len(data); at += page {
			if data[at] == interior {
				first := int(data[at+cells])<<8 | int(data[at+cells+1])
				second := int(data[at+cells+2])<<8 | int(data[at+cells+3])
				copy(data[at+first:at+first+4], data[at+second:at+second+4])
			}
		}
		require.NoError(t, os.WriteFile(file, data, 0o666))
		t.looked(dir, 2)
	}},
	{"hunt.db is a pipe", func(t *trial, _ string) {
		dir, file := t.hunted()
		instead(t.T, file, "")
		t.looked(dir, 2)
	}},
	{"hunt.db is a link", func(t *trial, victim string) {
		dir, file := t.hunted()
		other := filepath.Join(t.bins, "other.db") // a good one, of which the user has not spoken
		require.NoError(t, os.Rename(file, other))
		before, err := os.ReadFile(other)
		require.NoError(t, err)
		for _, to := range []string{victim, "/dev/zero", other} {
			instead(t.T, file, to)
			t.looked(dir, 2)
		}
		if after, err := os.ReadFile(other); err != nil || !bytes.Equal(before, after) {
			t.complain("the other hunt is written to")
			t.count.escaped++
		}
	}},
	{"links and pipes beside hunt.db", func(t *trial, victim string) {
		dir, file := t.hunted()
		for _, suffix := range []string{"-wal", "-shm", "-journal"} {
			for _, to := range []string{victim, "/dev/zero", ""} {
				instead(t.T, file+suffix, to)
				t.looked(dir, 2)
			}
			require.NoError(t, os.Remove(file+suffix))
		}
		if status, said := t.ask(quick, nil, "status", dir); status != 0 {
			t.complain("status: %d: %.300s", status, said)
		}
	}},
	{"hunt.db and its directory are read-only", func(t *trial, _ string) {
		t.nobody = true
		dir, file := t.hunted()
		for path, mode := range map[string]os.FileMode{file: 0o444, dir: 0o555, t.root: 0o777, t.dir: 0o755, t.tmp: 0o777} {
			require.NoError(t, os.Chmod(path, mode))
		}
		if status, said := t.ask(quick, nil, "status", dir); status != 0 || !strings.Contains(said, "seed 7") {
			t.complain("status: %d: %.300s", status, said)
		}
		status, said := t.ask(quick, []string{"REIFY_CC=gcc", "REIFY_MODES=-O0"}, "hunt", "-o", dir, "-n", "1", "-time", "1s", "-mix", "focused")
		if status != 2 || !strings.Contains(said, dir) {
			t.complain("hunt: status %d: %.300s", status, said)
		}
	}},

	{"escape sequences in hunt.db", func(t *trial, _ string) {
		text := strings.ReplaceAll(controls, "'", "''")
		dir, _ := t.hunted(fmt.Sprintf("UPDATE batches SET reason = '%s', kind = '%s'", text, text), fmt.Sprintf("UPDATE runs SET ended = '%s', toolchains = '%[1]s'", text))
		for _, args := range [][]string{{"status", dir}, {"status", "-json", dir}} {
			_, said := t.ask(quick, nil, args...)
			t.shows(args[0], said)
		}
	}},
	{"escape sequences in a reproducer", func(t *trial, _ string) {
		file := filepath.Join(t.stranger(), "good.txtar")
		e, err := corpus.Load(file)
		require.NoError(t, err)
		said := "title " + strings.ReplaceAll(controls, "\r", "") + "\n"
		e.Sources[corpus.MainC] = "#error " + said + e.Sources[corpus.MainC]
		e.Members = map[string]string{corpus.ReducedWantFile: said}
		require.NoError(t, os.WriteFile(file, e.Format(), 0o666))
		for _, args := range [][]string{{"show", file}, {"replay", "-any", "-v", file}, {"report", "-o", filepath.Join(t.dir, "reports"), filepath.Dir(file)}} {
			_, said := t.ask(time.Minute, []string{"REIFY_CC=gcc", "REIFY_MODES=-O0"}, args...)
			if args[0] == "report" {
				said += "title"
			}
			t.shows(args[0], said)
		}
		pages, err := filepath.Glob(filepath.Join(t.dir, "reports", "*"))
		require.NoError(t, err)
		for _, page := range pages {
			text, err := os.ReadFile(page)
			require.NoError(t, err)
			t.shows(page, "title"+string(text))
		}
	}},
	{"escape sequences in C of others", func(t *trial, _ string) {
		dir := filepath.Join(t.dir, "c")
		require.NoError(t, os.Mkdir(dir, 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a"+strings.ReplaceAll(controls, "/", "")+".c"), []byte("#error "+controls+"\n"), 0o666))
		for _, what := range []string{"programs", "functions"} {
			for _, args := range [][]string{{"add", dir}, {"status"}} {
				_, said := t.ask(quick, []string{"REIFY_CC=gcc,clang"}, append([]string{"others", "-what", what, "-db", filepath.Join(t.dir, what+".db")}, args...)...)
				t.shows("others", said+"title")
			}
		}
	}},
	{"a command in a report", func(t *trial, _ string) {
		file := filepath.Join(t.stranger(), "good.txtar")
		e, err := corpus.Load(file)
		require.NoError(t, err)
		for _, command := range []string{"touch outside", "gcc-12 -wrapper touch,outside repro.c", "gcc-12 -O2 repro.c -o repro && ./repro; touch outside", "env 'GOFLAGS=-toolexec=touch outside' go build repro.go"} {
			e.Command, e.ReducedCommand = command, command
			require.NoError(t, os.WriteFile(file, e.Format(), 0o666))
			require.NoError(t, os.RemoveAll(filepath.Join(filepath.Dir(file), corpus.FindingsDir)))
			reports := filepath.Join(t.dir, "reports")
			if status, said := t.ask(time.Minute, nil, "report", "-o", reports, filepath.Dir(file)); status == 2 {
				t.complain("report: %.300s", said)
			}
			pages, err := filepath.Glob(filepath.Join(reports, "*"))
			require.NoError(t, err)
			if len(pages) < 2 {
				t.complain("no report is written")
			}
			for _, page := range pages {
				if text, err := os.ReadFile(page); err != nil || strings.Contains(string(text), "outside") {
					t.complain("%s has the command %s", filepath.Base(page), command)
				}
			}
		}
	}},
	{"names that are DOT, SVG and HTML", func(t *trial, _ string) {
		file := filepath.Join(t.stranger(), "good.txtar")
		good, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, name := range []string{`f"];x[image="` + t.bins + `/victim`, `f</svg><script>alert(1)</script>`, `f\"`, `f&#x22;`, "f\nimage=\"x\""} {
			for _, program := range []string{
				"func @" + name + "(%a i32) i32 {\n  entry:\n    return %a\n}\ncase " + name + "(a = 1) = 1 path entry\n",
				"func @f(%" + name + " i32) i32 {\n  entry:\n    return 1\n}\ncase f(" + name + " = 1) = 1 path entry\n",
				"func @f(%a i32) i32 {\n  " + name + ":\n    return %a\n}\ncase f(a = 1) = 1 path " + name + "\n",
			} {
				require.NoError(t, os.WriteFile(file, []byte(programIR(program)(string(good), t)), 0o666))
				for _, args := range [][]string{{"show", "-as", "dot", file}, {"show", "-as", "svg", file}, {"report", "-o", filepath.Join(t.dir, "reports"), filepath.Dir(file)}} {
					if status, said := t.ask(time.Minute, nil, args...); status < 0 || status > 2 || strings.Contains(said, "<script>") || strings.Contains(said, `[image=`) {
						t.complain("%s: status %d: %.300s", args[0], status, said)
					}
				}
				if page, err := os.ReadFile(filepath.Join(t.dir, "reports", "index.html")); err == nil && (strings.Contains(string(page), "<script>alert") || strings.Contains(string(page), "<image")) {
					t.complain("the page has the script, or the picture")
				}
			}
		}
	}},
	{"a program makes directories one in another", func(t *trial, _ string) {
		file := filepath.Join(t.stranger(), "good.txtar")
		e, err := corpus.Load(file)
		require.NoError(t, err)
		program := runs("for (int i = 0; i < 20000 && !mkdir(\"d\", 0700) && !chdir(\"d\"); i++) ;")("-- repro.c --\n", t)
		e.Sources[corpus.MainC] = "int chdir(const char *);\n" + strings.TrimPrefix(program, "-- repro.c --\n") + e.Sources[corpus.MainC]
		require.NoError(t, os.WriteFile(file, e.Format(), 0o666))
		if status, said := t.ask(quick, []string{"REIFY_CC=gcc", "REIFY_MODES=-O0"}, "replay", "-any", file); status < 0 || status > 2 {
			t.complain("replay: status %d: %.300s", status, said)
		}
	}},
	{"a pool with texts that unpack without end", func(t *trial, _ string) { t.poolOf(`UPDATE seeds SET text = ?`) }},
	{"a pool with a view without end", func(t *trial, _ string) {
		t.poolOf(`ALTER TABLE seeds RENAME TO s`, `CREATE VIEW seeds AS SELECT x AS id, x AS sum, x AS name, x AS text, x AS banned FROM (`+endlessRows+`)`)
	}},
}

// doubled returns types each of which holds the one before it twice.
func doubled() string {
	var b strings.Builder
	b.WriteString("struct s0 { int x; };\n")
	for i := range 40 {
		fmt.Fprintf(&b, "struct s%d { struct s%d a, b; };\n", i+1, i)
	}
	return b.String() + "struct s40 y = {}; struct s40 z; int f(int x) { y = z; return x; }\n"
}

// thousand returns the statements that make as many tables.
func thousand() (list []string) {
	for i := range 1000 {
		list = append(list, fmt.Sprintf("CREATE TABLE t%d (x)", i))
	}
	return list
}

// bomb returns a GB of zeros, packed.
func bomb(t *trial) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	for range 1024 {
		_, err := w.Write(make([]byte, 1<<20))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

// poolOf makes a pool with a seed, changes it, and has it looked at.
func (t *trial) poolOf(statements ...string) {
	dir := filepath.Join(t.dir, "c")
	file := filepath.Join(t.dir, "pool.db")
	require.NoError(t, os.Mkdir(dir, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), []byte("#include <stdio.h>\nint main(void) { int i, n = 0; for (i = 0; i < 9; i++) n += i; printf(\"%d\\n\", n); return 0; }\n"), 0o666))
	env := []string{"REIFY_CC=gcc,clang", "REIFY_MODES=-O0"}
	if status, said := t.ask(time.Minute, env, "others", "add", "-db", file, dir); status != 0 {
		t.complain("others: status %d: %.300s", status, said)
		return
	}
	db, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	for _, text := range statements {
		var args []any
		if strings.Contains(text, "?") {
			args = append(args, bomb(t))
		}
		_, err := db.Exec(text, args...)
		require.NoError(t, err)
	}
	require.NoError(t, db.Close())
	for _, args := range [][]string{{"others", "status", "-db", file}, {"hunt", "-mix", "text-variants", "-seeds", file, "-o", filepath.Join(t.dir, "h"), "-n", "1", "-workers", "1", "-time", "5s"}} {
		if status, said := t.ask(time.Minute, env, args...); status < 0 {
			t.complain("%s: status %d: %.300s", args[0], status, said)
		}
	}
}
