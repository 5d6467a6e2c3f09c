package triage

import (
	"context"
	"path/filepath"
	"slices"

	"goreify/compilers"
	"goreify/compilers/bisect"
	"goreify/corpus"
	"goreify/reify/oracle"
)

// Known are buckets that need no attention any more, and how to tell what
// belongs in them. The nil pointer knows none.
type Known struct{ buckets []knownBucket }

type knownBucket struct {
	corpus.Known
	family, verdict string
	fingerprints    []string
	mending         [][]string // sets of flags, each of which mends an entry
}

// LoadKnown reads a list of known buckets, and the reproducers beside it, which
// say what those buckets are like. Reproducers that cannot be read are passed
// over. The errors are those of corpus.LoadKnown.
func LoadKnown(file string) (*Known, error) {
	list, err := corpus.LoadKnown(file)
	if err != nil {
		return nil, err
	}
	k := new(Known)
	for _, known := range list {
		k.buckets = append(k.buckets, knownBucket{Known: known})
	}
	for _, r := range corpus.LoadDir(filepath.Dir(file)) {
		if r.Err != nil {
			continue
		}
		for i := range k.buckets {
			if b := &k.buckets[i]; b.Bucket == r.Entry.Bucket {
				b.add(r.Entry)
			}
		}
	}
	return k, nil
}

// add notes what an entry of the bucket is like.
func (b *knownBucket) add(e *corpus.Entry) {
	b.family, b.verdict = e.Family, e.Verdict
	if f := e.Fingerprint(); !slices.Contains(b.fingerprints, f) {
		b.fingerprints = append(b.fingerprints, f)
	}
	transferable := bisect.MethodsOf(e.Family).Transferable && len(e.MendedBy) > 0
	if transferable && !slices.ContainsFunc(b.mending, func(m []string) bool { return slices.Equal(m, e.MendedBy) }) {
		b.mending = append(b.mending, e.MendedBy)
	}
}

// Match returns the known bucket that a finding belongs in, if there is one: it
// has the bucket's name, or the fingerprint of an entry there, or the same family
// fails with the same verdict and the flags that mend such an entry mend it. The
// last costs a question to the compiler for each set of flags. If it cannot be
// asked, because ctx has ended or it is not among those of o, the answer is no.
func (k *Known) Match(ctx context.Context, o *oracle.Oracle, e *corpus.Entry) (corpus.Known, bool) {
	if k == nil {
		return corpus.Known{}, false
	}
	for _, b := range k.buckets {
		if e.Bucket == b.Bucket || slices.Contains(b.fingerprints, e.Fingerprint()) {
			return b.Known, true
		}
	}
	t, err := Target(ctx, o, e)
	if err != nil {
		return corpus.Known{}, false
	}
	for _, b := range k.buckets {
		if b.family != e.Family || b.verdict != e.Verdict {
			continue
		}
		for _, flags := range b.mending {
			if compilers.Screen(t, flags...) != nil {
				continue // the reproducer beside the list may be anybody's
			}
			job := oracle.Job(e, e.Mode)
			job.Extra = flags
			if compilers.Test(ctx, t, o.Space, job, o.Limits).Verdict == compilers.OK {
				return b.Known, true
			}
		}
	}
	return corpus.Known{}, false
}
