package ir

// A Family is the expressions whose values are of one kind of type.
type Family int

// The families. Pointers are no numbers; a floating-point number is kept as the bits of a float64,
// whatever its type; Wides are of type Wide.
const (
	Integers Family = iota
	Pointers
	Floats
	Vectors
	Wides
)

var familyNames = [...]string{"an integer", "a pointer", "a floating-point number", "a vector", "a wide integer"}

// String returns the name with an article, for error messages.
func (f Family) String() string { return familyNames[f] }

// FamilyOf returns the family of a node, which may have operands of wrong types.
func FamilyOf(e Expr) Family {
	switch e.(type) {
	case *AddrOf, *LoadPtr, *Null, *PtrAdd, *PtrCast, *PtrSelect:
		return Pointers
	case *FloatConst, *FloatLoad, *FloatNeg, *FloatBinary, *FloatConvert, *FloatOf:
		return Floats
	case *VecLoad, *VecOf, *VecUnary, *VecBinary, *VecShuffle, *VecConvert, *VecCast, *VecCall:
		return Vectors
	case *WideLoad, *WideOf, *WideConvert, *WideUnary, *WideBinary, *WideSelect:
		return Wides
	}
	return Integers
}
