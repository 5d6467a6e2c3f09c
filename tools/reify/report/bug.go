package report

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"goreify/compilers"
	"goreify/compilers/bisect"
	"goreify/compilers/llvm"
	"goreify/compilers/native"
	"goreify/corpus"
	"goreify/reify/emit/c"
	"goreify/reify/ir"
	"goreify/reify/others"
)

// A bug is what a report says of a bucket. Its text is neither Markdown nor HTML.
type bug struct {
	Bucket
	Entry     *corpus.Entry // the first finding
	Title     string
	Component string
	Keyword   string
	Compiler  string // family and version
	Banner    string // what the compiler says of itself, or empty
	Target    string
	Ways      []way    // what our own names of modes stand for
	Levels    []string // that fail, of the compiler it was found with
	Compilers string   // that fail
	Homes     []string // configurations that the first finding was of before
	Count     int
	FirstSeen string
	Known     []corpus.Known
	Life      []corpus.Life // of its findings, the oldest first

	Command string
	Binary  bool   // the test has a binary file, which is no part of the report
	Files   []file // the test: the reduced one, or the program as found
	Expect  string // the expected behaviour
	Actual  string // the actual behaviour
	Want    string // standard output of a right program, or empty
	Got     string // the actual output in a line, or empty
	IR      string // the smallest test in LLVM IR, or empty
	IRRun   string // the command that shows it, or empty
	Matrix  matrix
	Asked   matrix   // Matrix, and versions of the compiler that were asked in the mode alone
	Blame   []string // sentences on the cause

	Original []file          // the program as found, if Files is the reduced one
	Others   []corpus.Origin // functions of others in Files
	NoOthers bool            // all flags that the program was found with have gone
	Drawing  *drawing
	SVG      template.HTML // made by restyle, or empty
	NoGraph  string        // why the report has no graph, or only one of text
}

// A way is a mode of our own, and the flags of the compiler that it stands for.
type way struct{ Mode, Flags string }

// A file is a piece of a program.
type file struct{ Name, Text string }

// Lines is how many lines of the file are not blank.
func (f file) Lines() int { return codeLines(f.Text) }

// newBug gathers what there is to say of a bucket.
func newBug(ctx context.Context, b Bucket, o Options) (*bug, error) {
	e := b.Findings[0].Entry
	u := &bug{
		Bucket:    b,
		Entry:     e,
		Component: trackers[native.Project(e.Family)].component(culprit(e)),
		Compiler:  e.Family + " " + e.Version,
		Count:     b.count(),
		FirstSeen: b.firstSeen(),
		Blame:     blame(e),
		Banner:    e.Members[corpus.CompilerFile],
		IR:        e.Members[e.LLVMFile()],
	}
	if llvm.IsRun(e.LLVMRun) {
		u.IRRun = e.LLVMRun
	}
	u.Target = e.Triple
	if said := targetLine.FindStringSubmatch(u.Banner); u.Target == "" && said != nil {
		u.Target = said[1]
	}
	if slices.Contains([]string{"wasm32", "jvm"}, u.Target) {
		u.Target += " on x86-64, Linux"
	}
	for _, k := range o.Known {
		if b.Triaged && slices.ContainsFunc(b.Findings, func(f Finding) bool { return k.Of(f.Entry, f.Name) }) {
			u.Known = append(u.Known, k)
			u.read(k)
		}
	}
	for _, l := range o.Life {
		if slices.ContainsFunc(b.Findings, func(f Finding) bool { return corpus.FindingName(f.Name) == l.Finding && !listed(f.Entry, l) }) {
			u.Life = append(u.Life, l)
		}
	}
	for _, h := range e.FormerHomes() {
		u.Homes = append(u.Homes, h.Configuration.String())
	}
	u.setTest()
	if err := u.setOthers(o.Share); err != nil {
		return nil, err
	}
	u.Compilers = u.Matrix.compilers()
	u.Levels = u.Matrix.failing(e.Family, e.Version, strings.Join(e.Flags, " "))
	for _, c := range e.ReducedBad {
		if len(u.Levels) == 0 && c.Family == e.Family && c.Version == e.Version {
			u.Levels = u.Matrix.failing(c.Family, c.Version, strings.Join(c.Args, " "))
		}
	}
	if len(u.Levels) == 0 {
		u.Levels = []string{e.Mode}
	}
	if err := u.draw(ctx, o); err != nil {
		return nil, err
	}
	if flags := trackers[native.Project(e.Family)].ways; flags != nil {
		for _, mode := range u.Matrix.Levels {
			u.Ways = append(u.Ways, way{mode, strings.Join(flags(mode), " ")})
		}
	}
	u.Title = title(e, u.Levels, u.Drawing)
	u.Keyword = trackers[native.Project(e.Family)].keywords[e.Verdict]
	return u, nil
}

