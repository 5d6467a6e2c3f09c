package csource

// A Point is a place in a program: just before a statement. Names are integers in
// scope there that have a value.
type Point struct {
	Stmt  int
	Names []*Name
}

// Points returns the statements before which Values can tell something, with
// all names that it can tell of.
func (p *Program) Points(hits []uint32) []Point { return nil }

// Values returns the program with code before each point that notes the values
// of the names there, and prints them as the program ends: see Rows.
func (p *Program) Values(points []Point) []byte { return nil }

// Rows is what was seen at a point.
type Rows struct {
	Point
	Visits uint64
	First  [][]uint64 // the first visits, at most 64: the value of each name, as wide as its type says, sign-extended
	Sum    []Summary  // of all visits, for each name
}

// A Summary is of all values of a name at a point. Min and Max are compared as
// the type of the name has it.
type Summary struct{ Min, Max, And, Or uint64 }

// Rows takes apart what a program of Values printed.
func (p *Program) Rows(points []Point, output []byte) (printed []byte, rows []Rows, err error) {
	return output, nil, nil
}
