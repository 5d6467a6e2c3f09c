package triage

import (
	"context"
	"slices"

	"goreify/compilers"
	"goreify/corpus"
)

// A peer is another version of the compiler that failed, which fails on the original as
// well, in a mode; or the same version in another mode, which may be right.
type peer struct {
	target  compilers.Target
	mode    compilers.Mode
	verdict compilers.Verdict // on the original
	crash   string            // as in compilers.Outcome: one bug may be noticed in two places
}

// findPeers returns the other versions of the family that are here and in f.bad,
// for the processor and with the arguments of the one that failed, the newest first.
func (f *failure) findPeers(ctx context.Context) ([]peer, error) {
	var peers []peer
	own := f.target.ID()
	for _, t := range f.oracle.Targets {
		t, ok := f.flagged(t)
		id := t.ID()
		if !ok || id.Family != own.Family || id.Triple != own.Triple || id.Version == own.Version || !slices.Equal(id.Args, own.Args) {
			continue
		}
		i := slices.IndexFunc(f.bad, func(c corpus.Configuration) bool {
			return c.Family == id.Family && c.Version == id.Version && slices.Equal(c.Args, id.Args)
		})
		known := slices.ContainsFunc(peers, func(p peer) bool { return p.target.ID().Version == id.Version })
		if i < 0 || known {
			continue
		}
		job := f.job()
		if !slices.Contains(f.bad[i].Modes, job.Mode) {
			job.Mode = f.bad[i].Modes[0]
		}
		o, err := f.run(ctx, t, job)
		if err != nil {
			return nil, err
		}
		if o.Verdict.Finding() {
			peers = append(peers, peer{t, job.Mode, o.Verdict, o.Crash})
		}
	}
	slices.SortStableFunc(peers, func(a, b peer) int {
		return compilers.CompareVersions(b.target.ID().Version, a.target.ID().Version)
	})
	return peers, nil
}

// agrees tells whether peers have the verdicts on a candidate that they have on the original.
func (p *predicate) agrees(ctx context.Context, q question, peers []peer) (bool, error) {
	for _, other := range peers {
		q.target, q.job.Mode, q.crash = other.target, other.mode, other.crash
		got, err := p.ask(ctx, q)
		if err != nil || !p.alike(got, other.verdict) {
			return false, err
		}
	}
	return true, nil
}