// listed tells whether an answer is one that an entry lists already.
func listed(e *corpus.Entry, l corpus.Life) bool {
	return l.State == corpus.StillFails && (l.Compiler == e.Family+" "+e.Version ||
		slices.ContainsFunc(slices.Concat(e.Bad, e.ReducedBad), func(c corpus.Configuration) bool { return l.Compiler == c.Family+" "+c.Version }))
}

// setTest sets what depends on whether there is a reduced test.
func (u *bug) setTest() {
	e := u.Entry
	u.Files = sources(e)
	if e.Reduced != "" {
		u.Original, u.Files = u.Files, []file{{e.ReducedMain(), ownText(e)}}
	}
	u.Files = append(u.Files, companions(e)...)
	u.Command, u.Want, u.Got = command(e, e.Command), e.Want, e.Got
	u.Expect = "The program exits with status 0, and prints this:"
	u.Actual = classes[e.Verdict].actual
	bad, good := e.Bad, e.Good
	more, right := versions(e)
	found := corpus.Configuration{Family: e.Family, Version: e.Version, Args: e.Flags, Modes: []string{e.Mode}}
	if e.Reduced != "" {
		u.Command, u.Want, u.Got = command(e, e.ReducedCommand), "", ""
		if u.Want = e.Members[corpus.ReducedWantFile]; u.Want == "" {
			u.Expect = "The program exits with status 0."
		}
		if e.Verdict == compilers.WrongAnswer.String() {
			u.Actual = "The program prints a wrong line, or exits with another status."
			if strings.Contains(e.Reduced, "abort()") {
				u.Actual = "The program calls abort()."
				if p, err := ir.Parse(e.ReducedProgram); err == nil && len(p.Claims) == 1 && p.Claims[0].Trap == "" {
					u.Expect = p.Claims[0].Func.Name + "() returns " + p.Claims[0].Answer() + ", and the program exits with status 0."
					u.Actual = "It returns another value, and the program calls abort()."
				}
			}
			if want := e.Note(corpus.NoteReducedWant); want != "" {
				u.Expect, u.Want = "The program prints this:", want
				u.Actual, u.Got = "It prints this:", e.Note(corpus.NoteReducedGot)
			} else if said := answerInIR.FindStringSubmatch(e.Members[e.LLVMFile()]); said != nil {
				u.Actual += " In LLVM IR, " + said[1]
			}
		}
		u.setHost()
		u.setSource()
		if len(e.ReducedBad) > 0 {
			bad, good := readers(e, e.ReducedBad), readers(e, e.ReducedGood)
			u.Matrix = newMatrix(bad, good)
			u.Asked = newMatrix(slices.Concat(bad, more), slices.Concat(good, right))
			return
		}
		bad, good = nil, nil // of another program
	}
	u.setSource()
	good = append(good[:len(good):len(good)], witnessed(e)...)
	bad = append(bad[:len(bad):len(bad)], found)
	u.Matrix, u.Asked = newMatrix(bad, good), newMatrix(slices.Concat(bad, more), slices.Concat(good, right))
}

// targetLine is what gcc and clang say of their target.
var targetLine = regexp.MustCompile(`(?m)^Target: (\S+)$`)

