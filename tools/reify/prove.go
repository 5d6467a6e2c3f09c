package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/urfave/cli/v3"
	"golang.org/x/term"

	"goreify/compilers"
	"goreify/reify/language"
	"goreify/reify/source/inject"
	"goreify/tools/prove"
)

// errObjection makes the command exit with status 1: the generator is wrong, or a
// compiler that has no reason to be.
var errObjection = fmt.Errorf("there are objections: the generator is wrong, or %w", errFinding)

func proveCommand() *cli.Command {
	return &cli.Command{
		Name:  "prove",
		Usage: "ask compilers without optimisation, and sanitizers, whether the generator is right",
		Description: "Kinds of proof (-what):\n\n" + prove.Explain() + "\n" +
			"It ends after -n of them, says what was done, and where to go on. An objection is printed\n" +
			"with its seed and program, and makes the exit status 1.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "lang", Value: "c", Usage: "`LANGUAGE`: c, go, wasm, jvm"},
			&cli.StringFlag{Name: "what", Value: string(prove.Functions), Usage: "`KIND` of proof: " + strings.Join(prove.Kinds(), ", ")},
			&cli.IntFlag{Name: "n", Usage: "how many; 0 is as many as are usual for the kind and the language"},
			&cli.Uint64Flag{Name: "from", Value: 1, Usage: "the first `SEED`"},
			&cli.StringFlag{Name: "profile", Usage: "`NAME` of the profile, or plan: each recipe's choice (default: wild in C; elsewhere all take turns)"},
			&cli.StringFlag{Name: "features", Usage: "features to switch on and off, such as `+ptr,-float`"},
			&cli.BoolFlag{Name: "mutated", Usage: "half of the functions of programs are variants"},
			&cli.StringFlag{Name: "seeds", Usage: "`DIRECTORY` of reproducers to make variants of"},
			&cli.StringFlag{Name: "functions", Usage: "`FILE` of functions of others, for -what foreign"},
			&cli.StringFlag{Name: "inject", Usage: "how these are called: `MODE` fixed, rows or free (default: all three)"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.Args().Present() {
				return fmt.Errorf("prove takes no arguments, got %q", c.Args().First())
			}
			lang, err := language.Named(c.String("lang"))
			if err != nil {
				return err
			}
			q := prove.Question{
				What: prove.What(c.String("what")), Language: compilers.C, N: c.Int("n"), From: c.Uint64("from"),
				Profile: c.String("profile"), Features: c.String("features"), Mutated: c.Bool("mutated"),
				Seeds: c.String("seeds"), Functions: c.String("functions"), Inject: inject.Mode(c.String("inject")),
			}
			if lang != nil {
				q.Language = lang.Name
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
	env, closer, err := openEnvWith(ctx, compilers.BoxAuto)
	if err != nil {
		return err
	}
	out := &progress{out: c.Root().Writer, n: q.N, unit: unit, began: time.Now(), said: time.Now()}
	if term.IsTerminal(int(os.Stderr.Fd())) {
		out.bar = progressbar.NewOptions(q.N, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
	}
	q.Step, q.Note = out.step, out.line
	q.Missing = func(_, why string) { out.line("NOT TESTED: " + why) }
	r, err := prove.NewBench(env).Prove(ctx, q)
	closer() // servers of engines end, and their time counts
	on := fmt.Sprintf("-from %d", r.Next)
	if left := q.N - r.Done; left > 0 {
		on += fmt.Sprintf(" -n %d", left)
	}
	out.line(fmt.Sprintf("%s in %s: %v; %.0f s of CPU time; %s goes on", q.What, q.Language, &r, spent().Seconds(), on))
	switch {
	case len(r.Objections) > 0:
		return errors.Join(errObjection, err)
	case ctx.Err() != nil:
		return fmt.Errorf("interrupted; %s goes on", on)
	}
	return err
}

// spent returns the CPU time of this process and of its children.
func spent() (sum time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err == nil {
			sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return sum
}

// A progress says how far a proof is: with a bar on a terminal, else in lines.
type progress struct {
	out         io.Writer
	bar         *progressbar.ProgressBar // nil on what is no terminal
	n           int
	unit        string
	began, said time.Time
}

// each is the time between two lines.
const each = 10 * time.Second

func (p *progress) step(r prove.Result) {
	if p.bar != nil {
		_ = p.bar.Set(min(r.Done, p.n)) // only decoration
		return
	}
	if time.Since(p.said) >= each {
		p.said = time.Now()
		fmt.Fprintf(p.out, "%s: %d of %d %s, %d objections; -from %d -n %d goes on\n",
			time.Since(p.began).Round(time.Second), r.Done, p.n, p.unit, len(r.Objections), r.Next, max(0, p.n-r.Done))
	}
}

// line writes a line that stays.
func (p *progress) line(text string) {
	if p.bar != nil {
		_ = p.bar.Clear() // only decoration
	}
	fmt.Fprintln(p.out, text)
}
