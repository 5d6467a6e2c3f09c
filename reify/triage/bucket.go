package triage

import (
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/compilers/bisect"
	"goreify/corpus"
)

// Bucket returns the name of the bug that an entry shows, as far as it is known:
//
//	gcc/wrong-answer/tree-ivopts/O2,O3
//	clang/internal-error/unknown/crash in llvm::foo
//
// The parts are the family, the verdict, the culprit, and a detail that tells bugs of
// one pass apart. For an error of the compiler the detail is compilers.Outcome.Crash,
// else the modes in which the newest version of the family that fails does so. Where no
// pass could be named, the culprit is the flags that do harm. Only the last part may
// hold slashes.
func Bucket(e *corpus.Entry, crash string) string {
	blame := bisect.Blame{Pass: e.Culprit, Flags: e.MendedBy}
	culprit := blame.Culprit()
	detail := pattern(e)
	if crash != "" {
		detail = crash
	}
	return corpus.OneLine(strings.Join([]string{e.Family, e.Verdict, strings.ReplaceAll(culprit, "/", "-"), detail}, "/"))
}

// Culprit returns the bucket of an entry without the modes, which hardly tell bugs
// apart: "gcc/wrong-answer/tree-ivopts". The buckets of errors of the compiler, and of
// failures without a culprit, are returned whole; an entry without triage has none.
func Culprit(e *corpus.Entry) string {
	family, verdict, culprit, _ := parseBucket(e.Bucket)
	if family == "" || e.Culprit == "" && len(e.MendedBy) == 0 || e.Verdict == compilers.InternalError.String() {
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
