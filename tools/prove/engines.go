package prove

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/reify/subject"
)

// processors are the triples of those that programs must be right on.
var processors = []string{
	"aarch64-linux-gnu", "arm-linux-gnueabihf", "riscv64-linux-gnu", "s390x-linux-gnu",
	"powerpc64-linux-gnu", "loongarch64-linux-gnu", "mips64el-linux-gnuabi64", "sparc64-linux-gnu",
	"m68k-linux-gnu", "hppa-linux-gnu", "alpha-linux-gnu", "sh4-linux-gnu", "i686-linux-gnu",
}

// gccs and clangs are the commands to try for a processor, in this order.
var (
	gccs   = []string{"TRIPLE-gcc-16@trunk", "TRIPLE-gcc-16", "TRIPLE-gcc-14", "TRIPLE-gcc-12"}
	clangs = []string{"clang-24@trunk --target=TRIPLE", "clang-24@trunk --target=TRIPLE -fuse-ld=lld",
		"clang-24 --target=TRIPLE", "clang-24 --target=TRIPLE -fuse-ld=lld", "clang-19 --target=TRIPLE"}
)

// engines asks all targets of a language that are here, or those that are named: in each
// mode about a few functions, with the right answers and with wrong ones, and in their
// reference modes about N functions and programs, ten to one.
func (r *run) engines(ctx context.Context) error {
	r.Features = cmp.Or(r.Features, r.terms().features)
	found, err := r.all(ctx)
	if err != nil {
		return err
	}
	var list []*witness
	for _, t := range found {
		r.note("%v, %s: %s", t.ID(), t.ID().Version, strings.Join(t.Modes(), " "))
		if l, ok := t.(compilers.Linker); ok {
			if t, err = l.LinkDirectly(ctx, r.bench.env.Space, compilers.DefaultLimits()); err != nil {
				r.note("%v", err)
			}
		}
		if err := r.modes(ctx, t); err != nil {
			return err
		}
		list = append(list, &witness{Target: t, mode: t.Reference()})
	}
	const functions, programs = 100, 10
	of, whole := r.functionMaker(), r.programMaker()
	return r.subjects(ctx, list, maker{size: functions, numbered: true, make: func(ctx context.Context, seed uint64, n int) (subject.Subject, int, error) {
		if at := int((seed - 1) % (functions + programs)); at < functions {
			return of.make(ctx, seed, min(n, functions-at))
		}
		return whole.make(ctx, seed, aligned(seed, n, functions+programs))
	}})
}

// all returns the targets that can be used.
func (r *run) all(ctx context.Context) (usable []compilers.Target, err error) {
	env := r.bench.env
	if r.terms().cross && env.CC == "" {
		for _, triple := range processors {
			for _, commands := range [][]string{gccs, clangs} {
				if t, why := first(ctx, env, triple, commands); t != nil {
					usable = append(usable, t)
				} else {
					r.missing("cross", "%s", why)
				}
			}
		}
	} else {
		if env.Modes == "" && !r.terms().cross {
			env.Modes = strings.Join(targets.Modes(), ",")
		}
		found, unusable := targets.All(ctx, env)
		if len(found) == 0 {
			return nil, unusable
		}
		for _, t := range found {
			if t.Language() != r.Language {
				continue
			}
			list, err := compilers.ProbeAll(ctx, env.Space, []compilers.Target{t}, patience(1))
			if err != nil {
				r.missing("cross", "%v", err)
			}
			usable = append(usable, list...)
		}
	}
	if len(usable) == 0 {
		return nil, fmt.Errorf("no compiler or engine of %s can be asked: name some in -cc; make trunk WITH=cross makes compilers of C for other processors", r.Language)
	}
	return usable, nil
}

// first returns the first target for a processor that can be used, or why there is
// none.
func first(ctx context.Context, env compilers.Env, triple string, commands []string) (found compilers.Target, why string) {
	why = triple + ": none of these is here:"
	for _, command := range commands {
		env.CC = strings.ReplaceAll(command, "TRIPLE", triple)
		why += " " + env.CC + ","
		list, _, err := targets.Find(ctx, env)
		if err != nil {
			continue
		}
		usable, err := compilers.ProbeAll(ctx, env.Space, list, patience(1))
		if err == nil {
			return usable[0], ""
		}
		why = strings.TrimSuffix(why, ",") + fmt.Sprintf(" (%v),", err)
	}
	return nil, strings.TrimSuffix(why, ",")
}

// modes asks a target about a few functions in each of its modes, which must tell right
// answers from wrong ones.
func (r *run) modes(ctx context.Context, t compilers.Target) error {
	s, _, err := r.functionMaker().make(ctx, 1, 5)
	if err != nil {
		return err
	}
	for _, mode := range t.Modes() {
		job := s.Artefact().Job(mode)
		for _, verdict := range []compilers.Verdict{compilers.OK, compilers.WrongAnswer} {
			o := compilers.Test(ctx, t, r.bench.env.Space, job, patience(s.Weight()))
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case o.Verdict == compilers.Discarded:
				r.note("NOT TESTED: %s: %v", compilers.Name(t, mode), o)
			case o.Verdict != verdict:
				said := fmt.Sprintf("%s: %v, want %v", compilers.Name(t, mode), o, verdict)
				if err := r.object(Objection{Seed: 1, Name: s.Name(), Said: []string{said}, Program: text(s)}); err != nil {
					return err
				}
			default:
				r.count("answers of modes", 1)
			}
			job.Want = []byte("other\n")
		}
	}
	return nil
}
