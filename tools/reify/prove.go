package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/reify/language"
	"goreify/reify/others"
	"goreify/tools/cmdline"
	"goreify/tools/prove"
)

// errObjection makes the command exit with status 1: the generator is wrong, or a
// compiler that has no reason to be.
var errObjection = fmt.Errorf("there are objections: the generator is wrong, or %w", cmdline.ErrFinding)

func proveCommand() *cli.Command {
	return &cli.Command{
		Name:  "prove",
		Usage: "ask compilers without optimisation, and sanitizers, whether the generator is right",
		Description: prove.Explain() +
			"An objection is printed with its seed and program, and makes the exit status 1.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "lang", Value: "c", Usage: "`LANGUAGE` of it: " + strings.Join(language.Shorts(), ", ")},
			&cli.StringFlag{Name: "what", Value: string(prove.Functions), Usage: "`KIND` of proof, as above"},
			&cli.IntFlag{Name: "n", Usage: "`NUMBER` of them; 0 is as many as are usual for the kind and the language"},
			&cli.Uint64Flag{Name: "from", Value: 1, Usage: "`SEED` of the first"},
			&cli.StringFlag{Name: "profile", Usage: "`PROFILE` with features, as wild+ptr-float; by default wild in C, else all in turn"},
			&cli.BoolFlag{Name: "mutated", Usage: "half of the functions of programs are variants"},
			&cli.StringFlag{Name: "seeds", Usage: "`DIRECTORY` of reproducers to make variants of"},
			&cli.StringFlag{Name: "functions", Usage: "`FILE` of functions of others, for -what foreign"},
			&cli.StringFlag{Name: "inject", Usage: "`MODE` of calls of these: fixed, rows, free; by default all"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			lang, err := language.Named(c.String("lang"))
			if err != nil {
				return err
			}
			profile, features := cmdline.SplitProfile(c.String("profile"))
			q := prove.Question{
				What: prove.What(c.String("what")), Language: lang.Name, N: c.Int("n"), From: c.Uint64("from"),
				Profile: profile, Features: features, Mutated: c.Bool("mutated"),
				Seeds: c.String("seeds"), Functions: c.String("functions"), Inject: others.How(c.String("inject")),
			}
			return runProof(ctx, c, q)
		},
	}
}

func runProof(ctx context.Context, c *cli.Command, q prove.Question) error {
	usual, unit, err := prove.Usual(q.What, q.Language)
	switch {
	case err != nil:
		return err
	case q.N < 0:
		return fmt.Errorf("-n %d: want a number of %s", q.N, unit)
	case q.N == 0:
		q.N = usual
	}
	env, closer, err := cmdline.OpenEnv(ctx, c)
	if err != nil {
		return err
	}
	progress := cmdline.NewProgress(q.N, unit)
	defer progress.Close()
	line := func(text string) { progress.Line(c.Root().Writer, text) }
	q.Step = func(r prove.Result) {
		progress.Set(r.Done)
		progress.Now(fmt.Sprintf("%d objections; -from %d -n %d goes on", len(r.Objections), r.Next, max(0, q.N-r.Done)))
	}
	q.Note = line
	q.Missing = func(_, why string) { line("NOT TESTED: " + why) }
	r, err := prove.NewBench(env).Prove(ctx, q)
	closer() // servers of engines end, and their time counts
	on := fmt.Sprintf("-from %d", r.Next)
	if left := q.N - r.Done; left > 0 {
		on += fmt.Sprintf(" -n %d", left)
	}
	line(fmt.Sprintf("%s in %s: %v; %.0f s of CPU time; %s goes on", q.What, q.Language, &r, (compilers.SelfCPU() + compilers.ChildrenCPU()).Seconds(), on))
	switch {
	case len(r.Objections) > 0:
		return errors.Join(errObjection, err)
	case ctx.Err() != nil:
		return fmt.Errorf("interrupted; %s goes on", on)
	}
	return err
}
