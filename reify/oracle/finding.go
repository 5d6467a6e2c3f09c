package oracle

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify"
)

// A Finding is a confirmed failure of a compiler.
type Finding struct {
	Cases     []*reify.Case // nearly always one
	Toolchain compilers.Toolchain
	Level     string
	Outcome   compilers.Outcome
	Bad       []corpus.Bad     // all configurations present that fail
	Witnesses []corpus.Witness // what those consulted said
}

// investigate looks into a failure. It returns nil if the failure does not
// happen again, and a *reify.GeneratorBug if the witnesses say that the
// program, not the compiler, is wrong.
func (o *Oracle) investigate(ctx context.Context, cfg config, b *batch, out compilers.Outcome) (*Finding, error) {
	b, out = o.isolate(ctx, cfg, b, out)
	if out.Verdict == compilers.SlowCompile && len(b.cases) > 1 {
		return nil, nil // many functions, not a slow compiler
	}
	again := o.ask(ctx, cfg, b)
	if !out.Same(again) {
		return nil, nil
	}
	f := &Finding{Cases: b.cases, Toolchain: cfg.toolchain, Level: cfg.level, Outcome: again}
	doubt := o.consult(ctx, f, b)
	if doubt != "" {
		return nil, &reify.GeneratorBug{
			Program: string(f.Entry().Format()),
			Err:     fmt.Errorf("%s says %v, but %s", cfg, again.Verdict, doubt),
		}
	}
	return f, nil
}

// consult asks the sanitizers and all configurations about a failing program
// and notes what they say. It returns why the program is to be doubted, or
// nothing if it is not: no sanitizer objects, and some toolchain gets the
// answer right at -O0.
func (o *Oracle) consult(ctx context.Context, f *Finding, b *batch) (doubt string) {
	for _, s := range o.Sanitizers {
		out := s.Test(ctx, o.Space, b.job(compilers.SanitizerLevel), o.Limits.ForSanitizers())
		f.witness(s.String()+" "+compilers.SanitizerLevel, out)
		if out.Verdict.Finding() {
			doubt = fmt.Sprintf("%s says %v: %s", s, out.Verdict, out.Message)
		}
	}
	stands := false
	for _, cfg := range o.consulted() {
		if ctx.Err() != nil {
			break
		}
		out := f.Outcome
		if cfg.toolchain.String() != f.Toolchain.String() || cfg.level != f.Level {
			out = o.ask(ctx, cfg, b)
		}
		if cfg.level == "-O0" {
			stands = stands || out.Verdict == compilers.OK
			f.witness(cfg.String(), out)
		}
		if out.Verdict.Finding() {
			f.addBad(cfg)
		}
	}
	if !stands && doubt == "" {
		doubt = "no compiler gets the answer right at -O0"
	}
	return doubt
}

// consulted lists the configurations to consult, -O0 first.
func (o *Oracle) consulted() []config {
	var list []config
	for _, t := range o.Toolchains {
		list = append(list, config{t, "-O0"})
	}
	for _, c := range o.configs() {
		if c.level != "-O0" {
			list = append(list, c)
		}
	}
	return list
}

func (f *Finding) witness(who string, out compilers.Outcome) {
	f.Witnesses = append(f.Witnesses, corpus.Witness{Who: who, Said: out.Verdict.String()})
}

func (f *Finding) addBad(cfg config) {
	t := cfg.toolchain
	for i, b := range f.Bad {
		if b.Family == string(t.Family) && b.Version == t.Version && slices.Equal(b.Args, t.Args) {
			if !slices.Contains(b.Levels, cfg.level) { // two names of one version
				f.Bad[i].Levels = append(b.Levels, cfg.level)
			}
			return
		}
	}
	f.Bad = append(f.Bad, corpus.Bad{Family: string(t.Family), Version: t.Version, Args: t.Args, Levels: []string{cfg.level}})
}

// String says in a line what was found.
func (f *Finding) String() string {
	var bad []string
	for _, b := range f.Bad {
		bad = append(bad, strings.Join(slices.Concat([]string{b.Family, b.Version}, b.Args, b.Levels), " "))
	}
	return fmt.Sprintf("%v %s: %v %s (fails: %s)", f.Toolchain, f.Level, f.Outcome.Verdict, f.Outcome.Message, strings.Join(bad, "; "))
}
