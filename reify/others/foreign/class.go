package foreign

import "regexp"

var integer = regexp.MustCompile(`^\d`)

// add counts the features in the tokens of a function.
func (s *Shape) add(tokens []string) {
	for i, w := range tokens {
		switch w {
		case "for", "while":
			if !bounded(tokens[i:]) {
				s.Loops++
			}
		case "case", "default":
			s.Cases++
		case "<<", ">>", "<<=", ">>=", "^", "^=", "~", "|", "|=", "&=":
			s.Shifts++
		case "if", "?", "&&", "||":
			s.Branches++
		case "(":
			if i > 0 && regexpWord.MatchString(tokens[i-1]) && !statements[tokens[i-1]] {
				s.Calls++
			}
		}
	}
	s.Calls-- // its own head
}

var (
	regexpWord = regexp.MustCompile(`^[A-Za-z_]\w*$`)
	statements = set(`if for while switch return sizeof __attribute__`)
)

// bounded tells whether the head of a loop, with which tokens begin, has a comparison
// with a number other than 0.
func bounded(tokens []string) bool {
	depth := 0
	for i, w := range tokens[1:] {
		switch w {
		case "(":
			depth++
		case ")":
			depth--
		case "<", "<=", ">", ">=", "!=":
			next := tokens[1:][min(i+1, len(tokens)-2)]
			if integer.MatchString(next) && next != "0" {
				return true
			}
		}
		if depth == 0 {
			return false
		}
	}
	return false
}

// classify returns the class for a function's shape, unless the function has one.
func (f *Function) classify() Class {
	switch s := f.Shape; {
	case f.Class != Any:
		return f.Class
	case s.Loops > 0:
		return Loops
	case s.Cases > 1:
		return Switches
	case s.Shifts > 2:
		return Bits
	case s.Branches > 0:
		return Branches
	}
	return Plain
}

// Weight returns how often a function is drawn, in proportion to others: loops without
// bound and switches, which most bugs of the paper need (section 5.3), and small functions
// are favoured.
func (f *Function) Weight() int {
	s := f.Shape
	return max(1, 1000*(2+3*min(s.Loops, 4)+min(s.Cases, 20)/2+min(s.Shifts, 8)/2)/(20+s.Lines))
}
