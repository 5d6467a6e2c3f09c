package ir

// family names the family of n, for an error message.
func family(n node) string {
	switch n.(type) {
	case Expr:
		return "an integer"
	case PtrExpr:
		return "a pointer"
	case FloatExpr:
		return "a floating-point number"
	case VecExpr:
		return "a vector"
	case WideExpr:
		return "a wide integer"
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
	case Int:
		return &Load{place}
	case Pointer:
		return &LoadPtr{place}
	case Float:
		return &FloatLoad{place}
	case Vector:
		return &VecLoad{place}
	case Wide:
		return &WideLoad{place}
	case Array:
		p.fail(at, "%s has too few indices", at)
	default:
		p.fail(at, "%s is a record, want a member", at)
	}
	return nil
}

// as returns n, which stands at the token at, as an expression of family E.
func as[E node](p *parser, at token, n node, want string) (e E) {
	n = p.loaded(at, n)
	if p.err != nil {
		return e
	}
	e, ok := n.(E)
	if !ok {
		p.fail(at, "expected %s, found %s", want, family(n))
	}
	return e
}

func (p *parser) asInt(at token, n node) Expr { return as[Expr](p, at, n, "an integer") }

func (p *parser) asPtr(at token, n node) PtrExpr { return as[PtrExpr](p, at, n, "a pointer") }

func (p *parser) asFloat(at token, n node) FloatExpr {
	return as[FloatExpr](p, at, n, "a floating-point number")
}

func (p *parser) asVec(at token, n node) VecExpr { return as[VecExpr](p, at, n, "a vector") }

func (p *parser) asWide(at token, n node) WideExpr {
	return as[WideExpr](p, at, n, "a wide integer")
}
