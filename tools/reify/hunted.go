package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"
	"golang.org/x/term"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/reify/language"
	"goreify/tools/cmdline"
	"goreify/tools/reify/hunt"
)

// huntTargets returns the targets of a hunt. They are those that are named, or else those
// that are here for the languages of the mix, or for that of the one compiler whose bugs
// are looked for, whose name in the options is then that of its target. The error says
// what contradicts what.
func huntTargets(ctx context.Context, env compilers.Env, opt *hunt.Options) (found []compilers.Target, named bool, err error) {
	wanted, only := languagesOf(opt.Mix, func(k hunt.Kind) compilers.Language { return k.Language }), opt.Only
	if env.Named() != nil {
		if found, named, err = targets.Find(ctx, env); err != nil {
			return nil, named, err
		}
		if len(hunt.Only(only, found)) == 0 {
			return nil, named, fmt.Errorf("-only %s: REIFY_CC or -cc names %s; name %[1]s there too, or leave one of the two out", only, strings.Join(namesOf(found), ", "))
		}
		return found, named, contradiction(wanted, hunt.Only(only, found), "REIFY_CC or -cc")
	}
	usual, _, err := targets.Find(ctx, env)
	if err != nil && only == "" && (wanted == nil || slices.Contains(wanted, language.Usual().Name)) {
		return nil, false, err
	}
	var own []compilers.Target // that are found only if they are named
	if only != "" && len(hunt.Only(only, usual)) == 0 {
		alone := env
		alone.CC = only
		if own, _, err = targets.Find(ctx, alone); err != nil {
			return nil, false, fmt.Errorf("-only: %w", err)
		}
		if err := contradiction(wanted, own, "-only"); err != nil {
			return nil, false, err
		}
		wanted, opt.Only = append(wanted, own[0].Language()), own[0].ID().String()
	}
	if wanted == nil {
		return usual, false, nil
	}
	all, unusable := targets.All(ctx, env)
	found = own
	for _, t := range slices.Concat(usual, all) {
		here := slices.ContainsFunc(found, func(other compilers.Target) bool { return other.ID().Same(t.ID()) })
		// Programs for other processors are slow, and need a judge: they are asked for by name.
		if slices.Contains(wanted, t.Language()) && !here && !t.Traits().Emulated {
			found = append(found, t)
		}
	}
	if len(found) == 0 {
		return nil, false, fmt.Errorf("-mix: no compiler for %s is here: install one, or name one in REIFY_CC, such as %s: %w",
			strings.Join(wanted, " or "), language.Find(wanted[0]).Usual, unusable)
	}
	return found, false, nil
}

// languagesOf returns the languages of kinds or targets, each once.
func languagesOf[T any](all []T, of func(T) compilers.Language) (list []compilers.Language) {
	for _, one := range all {
		if language := of(one); !slices.Contains(list, language) {
			list = append(list, language)
		}
	}
	return list
}

// namesOf returns the names of targets, with arguments.
func namesOf(list []compilers.Target) (names []string) {
	for _, t := range list {
		names = append(names, t.ID().String())
	}
	return names
}

// contradiction returns an error if kinds are of languages that none of the compilers is
// for. It names the flags that say the one and the other: of is that of the compilers.
func contradiction(wanted []compilers.Language, found []compilers.Target, of string) error {
	if wanted == nil || slices.ContainsFunc(found, func(t compilers.Target) bool { return slices.Contains(wanted, t.Language()) }) {
		return nil
	}
	languages := languagesOf(found, compilers.Target.Language)
	return fmt.Errorf("%s names %s, of %s, and -mix programs in %s: leave one of the two out, or name a compiler of %[4]s, such as %[5]s",
		of, strings.Join(namesOf(found), ", "), strings.Join(languages, " and "), strings.Join(wanted, " and "), language.Find(wanted[0]).Usual)
}

// confirmSwitch returns a function that decides whether a hunt goes on with other
// compilers: the flag does, or else the user, if there is a terminal to ask.
func confirmSwitch(c *cli.Command) func(change string) bool {
	if c.Bool("switch") {
		return func(string) bool { return true }
	}
	if !term.IsTerminal(int(os.Stdin.Fd())) || !term.IsTerminal(int(os.Stderr.Fd())) {
		return nil
	}
	return func(change string) bool {
		fmt.Fprintf(cmdline.Errors(), "reify: %s: the last run had other compilers: %s. Go on with these? [y/N] ", c.String("o"), change)
		answer, _ := bufio.NewReader(os.Stdin).ReadString('\n') // an end of input is no
		return slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(answer)))
	}
}
