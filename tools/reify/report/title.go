package report

import (
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/compilers/bisect"
	"goreify/compilers/gc"
	"goreify/compilers/jvm"
	"goreify/compilers/native"
	"goreify/corpus"
)

// A class is how trackers call a verdict.
type class struct {
	what        string // begins the title
	miscompiled bool   // the program is compiled, and wrong
	detail      string // follows the levels in the title, if there is no message
	actual      string // the failure, in a sentence
}

var classes = map[string]class{
	compilers.WrongAnswer.String(): {what: "wrong code", miscompiled: true,
		actual: "The compiled program gives a wrong answer."},
	compilers.Crash.String(): {what: "wrong code", miscompiled: true, detail: "program crashes",
		actual: "The compiled program crashes."},
	compilers.Endless.String(): {what: "wrong code", miscompiled: true, detail: "program does not end",
		actual: "The compiled program does not end."},
	compilers.InternalError.String(): {what: "internal compiler error",
		actual: "The compiler reports an internal error or crashes."},
	compilers.SlowCompile.String(): {what: "compilation does not end",
		actual: "The compiler does not come to an end."},
	compilers.Rejected.String(): {what: "valid program rejected",
		actual: "The compiler reports an error in a valid program."},
}

// title returns what a tracker shows in its lists: "wrong code at -O2 and -O3:
// signed arithmetic in a loop (tree-vrp2)".
func title(e *corpus.Entry, levels []string, d *drawing) string {
	c, ok := classes[e.Verdict]
	if !ok {
		return e.Title
	}
	text := trackers[native.Project(e.Family)].prefix + c.what
	if of := trackers[native.Project(e.Family)]; of.ways != nil || of.other != "" { // its readers know none of our own names
		levels = slices.DeleteFunc(slices.Clone(levels), func(l string) bool { return strings.HasPrefix(l, "@") })
	}
	if len(levels) > 0 {
		text += " at " + enumerate(levels)
	}
	var details []string
	if c.miscompiled {
		switch {
		case e.Verdict == compilers.Crash.String() && e.Message != "":
			details = append(details, "program "+e.Message)
		case c.detail != "":
			details = append(details, c.detail)
		}
		if s := subject(e, d); s != "" {
			details = append(details, s)
		}
		want, got := e.Note(corpus.NoteReducedWant), e.Note(corpus.NoteReducedGot)
		if said := answerInIR.FindStringSubmatch(e.Members[e.LLVMFile()]); want == "" && said != nil {
			want, got = said[2], said[3]
		}
		if name, value, ok := strings.Cut(want, " "); ok && strings.HasPrefix(got, name+" ") { // of the function
			want, got = value, got[len(name)+1:]
		}
		if e.Verdict == compilers.WrongAnswer.String() && want != "" && got != "" && len(want)+len(got) <= mostValues {
			details = append(details, got+" instead of "+want)
		}
	} else if m := corpus.WithoutPosition(e.Message); m != "" {
		details = append(details, strings.TrimPrefix(m, "internal compiler error: "))
	}
	if e.Family == "hotspot" && e.Mode == "@c2" {
		text = strings.Replace(text, "C1/C2: ", "C2: ", 1)
	}
	if len(details) > 0 {
		text += ": " + strings.Join(details, ", ")
	}
	switch other := trackers[native.Project(e.Family)].other; {
	case e.Culprit != "":
		text += " (" + e.Culprit + ")"
	case len(levels) == 0 && other != "" && trackers[native.Project(e.Family)].prefix == "":
		text += " (" + other + ")"
	}
	return text
}

// mostValues is how long a wanted and a wrong answer may be in a title.
const mostValues = 48

// subject describes the code that the compiler gets wrong, by the flags that mend it
// and, for a reduced test, by the path through it. Programs that are not reduced hold
// too many kinds of code for that.
func subject(e *corpus.Entry, d *drawing) string {
	var words []string
	if slices.Contains(mendedAlone(e), "-fwrapv") {
		words = append(words, "signed arithmetic")
	}
	if slices.Contains(mendedAlone(e), "-fno-strict-aliasing") {
		words = append(words, "type-based aliasing")
	}
	if e.Reduced == "" || d == nil || !d.loops() {
		return strings.Join(words, " and ")
	}
	if len(words) == 0 {
		words = []string{"code"}
	}
	return strings.Join(words, " and ") + " in a loop"
}

// mendedAlone returns which of -fwrapv and -fno-strict-aliasing make the program
// right. Those who wrote entries before triage did said so in a note.
func mendedAlone(e *corpus.Entry) []string {
	if len(e.MendedAlone) > 0 {
		return e.MendedAlone
	}
	if flag := e.Note(corpus.NoteMendedBy); flag != "" && !strings.Contains(flag, " ") {
		return []string{flag}
	}
	return nil
}

// A tracker is where bugs of a family are reported.
type tracker struct {
	components map[string]string // by a culprit, or what the name of a pass begins with, up to a dash
	other      string            // component of all other passes, or empty
	keywords   map[string]string // by verdict
	// companions are members that go with the test: those that begin with a dot have its name.
	companions []string
	prefix     string // that titles begin with
	// ways returns the flags that one of our own names of modes, such as "@check", stands for.
	ways func(mode compilers.Mode) []string
}

