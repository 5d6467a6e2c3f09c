package triage

import (
	"context"
	"path/filepath"
	"slices"

	"goreify/compilers"
	"goreify/compilers/bisect"
	"goreify/compilers/native"
	"goreify/corpus"
	"goreify/reify/oracle"
)

// Known are buckets that need no attention any more, and the means to tell which
// findings belong in them. The nil pointer knows none.
type Known struct{ buckets []knownBucket }

type knownBucket struct {
	corpus.Known
	family, verdict string
	crash           string          // of an internal error: compilers.Outcome.Crash; or empty
	entries         []*corpus.Entry // without their programs
	mending         [][]string      // sets of flags, each of which mends an entry
}

// LoadKnown reads a list of known buckets, and the reproducers beside it and, in the
// directory of a hunt, its findings. They say what those buckets are like: those that
// are of the bucket, or were in a former home. Reproducers that cannot be read are
// passed over. A bucket without an entry is described by its name alone. The errors are
// those of corpus.LoadKnown.
func LoadKnown(file string) (*Known, error) {
	list, err := corpus.LoadKnown(file)
	if err != nil {
		return nil, err
	}
	k := new(Known)
	for _, known := range corpus.Settled(list) {
		b := knownBucket{Known: known}
		var detail string
		b.family, b.verdict, _, detail = parseBucket(known.Bucket)
		if b.verdict == compilers.InternalError.String() {
			b.crash = detail
		}
		k.buckets = append(k.buckets, b)
	}
	paths, _ := corpus.Paths(filepath.Dir(file)) // those that can be read
	for _, path := range paths {
		e, err := corpus.Load(path)
		if err != nil {
			continue
		}
		for i := range k.buckets {
			if b := &k.buckets[i]; b.Of(e, path) {
				b.add(e)
			}
		}
	}
	for i := range k.buckets {
		b := &k.buckets[i]
		if _, _, culprit, _ := parseBucket(b.Bucket); len(b.entries) == 0 && culprit != "" {
			if flags := bisect.MethodsOf(b.family).Mending(culprit); flags != nil {
				b.mending = append(b.mending, flags)
			}
		}
	}
	return k, nil
}

// add notes what an entry of the bucket is like.
func (b *knownBucket) add(e *corpus.Entry) {
	if b.family = native.Project(e.Family); b.verdict != wrongCodeName {
		b.verdict = e.Verdict
	}
	if _, verdict, _, detail := parseBucket(e.Bucket); b.crash == "" && verdict == compilers.InternalError.String() {
		b.crash = detail // the list names a reproducer
	}
	brief := *e
	brief.Recipe, brief.Sources, brief.Members = nil, nil, nil
	brief.Program, brief.Want, brief.Trace, brief.Reduced, brief.ReducedProgram = "", "", "", "", ""
	b.entries = append(b.entries, &brief)
	transferable := bisect.MethodsOf(e.Family).Transferable && len(e.MendedBy) > 0
	if transferable && !slices.ContainsFunc(b.mending, func(m []string) bool { return slices.Equal(m, e.MendedBy) }) {
		b.mending = append(b.mending, e.MendedBy)
	}
}

// alive tells whether the bug may be in the version of a finding that fails in the same
// way: not all its entries say that it is fixed there.
func (b *knownBucket) alive(e *corpus.Entry) bool {
	if b.family != native.Project(e.Family) || !alike(b.verdict, e.Verdict) {
		return false
	}
	fixed := 0
	for _, k := range b.entries {
		if fixedIn(k, e.Version) {
			fixed++
		}
	}
	return fixed < max(1, len(b.entries))
}

// fixedIn tells whether the newest version that an entry lists, up to the given one,
// is right: in the mode of the entry, with its flags.
func fixedIn(e *corpus.Entry, version string) bool {
	newest, right := "", false
	note := func(c corpus.Configuration, good bool) {
		if c.Family != e.Family || !slices.Equal(c.Args, e.Flags) || compilers.CompareVersions(c.Version, version) > 0 {
			return
		}
		if newest == "" || compilers.CompareVersions(c.Version, newest) > 0 {
			newest, right = c.Version, good
		}
	}
	note(corpus.Configuration{Family: e.Family, Version: e.Version, Args: e.Flags}, false)
	for _, c := range e.Bad {
		note(c, false)
	}
	for _, c := range e.Good {
		if slices.Contains(c.Modes, e.Mode) {
			note(c, true)
		}
	}
	return right
}

// looksLike tells whether the symptoms of a finding are those of an entry of the
// bucket: its fingerprint is that of the entry with a version that the entry lists as
// bad.
func (b *knownBucket) looksLike(e *corpus.Entry) bool {
	own := e.Symptoms()[e.Version]
	return slices.ContainsFunc(b.entries, func(k *corpus.Entry) bool {
		symptoms, listed := k.Symptoms()[e.Version]
		switch {
		case native.Project(k.Family) != native.Project(e.Family):
			return false
		case listed:
			return symptoms == own
		}
		// Where flags do not tell more, an equal message must do for other versions.
		return !bisect.MethodsOf(e.Family).Transferable && e.Message != "" && k.Symptoms()[k.Version] == own && b.alive(e)
	})
}

// Match returns the known bucket that a finding belongs in, if there is one. The
// finding belongs there if it has the bucket's name, or had it in a former home, or if
// it has the fingerprint of an entry there. It also does if the same family fails with
// the same verdict, and either the flags that mend such an entry mend the finding, or
// the internal error is the same. Versions do not matter: a bug is known in all of
// them, except in those that the reproducers list as right. Families whose flags mean
// nothing for another program are compared by the message of the failure or, in other
// versions, not at all.
//
// The compiler is asked a question for each set of flags, and one about an internal
// error. The answer is no if the compiler cannot be asked, because ctx has ended or the
// compiler is not among those of o.
func (k *Known) Match(ctx context.Context, o *oracle.Oracle, e *corpus.Entry) (corpus.Known, bool) {
	if k == nil {
		return corpus.Known{}, false
	}
	for _, b := range k.buckets {
		if slices.Contains(e.Buckets(), b.Bucket) || b.looksLike(e) {
			return b.Known, true
		}
	}
	t, err := Target(ctx, o, e)
	if err != nil {
		return corpus.Known{}, false
	}
	buckets := slices.DeleteFunc(slices.Clone(k.buckets), func(b knownBucket) bool { return !b.alive(e) })
	ask := func(flags ...string) compilers.Outcome {
		job := oracle.Job(e, e.Mode)
		job.Extra = flags
		return compilers.Test(ctx, t, o.Space, job, o.Limits)
	}
	if slices.ContainsFunc(buckets, func(b knownBucket) bool { return b.crash != "" }) {
		crash := corpus.OneLine(ask().Crash)
		for _, b := range buckets {
			if crash != "" && b.crash == crash {
				return b.Known, true
			}
		}
	}
	for _, b := range buckets {
		for _, flags := range b.mending {
			if compilers.Screen(t, flags...) != nil {
				continue // the reproducer beside the list may come from anywhere
			}
			if ask(flags...).Verdict == compilers.OK {
				return b.Known, true
			}
		}
	}
	return corpus.Known{}, false
}
