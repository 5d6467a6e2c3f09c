package text

import (
	"strings"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/others/csource"
	"goreify/reify/others/foreign"
	"goreify/reify/others/pool"
	"goreify/reify/source/function"
)

// Functions are those of others that variants may call: a *foreign.DB.
type Functions interface {
	Draw(class foreign.Class, n int, s *choice.Stream) ([]*foreign.Function, error)
	Function(symbol string) (*foreign.Function, error)
	Pairs(f *foreign.Function) ([]foreign.Pair, error)
	SetAside(symbol, why string) error
}

// A callee is a function that a variant may call.
type callee struct {
	ir *ir.Function
	csource.Callee
}

// CheckFunctions returns an error if functions are wanted and the database has none to
// call.
func (s *Source) CheckFunctions() error {
	if s.functions == nil {
		return nil
	}
	db, err := s.functions()
	if err != nil {
		return err
	}
	return foreign.Callable(db)
}

// symbols draws functions: mostly one, up to four, and sometimes one for dead code.
func (s *Source) symbols(st *choice.Stream) (list []string) {
	db, err := s.functions()
	if err != nil {
		return nil
	}
	drawn, err := db.Draw(foreign.Any, 1+st.Weighted(6, 2, 1, 1), st)
	if st.Chance(1, 4) && err == nil {
		var dead []*foreign.Function
		dead, err = db.Draw(foreign.Dead, 1, st)
		drawn = append(drawn, dead...)
	}
	if err != nil {
		return nil
	}
	for _, f := range drawn {
		list = append(list, f.Symbol)
	}
	return list
}

// callees returns the functions that the variants of an input call. Those of an input that
// was drawn while the database did not answer are drawn anew.
func (s *Source) callees(in input) ([]callee, error) {
	if s.functions != nil && len(in.Symbols) == 0 {
		if err := s.CheckFunctions(); err != nil {
			return nil, err
		}
		in.Symbols = s.symbolsOf(in.Variant)
	}
	return s.others(in.Symbols)
}

// symbolsOf draws the functions of an input.
func (s *Source) symbolsOf(variant uint64) []string {
	return s.symbols(choice.New(choice.Derive(variant, "functions")))
}

// others looks functions up. Those of class Dead are called by dead code only: they
// have no answers.
func (s *Source) others(symbols []string) (list []callee, err error) {
	for _, symbol := range symbols {
		db, err := s.functions()
		if err != nil {
			return nil, err
		}
		f, err := db.Function(symbol)
		if err != nil {
			return nil, err
		}
		c := callee{Callee: csource.Callee{Name: f.Symbol, Text: f.Text}}
		if c.ir, err = f.IR(nil); err != nil {
			return nil, err
		}
		for _, t := range f.Params {
			c.Params = append(c.Params, foreign.C(t))
		}
		if f.Class != foreign.Dead {
			pairs, err := db.Pairs(f)
			if err != nil {
				return nil, err
			}
			for _, p := range pairs {
				c.Answers = append(c.Answers, csource.Answer{Args: p.Args, Want: p.Want})
			}
		}
		list = append(list, c)
	}
	return list, nil
}

// setAside sets aside the functions of a list that why names.
func (s *Source) setAside(symbols []string, why string) error {
	db, err := s.functions()
	for _, symbol := range symbols {
		if err == nil && strings.Contains(why, symbol) {
			err = db.SetAside(symbol, why)
		}
	}
	return err
}

// Inject returns a variant of a seed that calls functions of others, drawn from the
// stream, or nil if no place fits a call. The error is the database's.
func (s *Source) Inject(p *pool.Profile, suffix string, st *choice.Stream) (*Text, error) {
	list, err := s.others(s.symbols(st))
	if err != nil {
		return nil, err
	}
	return injected(p, suffix, list, st), nil
}

// injected returns a variant of a seed that calls functions of others. It is nil if no
// place fits a call. A suffix tells its name from the seed's.
func injected(p *pool.Profile, suffix string, list []callee, s *choice.Stream) *Text {
	var callees []csource.Callee
	for _, c := range list {
		callees = append(callees, c.Callee)
	}
	edits := p.Program.Compatible(csource.Inject(p.Program, p.Hits, p.Rows, callees, csource.Options{Edits: s.Range(1, 16)}, s))
	if len(edits) == 0 {
		return nil
	}
	return &Text{profile: p, name: word(p.Name) + suffix, text: p.Program.Apply(edits), edits: edits, called: list}
}

// those returns the functions that variants call, as those that our programs call.
func those(list []callee) (o function.Others) {
	for _, c := range list {
		o = append(o, c.ir)
	}
	return o
}