// ownText returns the reduced test as the compiler that fails reads it, where its macros are known.
func ownText(e *corpus.Entry) string {
	if e.Language != compilers.C || major(e.Version) < 16 || !wide.MatchString(e.Triple) || slices.Contains(e.Flags, "-m32") {
		return e.Reduced
	}
	return c.Preprocess(e.Reduced, macros(e.Family, e.Version, e.Triple))
}

// readers returns those of some configurations that read the reduced test as it is shown. Answers
// of the rest are of another program: a compiler without _BitInt was given wider integers.
func readers(e *corpus.Entry, list []corpus.Configuration) []corpus.Configuration {
	shown := ownText(e)
	if shown == e.Reduced {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(of corpus.Configuration) bool {
		return c.Preprocess(e.Reduced, macros(of.Family, of.Version, of.Version)) != shown
	})
}

// Adapted tells whether the reproducer has other forms of the test for other compilers.
func (u *bug) Adapted() bool { return u.Reduced() && ownText(u.Entry) != u.Entry.Reduced }

func major(version string) int {
	number, _, _ := strings.Cut(version, ".")
	n, _ := strconv.Atoi(number)
	return n
}

// bigEndian are processors of wide whose first byte in memory is the high one.
var bigEndian = regexp.MustCompile(`\b(powerpc64|s390x)-`)

// macros are those that a test asks a compiler for, on the processors of wide. A triple may stand
// among other words; without one, the processor is that of this machine, as little-endian as all of
// wide except those of bigEndian.
func macros(family, version, triple string) map[string]int {
	m := map[string]int{"__GNUC__": major(version), "__SIZEOF_INT128__": 16, "__BITINT_MAXWIDTH__": 65535}
	m["__ORDER_LITTLE_ENDIAN__"], m["__ORDER_BIG_ENDIAN__"], m["__BYTE_ORDER__"] = 1234, 4321, 1234
	if bigEndian.MatchString(triple) {
		m["__BYTE_ORDER__"] = 4321
	}
	switch {
	case native.Project(family) == "clang":
		m["__GNUC__"], m["__clang__"] = 4, 1
	case major(version) < 14:
		m["__BITINT_MAXWIDTH__"] = 0 // in conditions it is compared only
	}
	return m
}

// wide are processors for which today's gcc and clang have integers of 128 bits and _BitInt.
var wide = regexp.MustCompile(`^(?:$|x86_64|aarch64|loongarch64|mips64el|powerpc64|riscv64|s390x)`)

// sources returns the files of the program as it was found, the main one first.
func sources(e *corpus.Entry) []file {
	var files []file
	for _, f := range e.Files() {
		files = append(files, file{f.Name, string(f.Content)})
	}
	return files
}

// witnessed returns what the compiler that the program was found with says it
// gets right. The witnesses of other compilers do not tell their versions.
func witnessed(e *corpus.Entry) []corpus.Configuration {
	var good []corpus.Configuration
	own := strings.Join(append([]string{e.Compiler}, e.Flags...), " ") + " "
	for _, w := range e.Witness {
		mode, ok := strings.CutPrefix(w.Who, own)
		if ok && w.Said == compilers.OK.String() && !strings.Contains(mode, " ") && e.Reduced == "" {
			good = corpus.Add(good, e.Family, e.Version, e.Flags, mode)
		}
	}
	return good
}

// culprit returns the pass, or else the flags, that the entry says is to blame.
func culprit(e *corpus.Entry) string {
	return (&bisect.Blame{Pass: e.Culprit, Flags: e.MendedBy}).Culprit()
}

