package ir

// Concretize returns a copy of f that Settle has settled (Figure 4b of the
// paper).
func Concretize(f *Function, m *Model) *Function {
	g := Clone(f)
	Settle(g, m)
	return g
}

// Settle replaces the symbols of f by the constants m.Syms[ID], so that f has no
// symbols left. The values of symbols that are not m.Set are up to the caller, who has
// filled m.Syms. It panics if m is shorter than f.Syms.
func Settle(f *Function, m *Model) {
	if len(m.Syms) < f.Syms {
		panic("ir: model of another function")
	}
	consts := make([]Const, 0, f.Syms) // never grows: each symbol stands once
	for at, s := range f.Symbols() {
		consts = append(consts, Const{T: s.T, V: m.Syms[s.ID]})
		*at = &consts[len(consts)-1]
	}
	f.Syms = 0
}
