package ir

// A Model is the result of a solver: values for symbols and for the parameters.
type Model struct {
	Syms []int64 // by symbol ID, in the representation of Const
	Set  []bool  // by symbol ID: whether the path depends on the symbol
	Args []int64 // by parameter
	By   string  // name of the solver, if several were asked
}

// NewModel returns a model of f in which nothing is set.
func NewModel(f *Function) *Model {
	return &Model{
		Syms: make([]int64, f.Syms),
		Set:  make([]bool, f.Syms),
		Args: make([]int64, len(f.Params())),
	}
}
