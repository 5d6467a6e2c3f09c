package ir

// describe says for an error message what n is.
func describe(n node) string {
	if e, ok := n.(Expr); ok {
		return FamilyOf(e).String()
	}
	return "a place"
}

// loaded returns the value of n, which stands at the token at, if it is a place.
func (p *parser) loaded(at token, n node) node {
	place, ok := n.(Place)
	if !ok || p.err != nil {
		return n
	}
	switch place.Type().(type) {
	case Array:
		p.fail(at, "%s has too few indices", at)
		return nil
	case *Record:
		p.fail(at, "%s is a record, want a member", at)
		return nil
	}
	return &Load{place}
}

// as returns n, which stands at the token at, as an expression of a family.
func (p *parser) as(at token, n node, want Family) Expr {
	n = p.loaded(at, n)
	if p.err != nil {
		return nil
	}
	e, ok := n.(Expr)
	if !ok || FamilyOf(e) != want {
		p.fail(at, "expected %s, found %s", want, describe(n))
		return nil
	}
	return e
}
