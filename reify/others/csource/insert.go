package csource

import (
	"fmt"
	"slices"
	"strings"

	"goreify/reify/choice"
)

// maxCopy bounds the bytes of a statement that is copied.
const maxCopy = 1500

// tries bounds the statements that are drawn for a copy until one fits.
const tries = 20

// Insert puts statements at unexecuted places: copies of other statements whose names
// are visible there with the same type, hostile ones over scalars in scope, and jumps
// to labels of the function.
func Insert(p *Program, hits []uint32, o Options, s *choice.Stream) []Edit {
	var places []int
	for i, dead := range p.dead(hits) {
		if dead && p.place(i) {
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		return nil
	}
	n := o.Edits
	if n == 0 {
		n = defaultEdits
	}
	var edits []Edit
	for range n {
		i := choice.Pick(s, places)
		if text, what := p.deadCode(i, s); text != "" {
			edits = append(edits, p.put(i, text, "insert: "+what))
		}
	}
	return edits
}

// put returns the edit that inserts code before statement i.
func (p *Program) put(i int, code, why string) Edit {
	s := p.Stmts[i]
	why = fmt.Sprintf("%s at %d", why, s.From)
	if s.Item {
		return Edit{From: s.From, To: s.From, Text: code + " ", Why: why}
	}
	return Edit{From: s.From, To: s.To, Text: "{ " + code + " " + string(p.Text[s.From:s.To]) + " }", Why: why}
}

// deadCode returns code that compiles before statement i, and its description. The code
// need not be defined, nor end. The code is "" if none was found.
func (p *Program) deadCode(i int, s *choice.Stream) (code, what string) {
	switch s.Weighted(5, 4, 1) {
	case 0:
		for range tries {
			if j := s.Intn(len(p.Stmts)); p.fits(j, i) {
				return string(p.Text[p.Stmts[j].From:p.Stmts[j].To]), fmt.Sprintf("copy of %v %d", p.Stmts[j].Kind, p.Stmts[j].From)
			}
		}
	case 1:
		return p.hostile(i, s), "hostile"
	case 2:
		var labels []string
		for _, l := range p.Functions[p.Stmts[i].Function].labels {
			if !l.Barred && p.Stmts[l.Stmt].Jumped {
				labels = append(labels, l.Name)
			}
		}
		if len(labels) > 0 {
			name := choice.Pick(s, labels)
			return "goto " + name + ";", "goto " + name
		}
	}
	return "", ""
}

// hostileForms are statements over an integer t that can be assigned to and integers a
// and b, all of any type.
var hostileForms = []string{
	"%t = %a / (%b - %b);",
	"%t = %a %% (%b ^ %b);",
	"%t = %a << 77;",
	"%t = %a >> -%b;",
	"%t += %a * %b;",
	"%t -= 2147483647;",
	"*(volatile int *)0 = %a;",
	"%t = *(char *)(__SIZE_TYPE__)%a;",
	"__builtin_unreachable();",
	"__builtin_trap();",
	"for (;;) %t++;",
	"while (%a) %t ^= %b;",
	"do %t--; while (%t != %a);",
	"if (%a < %b) %t = %a; else %t = %b;",
	"if (%a != %b) __builtin_unreachable();",
	"switch (%a) { case 0: %t = %b; case 1: %t++; break; default: %t = %a; }",
	"%t = %a ? %b : %t;",
	"%t = !%a + ~%b;",
	"%t = (%a & 15) | (%b & -16);",
	"%t = (signed char)%a * (short)%b;",
	"((char *)&%t)[64] = (char)%a;",
}

// hostile returns a statement over scalars in scope before statement i, or "" if none
// can be assigned to.
func (p *Program) hostile(i int, s *choice.Stream) string {
	st := &p.Stmts[i]
	all := st.Scope.Integers(st.From)
	var targets []*Name
	for _, n := range all {
		if !n.Const && n.Integer.Bits > 1 {
			targets = append(targets, n)
		}
	}
	if len(targets) == 0 {
		return ""
	}
	t := choice.Pick(s, targets)
	form := choice.Pick(s, hostileForms)
	if t.register && strings.Contains(form, "&%t)") {
		form = hostileForms[0]
	}
	return strings.NewReplacer("%%", "%", "%t", t.Name, "%a", choice.Pick(s, all).Name, "%b", choice.Pick(s, all).Name).Replace(form)
}

// fits says whether a copy of statement from compiles before statement to.
func (p *Program) fits(from, to int) bool {
	src, dst := &p.Stmts[from], &p.Stmts[to]
	f, g := &p.Functions[src.Function], &p.Functions[dst.Function]
	if src.To-src.From > maxCopy || src.Kind == Declaration || src.Kind == Empty || src.From == src.To || src.assembly {
		return false
	}
	inner := map[string]bool{} // declared in the statement itself
	for i := from; i < src.Next; i++ {
		s := &p.Stmts[i]
		if s.defines {
			return false
		}
		for sc := s.Scope; sc != src.Scope && sc != nil; sc = sc.Parent {
			for _, n := range sc.Names {
				inner[n.Name] = true
			}
		}
		switch s.Kind {
		case Labelled:
			return false
		case Case:
			if p.around(i, from, Switch) < 0 {
				return false
			}
		case Break:
			if p.around(i, from, Switch, While, Do, For) < 0 && p.around(to, -1, Switch, While, Do, For) < 0 {
				return false
			}
		case Continue:
			if p.around(i, from, While, Do, For) < 0 && p.around(to, -1, While, Do, For) < 0 {
				return false
			}
		case Return:
			if f.Result != g.Result {
				return false
			}
		case Goto:
			if f != g || !p.reachable(g, p.text(p.token(s.From)+1)) {
				return false
			}
		}
	}
	for i := p.token(src.From); i < len(p.tokens) && p.tokens[i].to <= src.To; i++ {
		if p.tokens[i].class != word {
			continue
		}
		name := p.text(i)
		switch before := p.text(i - 1); {
		case keywords[name], before == ".", before == "->", before == "goto":
			continue
		case before == "&&" && f != g && slices.ContainsFunc(f.labels, func(l Label) bool { return l.Name == name }):
			return false
		case before == "struct", before == "union", before == "enum":
			if f.tags[name] || g.tags[name] {
				return false
			}
			continue
		}
		a, b := src.Scope.Lookup(name, src.From), dst.Scope.Lookup(name, dst.From)
		switch {
		case a == b && (a != nil || inner[name] || p.File.index[name] == nil):
		case a == nil && inner[name]:
		case a == nil || b == nil || a.Kind != Object || b.Kind != Object || a.Type != b.Type || a.Const != b.Const || a.register != b.register:
			return false
		}
	}
	return true
}

// around returns the nearest statement of one of some kinds that holds statement i and
// is limit or in it; a limit of -1 is no limit. It returns -1 if no statement does.
func (p *Program) around(i, limit int, kinds ...Kind) int {
	for j := i; j > limit; {
		j = p.Stmts[j].Parent
		if j < 0 || j < limit {
			return -1
		}
		for _, k := range kinds {
			if p.Stmts[j].Kind == k {
				return j
			}
		}
	}
	return -1
}

// reachable says whether a goto from anywhere in a function may name a label.
func (p *Program) reachable(f *Function, name string) bool {
	for _, l := range f.labels {
		if l.Name == name {
			return !l.Barred
		}
	}
	return false
}