// trackers are those of the compilers: GCC's Bugzilla; LLVM's issue tracker, whose
// component is its name with a label; Go's, whose titles begin with the area; those of
// V8 and WebKit; the mailing list of TinyCC; the issues of wazero, wasmtime, binaryen and wabt; and the JDK Bug
// System.
var trackers = map[string]tracker{
	"gcc": {
		components: map[string]string{"tree": "tree-optimization", "rtl": "rtl-optimization", "ipa": "ipa", "-faggressive-loop-optimizations": "tree-optimization"},
		other:      "middle-end (the pass is not known)",
		keywords:   keywords("wrong-code", "ice-on-valid-code", "compile-time-hog", "rejects-valid"),
	},
	"clang": {
		components: map[string]string{
			"aarch64": "backend:AArch64", "arm": "backend:ARM", "loongarch64": "backend:loongarch", "loongarch": "backend:loongarch",
			"mips64el": "backend:MIPS", "mips": "backend:MIPS", "powerpc64": "backend:PowerPC", "powerpc64le": "backend:PowerPC", "ppc": "backend:PowerPC",
			"riscv64": "backend:RISC-V", "riscv": "backend:RISC-V", "s390x": "backend:SystemZ", "systemz": "backend:SystemZ",
			"loop-vectorize": "vectorizers", "slp-vectorizer": "llvm:SLPVectorizer", "vector-combine": "llvm:vectorcombine", "instcombine": "llvm:instcombine",
			"sparc64": "backend:Sparc", "sparc": "backend:Sparc", "x86_64": "backend:X86", "x86": "backend:X86",
		},
		other:    "llvm:optimizations",
		keywords: keywords("miscompilation", "crash-on-valid", "slow-compile", "rejects-valid"),
	},
	"tcc":       {other: "tccgen", keywords: keywords("bug", "bug", "bug", "bug")},
	"gccgo":     {other: "go", keywords: keywords("wrong-code", "ice-on-valid-code", "compile-time-hog", "rejects-valid")},
	"v8":        {other: "Blink>JavaScript>WebAssembly", keywords: keywords("Type-Bug: wrong result", "Type-Bug: crash", "Performance", "Type-Bug: rejects valid"), companions: []string{".wat", "repro.mjs"}},
	"jsc":       {other: "WebAssembly", keywords: keywords("wrong result", "crash", "performance", "rejects valid"), companions: []string{".wat", "repro.mjs"}},
	"wazero":    {other: "wazevo (optimizing compiler)", keywords: keywords("bug", "bug", "performance", "bug"), companions: []string{".wat"}},
	"cranelift": {other: "cranelift", keywords: keywords("bug", "bug", "bug", "bug"), companions: []string{".wat"}},
	"binaryen":  {other: "wasm-opt", keywords: keywords("bug", "bug", "bug", "bug"), companions: []string{".wat"}},
	"wabt":      {other: "wasm-interp", keywords: keywords("bug", "bug", "bug", "bug"), companions: []string{".wat"}},
	"hotspot": {
		ways:       jvm.Flags,
		other:      "hotspot / compiler",
		keywords:   keywords("Bug, label: wrong-result", "Bug, label: crash", "Bug, label: performance", "Bug"),
		companions: []string{".jasm", "Repro.java"},
		prefix:     "C1/C2: ",
	},
	"zero": {other: "hotspot / runtime", keywords: keywords("Bug, label: wrong-result", "Bug, label: crash", "Bug, label: performance", "Bug"), companions: []string{".jasm", "Repro.java"}, prefix: "Zero: "},
	"gc": {
		ways:     gc.Flags,
		other:    "cmd/compile",
		keywords: keywords("compiler/runtime", "compiler/runtime", "compiler/runtime", "compiler/runtime"),
		prefix:   "cmd/compile: ",
	},
}

// keywords returns those of a tracker by verdict. All failures of a wrong program have
// one keyword.
func keywords(wrong, internalError, slow, rejected string) map[string]string {
	return map[string]string{
		compilers.WrongAnswer.String():   wrong,
		compilers.Crash.String():         wrong,
		compilers.Endless.String():       wrong,
		compilers.InternalError.String(): internalError,
		compilers.SlowCompile.String():   slow,
		compilers.Rejected.String():      rejected,
	}
}

// component names the part of the compiler that a culprit belongs to, or returns
// nothing if the tracker's are not known.
func (t tracker) component(culprit string) string {
	if c, ok := t.components[culprit]; ok {
		return c
	}
	if strings.HasSuffix(culprit, "("+bisect.GlobalISel+")") {
		return "llvm:globalisel"
	}
	kind, _, _ := strings.Cut(culprit, "-")
	if name, ok := strings.CutPrefix(culprit, bisect.CodeGeneration+" for "); ok {
		kind, _, _ = strings.Cut(name, " ")
	}
	if c, ok := t.components[kind]; ok {
		return c
	}
	return t.other
}

// enumerate joins words as a sentence does: "-O1, -O2 and -O3".
func enumerate(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