// blame says in sentences what is known of the cause.
func blame(e *corpus.Entry) []string {
	var lines []string
	switch generated := strings.HasPrefix(e.Culprit, bisect.CodeGeneration); {
	case generated:
		lines = append(lines, generatedBadly(e)...)
	case e.Culprit != "":
		line := "The pass " + e.Culprit
		// The reduced test may call its function something else.
		if e.CulpritFunction != "" && e.CulpritFunction != bisect.Module && (e.Reduced == "" || regexp.MustCompile(`\b`+regexp.QuoteMeta(e.CulpritFunction)+`\b`).MatchString(e.Reduced)) {
			line += " goes wrong on the function " + e.CulpritFunction
		} else {
			line += " is to blame"
		}
		lines = append(lines, line+told(e))
		if shows := e.Note(corpus.NoteUncovered); shows != "" {
			lines = append(lines, "The pass "+shows+" only shows it: by itself it is right about the same program.")
		}
	case e.Bucket != "" && bisect.MethodsOf(e.Family).Known():
		if culprit := culprit(e); strings.HasPrefix(culprit, "-f") {
			lines = append(lines, "No pass alone is to blame, but what "+culprit+" lets passes conclude.")
		} else {
			lines = append(lines, "No pass could be named: leaving out one after another did not tell.")
		}
	}
	transferable := bisect.MethodsOf(e.Family).Transferable // to the reduced test
	if len(e.MendedBy) > 0 && (e.Reduced == "" || transferable) {
		line := "The program is right with " + strings.Join(e.MendedBy, " ") + " added to the command"
		if len(e.MendedBy) > 1 && transferable {
			line += "; none of these can be left out"
		}
		lines = append(lines, line+".")
	}
	mended := mendedAlone(e)
	for _, flag := range mended {
		if !transferable || !slices.Equal(e.MendedBy, []string{flag}) {
			lines = append(lines, "The program is right with "+flag+" alone.")
		}
	}
	for _, flag := range bisect.MethodsOf(e.Family).Alone {
		if (e.Culprit != "" || len(e.MendedBy) > 0) && !slices.Contains(mended, flag) {
			lines = append(lines, flag+" alone does not help.")
		}
	}
	asked := slices.Concat(e.ReducedBad, e.ReducedGood)
	unlisted := func(s corpus.Said) bool {
		return slices.ContainsFunc(s.Versions, func(v string) bool {
			return !slices.ContainsFunc(asked, func(c corpus.Configuration) bool { return c.Family == e.Family && c.Version == v })
		})
	}
	if versions := e.Note(corpus.NoteVersions); slices.ContainsFunc(e.Versions(), unlisted) {
		lines = append(lines, "Of the versions that were here, with the test above: "+versions+".")
	}
	return lines
}

// ruleUnknown ends a sentence about code generation.
const ruleUnknown = "; its rule is not known"

// read adds what was read in the compiler, by the ledger.
func (u *bug) read(k corpus.Known) {
	cause := k.Remarks().Cause
	if cause == "" || k.State == "" || k.Same() { // what a person writes of a report is no cause
		return
	}
	for n, line := range u.Blame {
		u.Blame[n] = strings.Replace(line, ruleUnknown, "", 1)
	}
	u.Blame = append(u.Blame, "By hand: "+cause+".")
}

// answerInIR matches what a test in LLVM IR says of its answer, the one that is wanted, and
// the other.
var answerInIR = regexp.MustCompile(`(?m)^; (\S+\(.*\) is (.*), and (.*) here\.)$`)

// wrongGlobally matches that a test in LLVM IR fails with GlobalISel of the same llc, too.
var wrongGlobally = regexp.MustCompile(`(?m)^; wrong: .*\bllc -global-isel\b`)

// generatedBadly says what is known of a fault of code generation.
func generatedBadly(e *corpus.Entry) []string {
	what, part, _ := strings.Cut(strings.TrimSuffix(e.Culprit, ")"), " (")
	line := "The culprit is " + what
	if part != "" {
		line += ", and of that " + part
	}
	if rule := e.Note(corpus.NoteRule); rule != "" {
		line += ": " + rule
	} else if part == "" {
		line += ruleUnknown
	}
	lines := []string{line + "."}
	if shows := e.Note(corpus.NoteUncovered); shows != "" {
		fails := "The code is wrong"
		if e.Verdict == compilers.InternalError.String() {
			fails = "The program that this was made smaller from fails"
		}
		lines = append(lines, fails+" only if "+shows+" has run before. That pass leaves the program right.")
	}
	if code := e.Note(corpus.NoteCode); code != "" {
		lines = append(lines, "The wrong code has instructions that the right one has not: "+code+".")
	}
	if mends := e.Note(corpus.NoteMends); mends != "" {
		line := "The program is right with each of these alone: " + mends + "."
		if global := wrongGlobally.FindString(e.Members[e.LLVMFile()]); global != "" && strings.Contains(mends, bisect.GlobalISel) {
			line += " The test in LLVM IR is another program: with " + bisect.GlobalISel + " it is wrong, too."
		}
		lines = append(lines, line)
	}
	return append(lines, place(e.Members[e.LLVMFile()])...)
}

