package ir

import (
	"fmt"
	"slices"
	"strings"
)

// An Under names the semantics that a claim holds under. Code that C defines means the
// same under all of them, so a claim under C holds in every language.
type Under string

// C is the semantics of C. Package interp knows the others.
const C Under = ""

// A Trap is a kind of end that some languages define for operations that C leaves
// undefined. The zero value is no trap.
type Trap string

// The traps.
const (
	DivideByZero   Trap = "divide-by-zero"
	DivideOverflow Trap = "divide-overflow" // the smallest value / -1
	OutOfBounds    Trap = "out-of-bounds"
	NullPointer    Trap = "null"
	NegativeShift  Trap = "negative-shift"
	Truncate       Trap = "truncate" // a floating-point number that an integer type does not hold
	Unreached      Trap = "unreachable"
)

// Traps returns all kinds of traps.
func Traps() []Trap {
	return []Trap{DivideByZero, DivideOverflow, OutOfBounds, NullPointer, NegativeShift, Truncate, Unreached}
}

// Answer returns the outcome of the call of a claim, as programs print it: the value in
// decimal, or "traps " and the kind.
func (c *Claim) Answer() string {
	if c.Trap != "" {
		return "traps " + string(c.Trap)
	}
	return c.Func.Result.Format(c.Want)
}

// checkEnd returns an error unless the semantics, the trap and the end of the path fit
// each other.
func (c *Claim) checkEnd() error {
	if c.Trap == "" {
		return c.Func.CheckPath(c.Path)
	}
	switch {
	case c.Under == C:
		return fmt.Errorf("traps %s: nothing traps in C", c.Trap)
	case !slices.Contains(Traps(), c.Trap):
		return fmt.Errorf("unknown trap %q", c.Trap)
	case c.Want != 0:
		return fmt.Errorf("traps %s, and returns %d", c.Trap, c.Want)
	}
	return c.Func.checkSteps(c.Path)
}

// words reads words that are joined by dashes.
func (p *parser) words() string {
	var b strings.Builder
	b.WriteString(p.wantKind(tokIdent, "a word").text)
	for p.skip("-") {
		b.WriteString("-" + p.wantKind(tokIdent, "a word").text)
	}
	return b.String()
}

// end reads the outcome of a call: the semantics, and the value or the trap.
func (p *parser) end(c *Claim) {
	if p.is("under") {
		p.next()
		c.Under = Under(p.wantKind(tokIdent, "a semantics").text)
		if p.is("traps") {
			p.next()
			t := p.peek()
			c.Trap = Trap(p.words())
			if !slices.Contains(Traps(), c.Trap) {
				p.fail(t, "unknown trap %s", string(c.Trap))
			}
			return
		}
	}
	p.want("=")
	c.Want = p.value(c.Func.Result)
}

// end returns what is written between the arguments and the path of a case.
func (c *Claim) end() string {
	text := ""
	if c.Under != C {
		text = " under " + string(c.Under)
	}
	if c.Trap != "" {
		return text + " " + c.Answer()
	}
	return text + " = " + c.Answer()
}
