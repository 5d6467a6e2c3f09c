package others

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"goreify/reify/choice"
	"goreify/reify/oracle"
	"goreify/reify/others/foreign"
	"goreify/reify/others/pool"
	"goreify/reify/others/text"
	"goreify/reify/subject"
)

// Programs are those of a pool that is open.
type Programs struct {
	*pool.Pool

	mu                       sync.Mutex
	admitted, known, refused int
	open                     int // the machine gave no answer, or csmith no program, or a file could not be read
}

// OpenPrograms opens a pool, which is made if there is none.
func OpenPrograms(path string) (*Programs, error) {
	p, err := pool.Open(path)
	return &Programs{Pool: p}, err
}

// ProgramStatus says what is in a pool.
func ProgramStatus(path string) (s *pool.Status, err error) {
	p, err := pool.View(path)
	if err != nil {
		return nil, err
	}
	defer p.Close() // nothing was written
	return p.Status()
}

// CsmithOptions returns options of csmith for its program of a number.
func CsmithOptions(seed uint64) []string { return pool.CsmithOptions(seed) }

// count counts one more candidate in a field.
func (p *Programs) count(field *int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	*field++
}

// Add has n candidates judged by the compilers of an oracle, and adds those that are good;
// nil stands for one that could not be had. Those that
// are added stay if it is interrupted. It is an error if none was, now or before.
func (p *Programs) Add(ctx context.Context, o *oracle.Oracle, n int, candidate func(context.Context, int) (*Candidate, error), w Work) error {
	judge, err := pool.NewJudge(o.Targets, o.Sanitizers, o.Space)
	if err != nil {
		return err
	}
	w.Begin(n)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int)
	var group sync.WaitGroup
	for range min(w.Workers, runtime.NumCPU(), n) {
		group.Go(func() {
			for i := range next {
				k, err := candidate(ctx, i)
				switch {
				case err == nil && k != nil:
					err = p.admit(ctx, judge, *k, w.Say)
				case err == nil:
					p.count(&p.open)
				}
				if err != nil {
					cancel(err)
				}
				w.Next()
			}
		})
	}
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	group.Wait()
	w.End()
	fmt.Fprintf(w.Out, "%s: %d admitted, %d were there, %d refused, %d not judged\n", p.Path(), p.admitted, p.known, p.refused, p.open)
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%w; what was admitted is kept", context.Cause(ctx))
	case p.admitted+p.known == 0:
		return errors.New("none was admitted")
	}
	return nil
}

// admit has a candidate admitted, or its refusal recorded and shown.
func (p *Programs) admit(ctx context.Context, judge *pool.Judge, k pool.Candidate, say func(string)) error {
	text, err := pool.Prepare(k)
	if err == nil {
		there, refused, err := p.Known(pool.Sum(text))
		if err != nil {
			return err
		}
		switch {
		case there:
			p.count(&p.known)
			return nil
		case refused:
			p.count(&p.refused)
			return nil
		}
	}
	var seed *pool.Seed
	if err == nil {
		seed, err = judge.Admit(ctx, k)
	}
	var r *pool.Refusal
	switch {
	case errors.As(err, &r):
		if err := p.Refuse(r); err != nil {
			return err
		}
		p.count(&p.refused)
		say("refused: " + firstLine(r.Error()))
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil: // the machine gave no answer: it may do so another time
		p.count(&p.open)
		say("not judged: " + k.Name + ": " + firstLine(err.Error()))
		return nil
	}
	added, err := p.Pool.Add(seed)
	if err != nil {
		return err
	}
	if added {
		p.count(&p.admitted)
	} else {
		p.count(&p.known)
	}
	return nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// A Varier makes variants of programs that no pool holds.
type Varier struct{ calls *text.Source }

// NewVarier returns a varier whose variants call functions of a database, or none if its
// path is empty. The error says that there are no functions.
func NewVarier(functions string) (Varier, error) {
	if functions == "" {
		return Varier{}, nil
	}
	v := Varier{text.NewInjected("", func() (text.Functions, error) { return foreign.Read(functions) })}
	return v, v.calls.CheckFunctions()
}

// Of returns what makes variants of a program, which must be what a pool would admit. A
// suffix tells the name of a variant from the program's. There is none, nil, where nothing
// can be changed.
func (v Varier) Of(ctx context.Context, o *oracle.Oracle, k Candidate) (func(suffix string, s *choice.Stream) (subject.Subject, error), error) {
	judge, err := pool.NewJudge(o.Targets, o.Sanitizers, o.Space)
	if err != nil {
		return nil, err
	}
	seed, err := judge.Admit(ctx, k)
	if err != nil {
		return nil, err
	}
	p, err := seed.Profile()
	if err != nil {
		return nil, err
	}
	return func(suffix string, s *choice.Stream) (subject.Subject, error) {
		var t *text.Text
		var err error
		if v.calls != nil {
			t, err = v.calls.Inject(p, suffix, s)
		} else {
			t = text.Variant(p, suffix, s)
		}
		if t == nil {
			return nil, err
		}
		return t, err
	}, nil
}
