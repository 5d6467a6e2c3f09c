package triage

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"goreify/compilers"
	"goreify/compilers/bisect"
	"goreify/compilers/llvm"
	"goreify/compilers/native"
	"goreify/corpus"
)

// Bucket returns the name of the bug that an entry shows, as far as it is known:
//
//	gcc/wrong-answer/tree-ivopts/O2,O3
//	gcc/wrong-code/tree-sccp/overflow
//	gc/wrong-code/PPC64.rules/(MOVHZreg (SRWconst [c] x)) && x.Type.Size() <= 16 => (SRWconst [c] x)
//	clang/wrong-code/code generation for aarch64 (aarch64-isel)/selection, since 24
//	clang/wrong-code/code generation for powerpc64/shufflevector
//	clang/internal-error/unknown/crash in llvm::foo
//
// The parts are the family, the verdict, the culprit, and a detail that tells bugs of
// one culprit apart. For an error of the compiler the detail is compilers.Outcome.Crash. If
// it is known where the fault is the detail says more of that, and all wrong code is one:
// how it shows, at which levels, and by which pass, depends on the program. Else the detail
// is the modes in which the newest version of the family that fails does so. Where no
// pass could be named, the culprit is the flags that do harm. Only the last part may
// hold slashes.
func Bucket(e *corpus.Entry, crash string) string {
	blame := bisect.Blame{Pass: e.Culprit, Flags: e.MendedBy}
	verdict, culprit, detail := e.Verdict, blame.Culprit(), pattern(e)
	switch place, fault := fault(e); {
	case crash != "":
		detail = crash
	case fault != "" && slices.Contains(wrongCode, e.Verdict):
		verdict, culprit, detail = wrongCodeName, cmp.Or(place, culprit), fault
	}
	return corpus.OneLine(strings.Join([]string{native.Project(e.Family), verdict, strings.ReplaceAll(culprit, "/", "-"), detail}, "/"))
}

// wrongCode are the verdicts that wrong code has, depending on the program, and wrongCodeName
// the one for all in the name of a bucket.
var wrongCode = []string{compilers.WrongAnswer.String(), compilers.Crash.String(), compilers.Endless.String()}

const wrongCodeName = "wrong-code"

// alike tells whether two verdicts, or one in the name of a bucket, may be of the same bug.
func alike(bucket, verdict string) bool {
	return bucket == verdict || bucket == wrongCodeName && slices.Contains(wrongCode, verdict)
}

// rulePlace takes the place of a rule apart, as in "PPC64.rules:638 (MOVHZreg x) => x".
var rulePlace = regexp.MustCompile(`^(\w+\.rules)(?::\d+)? (.+)$`)

// fault says what is known of the fault of an entry beyond the culprit, in the words of a
// bucket, or nothing if it is only known what shows it: a rule, or how code generation is
// mended, or the instructions of the test in LLVM IR that it gets. A place takes that of the
// culprit: one file of rules is for several processors.
func fault(e *corpus.Entry) (place, fault string) {
	rule := e.Note(corpus.NoteRule)
	if m := rulePlace.FindStringSubmatch(rule); m != nil {
		return m[1], m[2]
	}
	switch located := (&bisect.Blame{Pass: e.Culprit, Seen: e.Note(corpus.NoteSeen) != ""}).Located(); {
	case rule != "":
		return "", rule
	case !located && strings.HasPrefix(e.Culprit, bisect.CodeGeneration):
		fault = llvm.Shape(e.Members[e.LLVMFile()])
	case !located:
	case e.Note(corpus.NoteSeen) != "":
		return "", e.Note(corpus.NoteSeen)
	case slices.Contains(strings.Split(e.Note(corpus.NoteMends), ", "), bisect.NoCombine):
		fault = "combine"
	default:
		fault = "selection"
	}
	if since := regressed(e); fault != "" && since != "" {
		fault += sinceMark + since
	}
	return "", fault
}

// sinceMark stands between a fault and the version that brought it, in a bucket.
const sinceMark = ", since "

// regressed returns the major number of the oldest version that fails on the reduced test, or
// on the program if there is none, in any mode, if the one before it is known to be right; else
// nothing.
func regressed(e *corpus.Entry) string {
	bad, good := e.ReducedBad, e.ReducedGood
	if e.Reduced == "" {
		bad, good = e.Bad, e.Good
	}
	own := func(list []corpus.Configuration, modes ...string) (numbers []int) {
		for _, c := range list {
			major, _, _ := strings.Cut(c.Version, ".")
			of := func(mode string) bool { return slices.Contains(c.Modes, mode) }
			if n, err := strconv.Atoi(major); err == nil && c.Family == e.Family && slices.Equal(c.Args, e.Flags) && (modes == nil || slices.ContainsFunc(modes, of)) {
				numbers = append(numbers, n)
			}
		}
		return numbers
	}
	fail, right := own(bad), own(good, e.Mode)
	if len(fail) == 0 || !slices.Contains(right, slices.Min(fail)-1) {
		return ""
	}
	return strconv.Itoa(slices.Min(fail))
}

// Culprit returns the bucket of an entry without the modes, which hardly tell bugs
// apart: "gcc/wrong-answer/tree-ivopts". The buckets of errors of the compiler, of faults
// whose place is known, and of failures without a culprit, are returned whole; an entry
// without triage has none.
func Culprit(e *corpus.Entry) string {
	family, verdict, culprit, _ := parseBucket(e.Bucket)
	if family == "" || e.Culprit == "" && len(e.MendedBy) == 0 || e.Verdict == compilers.InternalError.String() || verdict == wrongCodeName {
		return e.Bucket
	}
	return strings.Join([]string{family, verdict, culprit}, "/")
}

// parseBucket takes the name of a bucket apart. The parts are empty if the name is not
// one of a bucket.
func parseBucket(name string) (family, verdict, culprit, detail string) {
	parts := strings.SplitN(name, "/", 4)
	if len(parts) < 4 {
		return "", "", "", ""
	}
	return parts[0], parts[1], parts[2], parts[3]
}

// pattern returns the modes in which the newest version that fails does so.
func pattern(e *corpus.Entry) string {
	own := corpus.Configuration{Family: e.Family, Version: e.Version, Args: e.Flags, Modes: []string{e.Mode}}
	newest := e.Version
	var modes []string
	for _, c := range append(slices.Clone(e.Bad), own) {
		if c.Family != e.Family || !slices.Equal(c.Args, e.Flags) {
			continue
		}
		if order := compilers.CompareVersions(c.Version, newest); order > 0 {
			newest, modes = c.Version, nil
		} else if order < 0 {
			continue
		}
		for _, mode := range c.Modes {
			modes = append(modes, strings.TrimPrefix(mode, "-"))
		}
	}
	slices.Sort(modes)
	return strings.Join(slices.Compact(modes), ",")
}
