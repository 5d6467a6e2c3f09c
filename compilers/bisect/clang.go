package bisect

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A step is a pass that clang ran on something, from the log of
// -opt-bisect-limit:
//
//	BISECT: running pass (78) InlinerPass on (f)
//	BISECT: running pass (122) X86 Byte/Word Instruction Fixup on function (f)
type step struct {
	pass, on string
	late     bool // a pass of code generation
}

var bisectLine = regexp.MustCompile(`(?m)^BISECT: (?:NOT )?running pass \((\d+)\) (.+) on (.+)$`)

// parseBisect returns the passes of a log in their order. Their numbers must go
// up one by one: there is nothing to search in otherwise.
func parseBisect(log string) ([]step, error) {
	var steps []step
	for _, m := range bisectLine.FindAllStringSubmatch(log, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil || n != len(steps)+1 {
			return nil, fmt.Errorf("log of -opt-bisect-limit: pass (%s) follows pass (%d)", m[1], len(steps))
		}
		on, late := strings.CutPrefix(m[3], "function ")
		if inner, ok := strings.CutPrefix(on, "("); ok {
			on = strings.TrimSuffix(inner, ")")
		}
		steps = append(steps, step{m[2], on, late})
	}
	if len(steps) == 0 {
		return nil, fmt.Errorf("no passes in the log of -opt-bisect-limit")
	}
	return steps, nil
}

func limit(n int) []string { return []string{"-mllvm", "-opt-bisect-limit=" + strconv.Itoa(n)} }

// clang looks for the smallest number of passes with which the program fails.
func (t *Test) clang(ctx context.Context, b *Blame) error {
	log, err := t.log(ctx, limit(-1)...)
	if err != nil {
		return err
	}
	steps, err := parseBisect(log)
	if err != nil {
		// The compiler fails before the first pass, or there are several files.
		return fmt.Errorf("%v: %w: %w", t.tc.ID(), ErrNoCulprit, err)
	}
	if t.confirm(ctx, limit(0)...) != right {
		if t.generated(ctx, b) {
			return nil
		}
		return fmt.Errorf("%v: the program is not right without any optional pass: %w", t.tc.ID(), ErrNoCulprit)
	}
	if t.confirm(ctx, limit(len(steps))...) != fails {
		return fmt.Errorf("%v: the program does not fail with all %d passes: %w", t.tc.ID(), len(steps), ErrNoCulprit)
	}
	lo, hi := halve(0, len(steps), func(n int) bool { return t.ask(ctx, limit(n)...) == right })
	if t.confirm(ctx, limit(lo)...) != right || t.confirm(ctx, limit(hi)...) != fails {
		return fmt.Errorf("%v: something else goes wrong after %d passes: %w", t.tc.ID(), hi, ErrNoCulprit)
	}
	b.Pass, b.Function = steps[hi-1].pass, steps[hi-1].on
	b.Flags = limit(lo)
	if uncovering := b.Pass; t.generated(ctx, b) {
		if !steps[hi-1].late {
			b.Uncovered = uncovering
		}
	} else if n := t.leftBy(ctx, steps, hi); n > 0 {
		b.Pass, b.Uncovered = steps[n-1].pass, uncovering
	}
	return nil
}

// generated tells whether code generation is to blame, and says so.
func (t *Test) generated(ctx context.Context, b *Blame) bool {
	alone := t.soundIR(ctx)
	if alone == nil {
		return false
	}
	processor, _, _ := strings.Cut(t.tc.ID().Triple, "-")
	b.Pass = CodeGenerationFor(processor, alone.generator(ctx, b))
	t.spent(alone)
	return true
}
