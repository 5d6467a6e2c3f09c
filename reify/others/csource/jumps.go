package csource

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// jumps finds the jumps of a function: the statements that are jumped into, and the
// locals that have no value because a jump leads past their declarations.
func (b *builder) jumps(f *Function) {
	p := b.p
	for i := p.token(f.Body); i < len(p.tokens) && p.tokens[i].from < f.To; i++ {
		if t := p.text(i); t == "goto" || t == "&&" {
			name := p.text(i + 1)
			for j := range f.labels {
				if l := &f.labels[j]; l.Name == name {
					at := p.tokens[i].from
					if t == "&&" { // its address: a computed goto may come from anywhere
						at = -1
					}
					l.used = append(l.used, at)
				}
			}
		}
	}
	for _, l := range f.labels {
		for _, from := range l.used {
			b.jump(from, l.Stmt)
		}
	}
	for i := f.First; i < f.Last; i++ {
		if p.Stmts[i].Kind == Case {
			for s := i; s >= 0; s = p.Stmts[s].Parent {
				if p.Stmts[s].Kind == Switch {
					b.jump(p.Stmts[s].From, i)
					break
				}
			}
		}
	}
}

// jump notes a jump from an offset to a statement.
func (b *builder) jump(from, to int) {
	p := b.p
	target := &p.Stmts[to]
	for i := to; i >= 0; i = p.Stmts[i].Parent {
		s := &p.Stmts[i]
		if s.From <= from && from < s.To {
			break
		}
		s.Jumped = true
	}
	for s := target.Scope; s != nil && s != p.File; s = s.Parent {
		for _, n := range s.Names {
			if !n.Global && n.At <= target.From && (from < n.At || from >= s.To) {
				n.Known = false
			}
		}
	}
}

// undecided are the builtins whose value depends on the knowledge of the optimizer, on
// addresses, or on the machine. A variant may rightly get another value of them than
// its seed.
var undecided = regexp.MustCompile(`^__builtin_(constant_p|(dynamic_)?object_size|return_address|extract_return_addr|frame_address|readcyclecounter|apply|apply_args|cpu_.*|ia32_.*)$`)

// standsAlone returns an error that names a function or object that is used and neither
// defined by the program nor declared by our headers. Builtins with an undecided value
// are errors, too. Of the names that blocks declare, foreign are those that are defined
// elsewhere.
func (p *Program) standsAlone(locals, foreign map[string]bool) error {
	for _, f := range p.Functions {
		for i := p.token(f.Body); i < len(p.tokens) && p.tokens[i].from < f.To; i++ {
			if p.tokens[i].class != word {
				continue
			}
			name := p.text(i)
			if undecided.MatchString(name) {
				return fmt.Errorf("%s:%d: needs %s, whose value is up to the compiler", p.Name, p.Line(p.tokens[i].from), name)
			}
			n := p.File.index[name]
			switch before := p.text(i - 1); {
			case name == "__attribute__", name == "__attribute":
				i = p.closing(i + 1)
				continue
			case before == ".", before == "->", before == "goto", before == "struct", before == "union", before == "enum":
				continue
			case n == nil && !foreign[name] && (locals[name] || p.text(i+1) != "(" || keywords[name]):
				continue
			case n != nil && (n.Defined || n.Kind == TypeName || n.Kind == Constant):
				continue
			}
			if _, ok := slices.BinarySearch(library(), name); ok || strings.HasPrefix(name, "__builtin_") ||
				strings.HasPrefix(name, "__reify_") || strings.HasPrefix(name, "__sync_") || strings.HasPrefix(name, "__atomic_") {
				continue
			}
			return fmt.Errorf("%s:%d: needs %s, which is not there", p.Name, p.Line(p.tokens[i].from), name)
		}
	}
	return nil
}