// told says how the culprit is known.
func told(e *corpus.Entry) string {
	dump := ": compiled as -fdump-" + e.Culprit + "-gimple prints it, without optimising, the program "
	switch e.Note(corpus.NoteSeen) {
	case corpus.SeenOverflow:
		return dump + "overflows a signed integer, and after the passes before it does not. What shows is what later passes conclude."
	case corpus.SeenWrong:
		return dump + "is wrong, and after the passes before it is right."
	}
	return ", as far as switching off one after another can tell."
}

// draw makes the graph of the reduced program, or of the one that was found.
func (u *bug) draw(ctx context.Context, o Options) error {
	program, index := u.Entry.ReducedProgram, 0
	if program == "" && u.Entry.Reduced == "" {
		program, index = u.Entry.Program, wrongCase(u.Entry)
	}
	if program == "" {
		u.NoGraph = "There is no graph: the test is source text only."
		return nil
	}
	d, err := newDrawing(program, index)
	if err != nil {
		// The report of a bug does not depend on its picture.
		u.NoGraph = fmt.Sprintf("There is no graph: the program cannot be read: %v", err)
		return nil
	}
	u.Drawing = d
	if o.Draw == nil {
		u.NoGraph = "Graphviz was not installed where this was written, so the graph is text."
		return nil
	}
	svg, err := o.Draw(ctx, d.dot())
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var text string
	if err == nil {
		text, err = restyle(svg, "Control-flow graph of "+d.Function+". The path of the test: "+d.Route())
	}
	if err != nil {
		u.NoGraph = fmt.Sprintf("The graph is text, for it could not be drawn: %v", err)
		return nil
	}
	u.SVG = template.HTML(text)
	return nil
}

// Assembly is the code that the compiler makes of the function of the test, or empty.
func (u *bug) Assembly() string {
	if !u.Reduced() {
		return ""
	}
	return u.Entry.Members[corpus.ReducedAssemblyFile]
}

// IRFirst tells whether the report begins with the test in LLVM IR, as its tracker wants where the
// source text is more than twice as long.
func (u *bug) IRFirst() bool {
	_, body, _ := strings.Cut(u.IR, "\ndefine ")
	return u.Reduced() && u.IRRun != "" && u.Files[0].Lines() > 2*instructions(body)
}

// instructions is how many lines in the braces of functions are neither a label nor blank.
func instructions(text string) (n int) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, " ") {
			n++
		}
	}
	return n
}

// Compared tells whether the command compares the output with a file.
func (u *bug) Compared() bool { return u.Want != "" && strings.Contains(u.Command, " | diff ") }

// Observed tells how the program fails: the message of a crash, or what is
// printed, which entries keep in a line.
func (u *bug) Observed() string {
	if u.Entry.Message != "" {
		return u.Entry.Message
	}
	if parts := strings.Split(u.Got, ", "); len(parts) == strings.Count(u.Want, "\n") {
		return strings.Join(parts, "\n")
	}
	return u.Got
}

// vouchers say by the trust of an entry how it is known that its program is
// valid.
var vouchers = map[string]string{
	corpus.Proved: "It was made by a generator that knows its path and its answer. Before any compiler saw it, an interpreter\n" +
		"executed it %s",
	corpus.Recorded: "It calls functions whose answers were recorded when both families of compilers ran them under sanitizers, which\n" +
		"reported nothing.",
	corpus.Agreed: "It is a variant of another program, and must do what that does. Compilers of two families, without optimising and\n" +
		"under sanitizers, agree on the answer of both.",
	"": "It is source text only, not a program of the generator, so that only others can tell.",
}

