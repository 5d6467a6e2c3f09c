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
	// asksProcessor matches rules of all processors that depend on the one that code is made for, and
	// asksOrder those of them that depend on its order of bytes.
	asksProcessor = regexp.MustCompile(`\bconfig\b`)
	asksOrder     = regexp.MustCompile(`BigEndian|ByteOrder`)
	// extension matches rules that take out an extension: "(MOVHZreg x) => x".
	extension = regexp.MustCompile(`^\S+ \((?:MOV[BHW]Z?U?reg|MOV[BWL][WLQ][SZ]X) `)
)

// codegenOf tells whether gc's code generation is to blame, and which of its rules: it is, if the
// same program is right for another processor. The phase that is to blame so far only shows it then.
func (t *Test) codegenOf(ctx context.Context, b *Blame) {
	processor, _, _ := strings.Cut(t.tc.ID().Triple, "-")
	own := t.ownFault(ctx, processor)
	if !own {
		return
	}
	part := t.ruleOf(ctx, b, processor)
	b.Uncovered, b.Pass = b.Pass, CodeGenerationFor(processor, part)
}

// others are the processors that are asked instead of one, with pointers of its size and
// without an emulator if that can be had.
var others = map[string]string{"arm": "386", "mips": "386", "mipsle": "386", "386": "arm", "amd64": "arm64", "": "amd64"}

// another returns the processor that is asked instead of one.
func another(processor string) string {
	if is, ok := others[processor]; ok {
		return is
	}
	return others[""]
}

// ownFault tells whether the program is right for another processor.
func (t *Test) ownFault(ctx context.Context, processor string) bool {
	tc, ok := compilers.With(t.tc, "GOARCH="+another(processor))
	return ok && t.answer(ctx, tc, t.job, t.limits) == right
}

// bigEndian are the processors of Go with the high byte first.
var bigEndian = []string{"mips", "mips64", "ppc64", "s390x"}

// firings returns what a compiler with rules says of those that fired, in their order, and the
// operations that are left.
func (t *Test) firings(ctx context.Context) (fired []firing, ops []string, err error) {
	log, err := t.log(ctx, "-c=1", "-fired")
	for _, m := range firedLine.FindAllStringSubmatch(log, -1) {
		if id, err := strconv.Atoi(m[1]); err == nil {
			fired = append(fired, firing{id, m[2]})
		}
	}
	for _, m := range opLine.FindAllStringSubmatch(log, -1) {
		if !slices.Contains(ops, m[1]) {
			ops = append(ops, m[1])
		}
	}
	return fired, ops, err
}

// A firing is a rule that fired, and the phase in which it did.
type firing struct {
	id    int
	phase string
}

// candidates returns the rules that may go wrong for one processor alone, the likeliest first: its own,
// the last that fired first, and then those of all processors that ask for what the processor has.
// Of these one that fired for the other processor, where the program is right, is none, unless what
// it does depends on the order of bytes, and the order is another there.
func candidates(fired, elsewhere []firing, rule func(id int) (text string, late bool), sameOrder bool) (list []firing) {
	var general []firing
	for _, f := range slices.Backward(fired) {
		same := func(g firing) bool { return g.id == f.id }
		if slices.ContainsFunc(list, same) || slices.ContainsFunc(general, same) {
			continue
		}
		switch text, late := rule(f.id); {
		case late:
			list = append(list, f)
		case asksProcessor.MatchString(text) && (!slices.ContainsFunc(elsewhere, same) || !sameOrder && asksOrder.MatchString(text)):
			general = append(general, f)
		}
	}
	return append(list, general...)
}

// ruleOf looks for the rule, or the operation, that goes wrong, and returns the phase in which
// that happens, if it is known. Of the rules without which the program is right it is the first of the
// candidates: those before it prepare the ground. A rule that has nothing to do with
// the fault may move values to other registers or to memory. So where whole registers mend
// the program, which is a value whose upper half is taken for known, only a rule that takes out
// an extension is to blame.
func (t *Test) ruleOf(ctx context.Context, b *Blame, processor string) (phase string) {
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
	fired, ops, err := u.firings(ctx)
	if err != nil {
		return ""
	}
	var elsewhere []firing
	v := u
	if v.tc, ok = compilers.With(tc, "GOARCH="+another(processor)); ok {
		elsewhere, _, err = v.firings(ctx)
		u.spent(&v)
	}
	if err != nil {
		return ""
	}
	order := func(processor string) bool { return slices.Contains(bigEndian, processor) }
	list := candidates(fired, elsewhere, tc.Rule, order(processor) == order(another(processor)))
	mends := func(args ...string) bool { return u.ask(ctx, args...) == right && u.confirm(ctx, args...) == right }
	internal := t.first.Verdict == compilers.InternalError
	if !internal && mends("-whole") {
		b.Mends = append(b.Mends, "whole registers spilled, reloaded and copied")
		list = slices.DeleteFunc(list, func(f firing) bool {
			text, _ := tc.Rule(f.id)
			return !extension.MatchString(text)
		})
	} else if !internal {
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
	for _, f := range list[:min(len(list), mostRules)] {
		if !mends(tc.LeaveOut(f.id)) {
			continue
		}
		text, late := tc.Rule(f.id)
		if internal || !late { // it may as well bring about what another one makes an error of
			place, _, _ := strings.Cut(text, " ")
			b.Mends = append(b.Mends, "no rule "+place)
			continue
		}
		b.Rule = text
		return f.phase
	}
	return ""
}
