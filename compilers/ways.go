package compilers

// A Way is a mode of targets that ask in it in ways of their own. One that is rare is
// asked in only if it is named.
type Way interface {
	Way() (name Mode, rare bool)
}

// Ways are all the modes that there are of a target, the reference mode first.
type Ways[W Way] []W

// Find returns the mode of a name, or false if there is none.
func (l Ways[W]) Find(name Mode) (way W, ok bool) {
	for _, w := range l {
		if is, _ := w.Way(); is == name {
			return w, true
		}
	}
	return way, false
}

// Names returns the names of all modes.
func (l Ways[W]) Names() (list []Mode) {
	for _, w := range l {
		name, _ := w.Way()
		list = append(list, name)
	}
	return list
}

// Usual returns the names of those that are not rare.
func (l Ways[W]) Usual() (list []Mode) {
	for _, w := range l {
		if name, rare := w.Way(); !rare {
			list = append(list, name)
		}
	}
	return list
}
