package csource

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Alone returns an error unless preprocessed text defines the function of that name,
// without a storage class, and all other names at file scope, tags and enumerators
// included, begin with that name and an underscore. So it may stand in a file beside
// anything else. It looks at tokens, and accepts more than C does.
func Alone(name, text string) error {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			return errors.New("a line begins with '#'")
		}
	}
	p := &Program{Name: name, Text: []byte(text)}
	var err error
	if p.tokens, err = lex(name, p.Text); err == nil {
		err = p.closed()
	}
	if err != nil {
		return err
	}
	defined := 0
	depth := 0          // brackets that are open
	enum, list := 0, -1 // where "enum" was; how many brackets are open inside the list of an enum
	begin := 0          // of the declaration at file scope
	oldStyle := false   // parameters are declared between their list and the body (C11 6.9.1p6)
	for i := range p.tokens {
		t, before := p.text(i), p.text(i-1)
		isName := p.tokens[i].class == word && !keywords[t] && !strings.HasPrefix(t, "__")
		switch {
		case p.tokens[i].class <= number && strings.ContainsFunc(t, func(c rune) bool { return c == '$' || c > '~' }),
			p.tokens[i].class == punct && (t < " " || t > "~" || strings.ContainsAny(t, "#@`")):
			return fmt.Errorf("unexpected %q", t)
		case t == "(" || t == "[" || t == "{":
			depth++
			if t == "{" && depth == 1 {
				oldStyle = false
			}
			if t == "{" && enum > 0 {
				list, enum = depth, 0
			}
		case t == ")" || t == "]" || t == "}":
			if list == depth {
				list = -1
			}
			depth--
			if depth == 0 && t == "}" {
				begin = i + 1
			}
		case t == ";" && depth == 0:
			begin = i + 1
		case t == "enum":
			enum = i + 1
		case p.tokens[i].class != word || oldStyle:
		case depth == 0 && before == ")" && !strings.HasPrefix(t, "__"):
			oldStyle = true // declarations of parameters follow, up to the body
		case isName && (depth == 0 || list == depth && (before == "{" || before == ",")):
			if rest, ok := strings.CutPrefix(t, name); !ok || rest != "" && rest[0] != '_' {
				return fmt.Errorf("%s is named at file scope, and does not begin with %s_", t, name)
			}
			if t == name && p.text(i+1) == "(" && p.text(p.closing(i+1)+1) == "{" {
				for k := range slices.Values(p.tokens[begin:i]) {
					switch string(p.Text[k.from:k.to]) {
					case "static", "extern", "inline":
						return fmt.Errorf("%s has a storage class", name)
					}
				}
				defined++
			}
		}
		if enum > 0 && i > enum { // "enum tag" without a list
			enum = 0
		}
	}
	if defined != 1 {
		return fmt.Errorf("defines %s %d times", name, defined)
	}
	return nil
}
