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
	job := compilers.Job{Source: []byte(e.Reduced), Level: e.Level}
	s := &subject{oracle: o, entry: e, tool: tool}
	right := tool.Plain().Test(ctx, o.Space, compilers.Job{Source: job.Source, Level: "-O0"}, s.patient())
	job.Want = right.Stdout // what the right program prints, or nothing
	first := tool.Plain().Test(ctx, o.Space, job, s.patient())
	b, err := bisect.Find(ctx, bisect.NewTest(tool, o.Space, job, s.patient(), first))
	if err != nil && !errors.Is(err, bisect.ErrNobody) {
		return "", fmt.Errorf("the reduced test: %w", err)
	}
	return b.Culprit(), nil
}
