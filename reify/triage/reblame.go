package triage

import (
	"context"
	"errors"
	"fmt"

	"goreify/compilers"
	"goreify/compilers/bisect"
	"goreify/corpus"
	"goreify/reify/oracle"
)

// BlameReduced names the culprit of the reduced test of an entry, in the words
// of bisect.Blame.Culprit. For a reduction that kept the bug it is that of the
// original: that is for measuring, as Finding asks only whether the flags that
// mended the original mend the test.
func BlameReduced(ctx context.Context, o *oracle.Oracle, e *corpus.Entry) (string, error) {
	if e.Reduced == "" {
		return "", errors.New("there is no reduced test")
	}
	tool, err := toolchain(ctx, o, e)
	if err != nil {
		return "", err
	}
	s := &subject{oracle: o, entry: e, tool: tool}
	b, err := s.blameReduced(ctx)
	if err != nil {
		return "", err
	}
	return b.Culprit(), nil
}

// blameReduced looks for the culprit of the reduced test. That there is nobody to
// blame is no error.
func (s *subject) blameReduced(ctx context.Context) (*bisect.Blame, error) {
	job := compilers.Job{Source: []byte(s.entry.Reduced), Level: "-O0"}
	right := s.tool.Plain().Test(ctx, s.oracle.Space, job, s.patient())
	job.Want = right.Stdout // what the right program prints, or nothing
	job.Level = s.entry.Level
	first := s.tool.Plain().Test(ctx, s.oracle.Space, job, s.patient())
	b, err := bisect.Find(ctx, bisect.NewTest(s.tool, s.oracle.Space, job, s.patient(), first))
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil && !errors.Is(err, bisect.ErrNobody):
		return nil, fmt.Errorf("the reduced test: %w", err)
	}
	return b, nil
}