// meanings say how a program of a language is executed, and what of it could be undefined.
var meanings = map[compilers.Language]string{
	compilers.C: "and met no undefined behaviour. Code that is never executed may hold what would be undefined.",
	compilers.Go: "by the Go specification, by which integers wrap around, conversions cut off, a shift by too much gives 0 or the\n" +
		"sign, and each index is checked. There is one goroutine, and so no data race.",
	compilers.JVM: "by the Java Virtual Machine Specification, by which integers wrap around, shifts take the lowest bits of\n" +
		"their count, and each index is checked. The class passes the verifier; nothing in it is native.",
	compilers.Wasm: "by the WebAssembly specification, which leaves nothing undefined. The module is valid.",
	compilers.LLVM: "by the LangRef, and met neither undefined behaviour nor poison that is used. The flags, attributes and hints in it\n" +
		"hold. Code that is never executed may hold what would be undefined.",
}

// WantFile is the name of the file that Want is in.
func (u *bug) WantFile() string {
	if u.Reduced() {
		return corpus.ReducedWantFile
	}
	return corpus.WantFile
}

// textVouchers are those of programs that others wrote; %s is what a hunt calls the
// seed.
var textVouchers = map[string]string{
	corpus.Recorded: "It was made by others, %s, and is not proved. Compilers of two families, which agree on its answer without\n" +
		"optimising, and the checks below say that it is valid.",
	corpus.Agreed: "It is a variant of a program that others wrote, %s, and differs in nothing that is executed, or only in guards that\n" +
		"held whenever they were reached. It is not proved. Compilers of two families agree on its answer without\n" +
		"optimising, sanitizers of both report nothing, nor does it depend on what is not initialised, and the compiler that\n" +
		"fails is right about the program that it is a variant of.",
}

// Validity says who vouches for the test.
func (u *bug) Validity() string {
	v, ok := textVouchers[u.Entry.Trust]
	switch ok = ok && u.Entry.Source == corpus.TextSource; {
	case ok && u.Entry.Verdict == compilers.InternalError.String():
		return fmt.Sprintf("It comes from a program that others wrote, %s. It is not proved, and need not be: no text may end a compiler so.", u.Entry.Note(corpus.NoteSeed))
	case ok:
		return fmt.Sprintf(v, u.Entry.Note(corpus.NoteSeed))
	}
	text := vouchers[u.Entry.Trust]
	if u.Entry.Trust == corpus.Proved {
		text = fmt.Sprintf(text, cmp.Or(meanings[u.Entry.Language], "and met no undefined behaviour."))
	}
	return text
}

// Diff returns what of the edits of a text matters, as a diff of its seed, or
// nothing.
func (u *bug) Diff() string {
	seed, record := u.Entry.Members[corpus.SeedFile], u.Entry.Members[corpus.LeftFile]
	if record == "" && !u.Reduced() {
		record = u.Entry.Members[corpus.EditsFile]
	}
	return others.Diff(seed, record)
}

// fences is what Markdown calls the languages of files.
var fences = map[string]string{".go": "go", ".java": "java", ".mjs": "js", ".wat": "wasm", ".jasm": ""}

// Fence is what Markdown calls the language of a file of the test.
func (u *bug) Fence(name string) string {
	if fence, ok := fences[filepath.Ext(name)]; ok {
		return fence
	}
	return strings.ToLower(u.Entry.Language)
}

// Clean lists who found nothing undefined in the reduced test.
func (u *bug) Clean() []string {
	if !u.Reduced() {
		return nil
	}
	return u.Entry.Clean()
}

// Verdict is the verdict in words.
func (u *bug) Verdict() string { return strings.ReplaceAll(u.Entry.Verdict, "-", " ") }

// Reduced tells whether the test is reduced.
func (u *bug) Reduced() bool { return u.Entry.Reduced != "" }

// Culprit is the pass, or words that say that no pass is to blame.
func (u *bug) Culprit() string {
	if u.Entry.Culprit != "" {
		return u.Entry.Culprit
	}
	if u.Triaged {
		return "unknown"
	}
	return "not triaged"
}

// Seen says how often the bug was found, and when first.
func (u *bug) Seen() string { return times(u.Count) + ", first on " + u.FirstSeen }
