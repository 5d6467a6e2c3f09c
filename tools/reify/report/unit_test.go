package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/bisect"
	"goreify/compilers/native"
	"goreify/compilers/targets"
	"goreify/corpus"
)

func TestGroup(t *testing.T) {
	entry := func(bucket, reduced, text string) *corpus.Entry {
		return &corpus.Entry{Bucket: bucket, Reduced: reduced, Family: "gcc", Version: "12.2.0", Verdict: "crash", Mode: "-O2",
			Date: "2026-11-2" + text[:1], Main: corpus.MainC, Sources: map[string]string{corpus.MainC: text}}
	}
	buckets := Group([]Finding{
		{"1", entry("", "", "0\n"), 1},
		{"2", entry("gcc/x/A/O2", "", "5\n"), 1},
		{"3", entry("gcc/x/A/O2", "a\nb\nc\n", "3\n"), 7},
		{"4", entry("gcc/x/A/O2", "a\n\n\n\nb\n", "4\n"), 1},
		{"5", entry("gcc/x/a/O2", "a\n", "9\n"), 1},
		{"6", entry(strings.Repeat("gcc/", 60), "a\n", "9\n"), 1},
		{"7", entry("", "", "0\n0\n"), 1},
	})
	var got []string
	for _, b := range buckets {
		var names []string
		for _, f := range b.Findings {
			names = append(names, f.Name)
		}
		got = append(got, strings.Join(names, " "))
	}
	assert.Equal(t, []string{"6", "4 3 2", "5", "1 7"}, got)
	assert.Equal(t, 9, buckets[1].count())
	assert.Equal(t, "2026-11-23", buckets[1].firstSeen())
	assert.True(t, buckets[2].Triaged)
	assert.False(t, buckets[3].Triaged)
	names := map[string]bool{}
	for _, b := range buckets {
		assert.Regexp(t, `^[A-Za-z0-9][A-Za-z0-9.-]*$`, b.Name)
		assert.LessOrEqual(t, len(b.Name), maxName+17)
		names[strings.ToLower(b.Name)] = true
	}
	assert.Len(t, names, len(buckets), "names differ, also where case makes no difference")
	assert.Equal(t, "gcc-12.2.0-crash-O2", buckets[3].Name)
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	data, err := os.ReadFile(filepath.Join("testdata", "buckets", "b-same.txtar"))
	require.NoError(t, err)
	for name, text := range map[string]string{
		"findings/two/finding.txtar":       string(data),
		"findings/one/finding.txtar":       string(data),
		"findings/bad/finding.txtar":       "nonsense",
		"findings/.saving-x/finding.txtar": "half of it",
		"hand.txtar":                       string(data),
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	findings, err := Load(dir)
	var syntax *corpus.SyntaxError
	require.ErrorAs(t, err, &syntax)
	assert.NotContains(t, err.Error(), "saving")
	require.Len(t, findings, 3, "the others are read all the same")
	assert.Equal(t, "findings/one/finding.txtar", findings[0].Name)
	assert.Equal(t, "hand.txtar", findings[2].Name)
	_, err = Load(filepath.Join(dir, "missing"))
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestTitle(t *testing.T) {
	loop := &drawing{path: []int{0, 1, 1, 2}}
	straight := &drawing{path: []int{0, 1, 2}}
	for _, tt := range []struct {
		want   string
		entry  corpus.Entry
		levels string
		d      *drawing
	}{
		{"wrong code at -O2 and -O3: signed arithmetic in a loop (tree-vrp2)",
			corpus.Entry{Verdict: "wrong-answer", MendedAlone: []string{"-fwrapv"}, Culprit: "tree-vrp2", Reduced: "x"}, "-O2 -O3", loop},
		{"wrong code at -O1, -O2 and -O3: signed arithmetic and type-based aliasing",
			corpus.Entry{Verdict: "wrong-answer", MendedAlone: []string{"-fwrapv", "-fno-strict-aliasing"}, Reduced: "x"}, "-O1 -O2 -O3", straight},
		{"wrong code at -O2: code in a loop", corpus.Entry{Verdict: "wrong-answer", Reduced: "x"}, "-O2", loop},
		{"wrong code at -O2", corpus.Entry{Verdict: "wrong-answer"}, "-O2", loop},
		{"wrong code at -O2: program killed by SIGSEGV (rtl-combine)",
			corpus.Entry{Verdict: "crash", Message: "killed by SIGSEGV", Culprit: "rtl-combine"}, "-O2", nil},
		{"wrong code at -Os: program does not end", corpus.Entry{Verdict: "endless", Message: "used its CPU time of 1 s"}, "-Os", nil},
		{"internal compiler error at -O2: in f, at a.cc:1",
			corpus.Entry{Verdict: "internal-error", Message: "repro.c:3:4: internal compiler error: in f, at a.cc:1"}, "-O2", loop},
		{"as it stands", corpus.Entry{Verdict: "new", Title: "as it stands"}, "-O2", nil},
	} {
		assert.Equal(t, tt.want, title(&tt.entry, strings.Fields(tt.levels), tt.d))
	}
}

// Every verdict that accuses a compiler has its words.
func TestClasses(t *testing.T) {
	for _, v := range compilers.Verdicts() {
		c, ok := classes[v.String()]
		assert.Equal(t, v.Finding(), ok, v)
		if ok {
			assert.NotEmpty(t, c.what)
			assert.NotEmpty(t, c.actual)
			for _, family := range targets.Families() {
				assert.NotEmpty(t, trackers[native.Project(family)].keywords[v.String()], family)
			}
		}
	}
	assert.Len(t, classes, len(compilers.Verdicts())-2)
}

func TestMatrix(t *testing.T) {
	bad := func(family, version, args, levels string) corpus.Configuration {
		return corpus.Configuration{Family: family, Version: version, Args: strings.Fields(args), Modes: strings.Fields(levels)}
	}
	m := newMatrix(
		[]corpus.Configuration{bad("gcc", "12.2.0", "", "-O3 -O2"), bad("gcc", "9.4.0", "-m32", "-O2"), bad("clang", "14.0.6", "", "-O2")},
		[]corpus.Configuration{bad("gcc", "12.2.0", "", "-O0 -O2"), bad("gcc", "13.1.0", "", "-O2"), bad("gcc", "10.2.0", "", "-Os"), bad("gcc", "8.1.0", "", "-Os")})
	assert.Equal(t, []string{"-O0", "-Os", "-O2", "-O3"}, m.Levels)
	var rows []string
	for _, r := range m.Rows {
		text := r.String()
		for _, c := range r.Cells {
			text += " " + map[cell]string{unrecorded: ".", works: "w", fails: "F"}[c]
		}
		rows = append(rows, text)
	}
	assert.Equal(t, []string{
		"clang 14.0.6 . . F .",
		"gcc 8.1.0 . w . .",
		"gcc 9.4.0 -m32 . . F .",
		"gcc 10.2.0 . w . .",
		"gcc 12.2.0 w . F F",
		"gcc 13.1.0 . . w .",
	}, rows)
	assert.Equal(t, []string{"-O2", "-O3"}, m.failing("gcc", "12.2.0", ""))
	assert.Empty(t, m.failing("gcc", "12.2.0", "-m32"))
	assert.Equal(t, "clang 14.0.6; gcc 9.4.0, 12.2.0", m.compilers())
	assert.Equal(t, "Fails since gcc 9.4.0 (8.1.0 works), works again in 13.1.0.", m.standing("gcc", "13.1.0"))
	assert.Equal(t, "Fails since clang 14.0.6, the newest asked; no older one was asked.", m.standing("clang", "14.0.6"))
	assert.Equal(t, "Fails since clang 14.0.6 or earlier (no older one was asked); 15.0.0 was not asked about this test.", m.standing("clang", "15.0.0"))
	assert.Empty(t, m.standing("icc", "1"))
}

func TestStandingOfSnapshots(t *testing.T) {
	bad := func(versions ...string) (list []corpus.Configuration) {
		for _, v := range versions {
			list = append(list, corpus.Configuration{Family: "gcc", Version: v, Modes: []string{"-O2"}})
		}
		return list
	}
	for _, tt := range []struct {
		bad, good    []corpus.Configuration
		newest, want string
	}{
		{bad("14.4.0", "16.2.0", "17.0.0 20261020 r17-5409"), bad("13.5.0"), "17.0.0 20261020 r17-5409",
			"Fails since gcc 14.4.0 (13.5.0 works), still fails on trunk of 2026-10-20."},
		{bad("16.2.0 sh4-linux-gnu"), bad("15.3.0", "16.2.0 m68k-linux-gnu"), "16.2.0 sh4-linux-gnu", "Fails since gcc 16.2.0 sh4-linux-gnu, the newest asked; no older one was asked."},
		{bad("16.2.0", "17.0.0 20261020"), nil, "17.0.0 20261101", "Fails since gcc 16.2.0 or earlier (no older one was asked); trunk of 2026-11-01 was not asked about this test."},
		{bad("17.0.0 20261020"), bad("16.2.0"), "17.0.0 20261020", "Fails since gcc trunk of 2026-10-20 (16.2.0 works), the newest asked."},
		{bad("16.2.0", "17.0.0 20261020"), bad("17.0.0 20261101"), "17.0.0 20261101",
			"Fails since gcc 16.2.0 or earlier (no older one was asked), works again in trunk of 2026-11-01."},
		{bad("15.1.0", "16.2.1 20261020"), bad("14.1.0"), "16.2.1 20261020", "Fails since gcc 15.1.0 (14.1.0 works), still fails on 16.2.1 of 2026-10-20."},
		{bad("15.1.0", "16.2.0"), bad("14.1.0"), "16.2.0", "Fails since gcc 15.1.0 (14.1.0 works), still fails with 16.2.0, the newest asked."},
		{bad("16.2.1 20261020"), nil, "16.2.1 20261020", "Fails since gcc 16.2.1 of 2026-10-20, the newest asked; no older one was asked."},
	} {
		assert.Equal(t, tt.want, newMatrix(tt.bad, tt.good).standing("gcc", tt.newest))
	}
}

// What is live fails with the newest version of its family that anybody names, on
// the test that the report shows.
func TestLive(t *testing.T) {
	versions := func(list ...string) (c []corpus.Configuration) {
		for _, v := range list {
			c = append(c, corpus.Configuration{Family: "gcc", Version: v, Modes: []string{"-O2"}})
		}
		return c
	}
	entry := func(bucket, version, reduced string, bad, reducedBad, good []corpus.Configuration) *corpus.Entry {
		return &corpus.Entry{Bucket: bucket, Family: "gcc", Version: version, Verdict: "crash", Mode: "-O2", Date: "2026-11-20", Main: corpus.MainC,
			Reduced: reduced, Bad: bad, ReducedBad: reducedBad, Good: good}
	}
	buckets := Group([]Finding{
		{"home", entry("gcc/a", "17.0.0 20261020", "", nil, nil, nil), 1},
		{"old", entry("gcc/a", "12.2.0", "", nil, nil, nil), 1},
		{"small", entry("gcc/b", "12.2.0", "a\n", versions("12.2.0", "17.0.0 20261020"), versions("12.2.0"), nil), 1},
		{"large", entry("gcc/b", "12.2.0", "a\nb\n", versions("12.2.0"), versions("12.2.0", "17.0.0 20261020"), nil), 1},
		{"fixed", entry("gcc/c", "12.2.0", "", nil, nil, versions("17.0.0 20261020")), 1},
		{"also", entry("gcc/d", "12.2.0", "", versions("17.0.0 20261020"), nil, nil), 1},
		{"clang", &corpus.Entry{Bucket: "clang/a", Family: "clang", Version: "19.1.7", Verdict: "crash", Mode: "-O2", Main: corpus.MainC}, 1},
	})
	names := func(buckets []Bucket) (list []string) {
		for _, b := range buckets {
			var in []string
			for _, f := range b.Findings {
				in = append(in, f.Name)
			}
			list = append(list, strings.Join(in, " "))
		}
		return list
	}
	assert.Equal(t, []string{"clang", "home old", "large small", "fixed", "also"}, names(buckets))
	assert.Equal(t, []string{"clang", "home", "large", "also"}, names(Live(buckets)))
	assert.Equal(t, []string{"clang", "home old", "large small", "fixed", "also"}, names(buckets), "they stay as they are")
	assert.Empty(t, Live(Group([]Finding{{"x", entry("gcc/c", "12.2.0", "", nil, nil, versions("17")), 1}})))
}

// An adopted entry says where it was, and is known by the name of its old bucket.
func TestAdoptedBug(t *testing.T) {
	findings, err := Load(filepath.Join("testdata", "buckets"))
	require.NoError(t, err)
	e := findings[0].Entry
	old := e.Bucket
	e.Leave()
	e.Version, e.Bucket = "17.0.0 20261020", "gcc/wrong-answer/tree-vrp1/O2"
	e.ReducedBad = corpus.Add(e.ReducedBad, "gcc", e.Version, nil, "-O2")
	files := write(t, t.TempDir(), Group(findings[:1]), Options{Known: []corpus.Known{{Bucket: old, Link: "https://example.org/1"}}})
	text := files["gcc-wrong-answer-tree-vrp1-O2.md"]
	assert.Contains(t, text, "\n\nFails since gcc 12.2.0 (11.3.0 works), still fails on trunk of 2026-10-20.\n\n> Before")
	assert.Contains(t, text, "\n\n**Tracker**: <https://example.org/1>\n\nFails since")
	assert.Contains(t, text, "newer ones that fail, too, have\nadopted it:\n\n- `gcc 12.2.0 : -O2`\n")
	assert.Contains(t, files[Index], "<p>Fails since gcc 12.2.0 (11.3.0 works), still fails on trunk of 2026-10-20.</p>")
	assert.Contains(t, files[Index], "<dt>found with</dt><dd>gcc 12.2.0 : -O2</dd>")
}

func TestWrongCase(t *testing.T) {
	for _, tt := range []struct {
		want, got string
		index     int
	}{
		{"f 1", "f 2", 0}, {"f 1, f#2 2, f#3 3", "f 1, f#2 3, f#3 4", 1}, {"f 1, f#2 2", "", 0}, {"f 1, f#2 2", "f 1", 0}, {"", "", 0},
	} {
		assert.Equal(t, tt.index, wrongCase(&corpus.Entry{Expected: tt.want, Got: tt.got}), tt)
	}
}

func TestPlain(t *testing.T) {
	assert.Equal(t, `x86_64 \_\_a\_ \*b\* \`+"`c\\`"+` a < b && c &amp;lt; &lt;&lt;b> \| \[d] &lt;`, plain("x86_64 __a_ *b* `c` a < b && c &lt; <<b> | [d] <"))
	for address, want := range map[string]string{
		"https://example.org/a?b=1": "<https://example.org/a?b=1>", "http://a": "<http://a>",
		"javascript:a()": "`javascript:a()`", "https://a b": "`https://a b`", "https:": "`https:`", "a|b": "`a\\|b`",
	} {
		assert.Equal(t, want, link(address))
	}
	assert.Equal(t, "`` a`b ``", inlineCode("a`b"))
	assert.Equal(t, "`\"a\\n\"`", inlineCode("a\n"))
	assert.Equal(t, "````c\n```\n````", fence("c", "```\n"))
}

func TestRoute(t *testing.T) {
	d := &drawing{names: []string{"entry", "b1", "exit"}, path: []int{0, 1, 1, 1, 0, 1, 2}}
	assert.Equal(t, "entry → b1 ×3 → entry → b1 → exit", d.Route())
	for range 40 {
		d.path = append(d.path, 1, 0)
	}
	assert.Regexp(t, `^(\S+( ×3)? → ){60}… \(25 more\)$`, d.Route())
}

// What is said of the cause holds for the test that is shown.
func TestBlame(t *testing.T) {
	e := &corpus.Entry{Family: "clang", Bucket: "b", Culprit: "InstCombinePass", CulpritFunction: bisect.Module, MendedBy: []string{"-mllvm", "-opt-bisect-limit=3"}}
	text := strings.Join(blame(e), "\n")
	assert.Contains(t, text, "The pass InstCombinePass is to blame,")
	assert.Contains(t, text, "right with -mllvm -opt-bisect-limit=3 added to the command.", "two words, but one flag")
	e.Reduced = "int main(void) { }\n"
	assert.NotContains(t, strings.Join(blame(e), "\n"), "-opt-bisect-limit", "it is that of the original")
	e.Family, e.MendedBy = "gcc", []string{"-fno-a", "-fno-b"}
	assert.Contains(t, strings.Join(blame(e), "\n"), "right with -fno-a -fno-b added to the command; none of these can be left out.")
}

// What is said of flags is about those that were tried: a family has its own.
func TestBlameOfOthers(t *testing.T) {
	e := &corpus.Entry{Family: "hotspot", Bucket: "b", Culprit: "C2"}
	assert.Equal(t, []string{"The pass C2 is to blame, as far as switching off one after another can tell."}, blame(e))
	e.MendedAlone = []string{"-Xint"}
	assert.Equal(t, "The program is right with -Xint alone.", blame(e)[1])
	e.Family = "gcc"
	assert.Contains(t, blame(e), "-fwrapv alone does not help.")
}

// What is drawn of a function that only makes calls is what it calls.
func TestDrawingOfCalls(t *testing.T) {
	const program = `
func @f(%a i32) u32 {
  entry:
    goto b1
  b1:
    %a = %a - 1
    if %a > 0 goto b1 else exit
  exit:
    return checksum(%a)
}
func @all() u32 {
    local %r u32 = 0
  entry:
    %r = @f(2)
    %r = @f(1)
    goto exit
  exit:
    return checksum(%r)
}
case all() = 0 path entry exit
`
	d, err := newDrawing(program, 0)
	require.NoError(t, err)
	assert.Equal(t, "f", d.Function)
	assert.Equal(t, []int{0, 1, 1, 2}, d.path)
}

// A flag that passes ask is no pass.
func TestNoPass(t *testing.T) {
	e := &corpus.Entry{Family: "gcc", Bucket: "b", MendedBy: []string{"-fno-aggressive-loop-optimizations"}, MendedAlone: []string{"-fwrapv", "-fno-aggressive-loop-optimizations"}}
	assert.Equal(t, []string{
		"No pass alone is to blame, but what -faggressive-loop-optimizations lets passes conclude.",
		"The program is right with -fno-aggressive-loop-optimizations added to the command.",
		"The program is right with -fwrapv alone.",
		"-fno-strict-aliasing alone does not help.",
	}, blame(e))
	assert.Equal(t, "tree-optimization", trackers["gcc"].component(culprit(e)))
	e.MendedBy, e.MendedAlone = nil, nil
	assert.Equal(t, "No pass could be named: leaving out one after another did not tell.", blame(e)[0])
	assert.Equal(t, "middle-end (the pass is not known)", trackers["gcc"].component(culprit(e)))
}

// What the notes on a search say about a fault of code generation stands with the culprit.
func TestRead(t *testing.T) {
	e := &corpus.Entry{Culprit: "code generation for arm"}
	u := &bug{Entry: e, Blame: blame(e)}
	assert.Contains(t, u.Blame[0], ruleUnknown)
	u.read(corpus.Known{Note: "i16 instead of i8", State: corpus.DuplicateOf + " x"})
	assert.Len(t, u.Blame, 1)
	u.read(corpus.Known{Note: "ARM.rules: MVNshiftRA lacks the complement", State: corpus.NotFound})
	assert.Equal(t, []string{"The culprit is code generation for arm.", "By hand: ARM.rules: MVNshiftRA lacks the complement."}, u.Blame)
}

// An answer of a build that the entry lists is no news.
func TestListed(t *testing.T) {
	e := &corpus.Entry{Family: "clang", Version: "24.0.0", ReducedBad: []corpus.Configuration{{Family: "clang", Version: "23.1.4"}}}
	for build, want := range map[string]bool{"clang 24.0.0": true, "clang 23.1.4": true, "clang 25.0.0": false} {
		assert.Equal(t, want, listed(e, corpus.Life{Compiler: build, State: corpus.StillFails}), build)
		assert.False(t, listed(e, corpus.Life{Compiler: build, State: corpus.Fixed}), build)
	}
}

// A test in LLVM IR that an older version gets wrong says since when, and what mends the program
// need not mend that test.
func TestOtherLLC(t *testing.T) {
	e := &corpus.Entry{Family: "clang", Version: "24.0.0", Language: compilers.C, Verdict: compilers.WrongAnswer.String(), Reduced: "int f;", ReducedProgram: "x",
		ReducedBad: []corpus.Configuration{{Family: "clang", Version: "24.0.0", Modes: []string{"-O1"}}}, Culprit: "code generation for arm",
		Notes:   []corpus.Note{{Key: corpus.NoteMends, Value: "GlobalISel"}},
		Members: map[string]string{"reduced.ll": "; right: llc-21\n"}}
	u := bug{Bucket: Bucket{Findings: []Finding{{Entry: e}}, Newest: "24.0.0"}, Entry: e, IR: "; right: llc-21\n"}
	assert.Equal(t, "Fails in clang 24.0.0, the newest asked. About the test in LLVM IR, llc 21 is right.", u.Standing())
	assert.NotContains(t, strings.Join(blame(e), " "), "LLVM IR")
	u.IR = "; right: llc-21, llc -global-isel\n; wrong: opt-25\n; wrong: llc-14 -opaque-pointers\n"
	assert.Equal(t, "Fails in clang 24.0.0, the newest asked. About the test in LLVM IR, llc 14 is wrong, and llc 21 is right, and opt 25 is wrong (no older one was asked).", u.Standing())
	e.ReducedGood = []corpus.Configuration{{Family: "clang", Version: "23.1.4", Modes: []string{"-O1"}}}
	u.IR = "; wrong: llc-21, llc -global-isel\n"
	e.Members["reduced.ll"] = u.IR
	assert.Equal(t, "About the test in LLVM IR, llc 21 is wrong (no older one was asked). "+
		"The table below is about the larger test in C, which fails since clang 24.0.0 (23.1.4 works), the newest asked.", u.Standing())
	e.ReducedGood, e.ReducedBad = nil, append(e.ReducedBad, corpus.Configuration{Family: "clang", Version: "14.0.6", Modes: []string{"-O1"}})
	assert.Equal(t, "Fails since clang 14.0.6 or earlier (no older one was asked), still fails with 24.0.0, the newest asked. "+
		"About the test in LLVM IR, llc 21 is wrong (no older one was asked).", u.Standing())
	assert.Contains(t, strings.Join(blame(e), " "), "with GlobalISel it is wrong, too.")
}

// A test in LLVM IR tells how the place of its fault is known.
func TestPlace(t *testing.T) {
	assert.Equal(t, []string{
		"The test in LLVM IR is wrong first with ppc-isel: right with -opt-bisect-limit=8.",
		"The test in LLVM IR is right with llc -mattr=+a,+b -fast-isel, and with llc.",
	}, place("; right: llc-14 -opaque-pointers, llc -mattr=+a,+b -fast-isel, llc-21, llc\n; wrong: llc -O0\n; wrong first with ppc-isel: right with -opt-bisect-limit=8\n"))
	assert.Empty(t, place("; right: clang-23@trunk -O1, llc-21\n; wrong: llc\n"))
}

// Compilers that read another text than the one that is shown have no row.
func TestReaders(t *testing.T) {
	e := &corpus.Entry{Language: compilers.C, Family: "clang", Version: "24.0.0", Reduced: "#if __BITINT_MAXWIDTH__ >= 114\ntypedef _BitInt(114) bit114;\n#else\ntypedef __int128 bit114;\n#endif\nbit114 f(bit114 x);\n"}
	assert.Contains(t, ownText(e), "_BitInt(114)")
	list := []corpus.Configuration{{Family: "gcc", Version: "12.2.0"}, {Family: "gcc", Version: "16.2.0"}, {Family: "clang", Version: "23.1.4"}}
	assert.Equal(t, list[1:], readers(e, list))
	e.Reduced = "int f(void);\n"
	assert.Equal(t, list, readers(e, list))
}
