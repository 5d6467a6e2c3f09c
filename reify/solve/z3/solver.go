//go:build cgo && !noz3

package z3

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/aclements/go-z3/z3"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/solve"
)

// collectEvery is how many problems are solved between two collections. The
// binding frees what Z3 holds from finalizers only, and the Go collector does
// not see that a small wrapper stands for megabytes.
const collectEvery = 4

// A Solver asks Z3. It is safe for concurrent use. What it answers does not
// depend on what it was asked before: each problem gets a context of its own.
type Solver struct {
	opts   Options
	solved atomic.Uint64
}

var _ solve.Solver = (*Solver)(nil)

// New returns a Solver. It fails if an option is out of its bounds, or with
// ErrUnavailable.
func New(opts Options) (*Solver, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	return &Solver{opts: opts}, nil
}

// Name returns "z3".
func (s *Solver) Name() string { return "z3" }

// Solve returns a model of the path in which every symbol met on it is set. It
// fails with solve.ErrUnsat if there is none, with solve.ErrUnknown if the
// budget does not suffice to tell, and with another error if the path is not
// one from the function's entry to its exit.
func (s *Solver) Solve(p solve.Problem, stream *choice.Stream) (*ir.Model, error) {
	m, err := s.solve(p, stream)
	if s.solved.Add(1)%collectEvery == 0 {
		runtime.GC() // finalizes terms and solvers
		runtime.GC() // and then the contexts that they were in
		trim()
	}
	return m, err
}

func (s *Solver) solve(p solve.Problem, stream *choice.Stream) (*ir.Model, error) {
	stages := s.opts.stages()
	config := z3.NewContextConfig()
	config.SetUint("rlimit", max(1, s.opts.RLimit/uint(len(stages)))) // 0 would be no limit
	t := newTerms(z3.NewContext(config))
	defer runtime.KeepAlive(t)
	var m *ir.Model
	var err error
	for _, stage := range stages {
		e := newEncoder(t, p.Func, stage.symbolBits)
		t.ctx.Config().SetUint("rlimit", max(1, s.opts.RLimit/64*stage.share))
		if stage.pinned {
			e.pins = stream
		}
		e.data = stage.data
		if err := e.path(p.Path); err != nil {
			return nil, err
		}
		m, err = e.check()
		if err == nil {
			Tally[fmt.Sprint(stage)]++
		}
		if err == nil || errors.Is(err, solve.ErrUnsat) && e.complete {
			return m, err
		}
	}
	return nil, err
}

type stage struct {
	pinned     bool // choose initial values and coefficients at random
	data       bool
	symbolBits int
	share      uint
}

func (o Options) stages() (r []stage) {
	for _, f := range strings.Split(os.Getenv("STAGES"), ",") {
		st := stage{symbolBits: o.SymbolBits}
		switch f[0] {
		case 'd':
			st.data = true
			st.pinned = true
		case 'c':
			st.pinned = true
		case 'f':
			st.symbolBits = FullWidth
		}
		n, _ := strconv.Atoi(f[1:])
		st.share = uint(n)
		r = append(r, st)
	}
	return
}

var Tally = map[string]int{}
