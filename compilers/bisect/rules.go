package bisect

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"goreify/compilers"
)

// Bounds of what is tried one by one.
const (
	mostRules = 160
	mostOps   = 40
)

// The output of a compiler with rules with -fired: rules that fired, and operations.
var (
	firedLine = regexp.MustCompile(`(?m)^FIRED (\d+) (.+) (\S+)$`)
	opLine    = regexp.MustCompile(`(?m)^OP (\S+) \S+$`)
	// extension matches rules that take out an extension: "(MOVHZreg x) => x".
	extension = regexp.MustCompile(`^\S+ \((?:MOV[BHW]Z?U?reg|MOV[BWL][WLQ][SZ]X) `)
)

// codegenOf tells whether gc's code generation is to blame, and which of its rules: those
// that are for one processor. It is, if the same program is right for another processor, or
// if the program is right without such a rule. The phase that is to blame so far only shows
// it then.
func (t *Test) codegenOf(ctx context.Context, b *Blame) {
	processor, _, _ := strings.Cut(t.tc.ID().Triple, "-")
	own := t.ownFault(ctx, processor)
	part := ""
	if own {
		part = t.ruleOf(ctx, b)
	}
	if !own && b.Rule == "" {
		return
	}
	b.Uncovered, b.Pass = b.Pass, CodeGenerationFor(processor, part)
}

// others are the processors that are asked instead of one, with pointers of its size and
// without an emulator if that can be had.
var others = map[string]string{"arm": "386", "mips": "386", "mipsle": "386", "386": "arm", "amd64": "arm64", "": "amd64"}

// ownFault tells whether the program is right for another processor.
func (t *Test) ownFault(ctx context.Context, processor string) bool {
	another, ok := others[processor]
	if !ok {
		another = others[""]
	}
	tc, ok := compilers.With(t.tc, "GOARCH="+another)
	return ok && t.answer(ctx, tc, t.job, t.limits) == right
}

// ruleOf looks for the rule, or the operation, that goes wrong, and returns the phase in which
// that happens, if it is known. Of the rules without which the program is right it is the
// last that fires: those before it prepare the ground. A rule that has nothing to do with
// the fault may move values to other registers or to memory. So where whole registers mend
// the program, which is a value whose upper half is taken for known, only a rule that takes out
// an extension is to blame.
func (t *Test) ruleOf(ctx context.Context, b *Blame) (phase string) {
	asker, ok := t.tc.(compilers.Ruler)
	if !ok || !t.Rules {
		return ""
	}
	tc, err := asker.Rules(ctx, t.ws)
	if err != nil {
		return ""
	}
	u := *t
	u.tc, u.quick, u.said = tc, tc, map[string]answer{}
	defer t.spent(&u)
	if u.confirm(ctx) != fails {
		return ""
	}
	log, err := u.log(ctx, "-c=1", "-fired")
	if err != nil {
		return ""
	}
	var late []int
	phases := map[int]string{}
	fired := firedLine.FindAllStringSubmatch(log, -1)
	for _, m := range slices.Backward(fired) {
		id, err := strconv.Atoi(m[1])
		if err != nil || phases[id] != "" {
			continue
		}
		phases[id] = m[2]
		if _, own := tc.Rule(id); own {
			late = append(late, id)
		}
	}
	mends := func(args ...string) bool { return u.ask(ctx, args...) == right && u.confirm(ctx, args...) == right }
	internal := t.first.Verdict == compilers.InternalError
	if !internal && mends("-whole") {
		b.Mends = append(b.Mends, "whole registers spilled, reloaded and copied")
		late = slices.DeleteFunc(late, func(id int) bool {
			text, _ := tc.Rule(id)
			return !extension.MatchString(text)
		})
	} else if !internal {
		var ops []string
		for _, m := range opLine.FindAllStringSubmatch(log, -1) {
			if !slices.Contains(ops, m[1]) {
				ops = append(ops, m[1])
			}
		}
		var clobbering []string
		for _, op := range ops[:min(len(ops), mostOps)] {
			if mends("-clobbers=" + op) {
				clobbering = append(clobbering, op)
				b.Mends = append(b.Mends, "flags made again after "+op)
			}
		}
		switch len(clobbering) {
		case 0:
		case 1:
			b.Rule = clobbering[0] + " destroys the flags, and is not declared to"
			return ""
		default: // to make flags again moves what follows, too: which one it is is not known
			return ""
		}
	}
	for _, id := range late[:min(len(late), mostRules)] {
		if !mends(tc.LeaveOut(id)) {
			continue
		}
		text, _ := tc.Rule(id)
		if internal { // it may as well bring about what another one makes an error of
			place, _, _ := strings.Cut(text, " ")
			b.Mends = append(b.Mends, "no rule "+place)
			continue
		}
		b.Rule = text
		return phases[id]
	}
	return ""
}
