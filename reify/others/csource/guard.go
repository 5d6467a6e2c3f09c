package csource

import (
	"fmt"
	"strings"

	"goreify/reify/choice"
)

// Guard inserts code at executed places, under conditions that are true, or false, at
// all visits that rows record:
//
//	fcb  if (P) D      before a statement; P is false at each visit
//	tg   if (Q) S else D   Q is true at each visit of the statement S
//	tcb  if (Q) { spoil x; restore x; }   before a statement
//
// D is as Insert puts it. The names are those of Sun, Le and Su (OOPSLA 2016).
func Guard(p *Program, rows []Rows, o Options, s *choice.Stream) []Edit {
	if len(rows) == 0 {
		return nil
	}
	n := o.Edits
	if n == 0 {
		n = defaultEdits
	}
	var edits []Edit
	used := map[int]bool{} // one edit a point: a second might change what the first reads
	for range n {
		r := &rows[s.Intn(len(rows))]
		if used[r.Stmt] || r.Visits == 0 || !p.place(r.Stmt) {
			continue
		}
		q := r.predicate(s)
		if q == "" {
			continue
		}
		if e, ok := p.guard(r, q, s); ok {
			used[r.Stmt] = true
			edits = append(edits, e)
		}
	}
	return edits
}

// maxGuarded is how many bytes a statement may have that is put below a condition:
// edits in it are lost.
const maxGuarded = 600

// guard returns an edit at the point of rows whose condition q is true.
func (p *Program) guard(r *Rows, q string, s *choice.Stream) (Edit, bool) {
	st := &p.Stmts[r.Stmt]
	switch s.Weighted(4, 3, 3) {
	case 0:
		d, what := p.deadCode(r.Stmt, s)
		return p.put(r.Stmt, fmt.Sprintf("if (!(%s)) { %s }", q, d), "guard: fcb, "+what), d != ""
	case 1:
		d, what := p.deadCode(r.Stmt, s)
		if d == "" || st.To-st.From > maxGuarded {
			return Edit{}, false
		}
		text := fmt.Sprintf("if (%s) { %s } else { %s }", q, p.Text[st.From:st.To], d)
		if !st.Item {
			text = "{ " + text + " }" // or an else that follows would be the wrong one's
		}
		return Edit{st.From, st.To, text, fmt.Sprintf("guard: tg, %s at %d", what, st.From)}, true
	}
	code := r.spoil(s)
	return p.put(r.Stmt, fmt.Sprintf("if (%s) { %s }", q, code), "guard: tcb"), code != ""
}

// wide writes a name as a value of 64 bits: signed, unless its type fits only an
// unsigned one.
func wide(n *Name) string {
	if n.Integer.Bits == 64 && !n.Integer.Signed {
		return "(unsigned long long)" + n.Name
	}
	return "(long long)" + n.Name
}

// constant writes a value of a name in the form in which wide writes the name.
func constant(n *Name, v uint64) string {
	if n.Integer.Bits == 64 && !n.Integer.Signed {
		return fmt.Sprintf("%dULL", v)
	}
	if int64(v) == -1<<63 {
		return "(-9223372036854775807LL - 1)"
	}
	return fmt.Sprintf("%dLL", int64(v))
}

// less compares two values of a name.
func less(n *Name, a, b uint64) bool {
	if n.Integer.Signed {
		return int64(a) < int64(b)
	}
	return a < b
}

// whole returns the smallest and the largest value of a type.
func (t *Integer) whole() (lo, hi uint64) {
	if t.Signed {
		return uint64(int64(-1) << (t.Bits - 1)), 1<<(t.Bits-1) - 1
	}
	return 0, 1<<t.Bits - 1 // 1<<64 is 0
}

// predicate returns a condition that is true at every visit and not decided by the
// types alone, or "" if none was found. Three times in four the names in it vary.
func (r *Rows) predicate(s *choice.Stream) string {
	constants := s.Chance(1, 4)
	var list []int
	for k := range r.Names {
		if constants || r.Sum[k].Min != r.Sum[k].Max {
			list = append(list, k)
		}
	}
	if len(list) == 0 {
		return ""
	}
	for range tries {
		k := choice.Pick(s, list)
		n, sum := r.Names[k], r.Sum[k]
		lo, hi := n.Integer.whole()
		switch s.Intn(5) {
		case 0: // all smaller values
			if sum.Min != lo {
				return fmt.Sprintf("%s >= %s", wide(n), constant(n, sum.Min))
			}
		case 1:
			if sum.Max != hi {
				return fmt.Sprintf("%s <= %s", wide(n), constant(n, sum.Max))
			}
		case 2: // a value between that it never has
			if uint64(len(r.First)) == r.Visits && less(n, sum.Min, sum.Max) {
				c := sum.Min + 1 + uint64(s.Intn(int(min(sum.Max-sum.Min, 1000))))
				if !r.has(k, c) {
					return fmt.Sprintf("%s != %s", wide(n), constant(n, c))
				}
			}
		case 3: // bits that are always the same
			mask := (sum.And | ^sum.Or) & (1<<n.Integer.Bits - 1)
			for range s.Intn(3) { // some of them
				mask &^= 1 << s.Intn(n.Integer.Bits)
			}
			if mask != 0 && n.Integer.Bits > 1 {
				return fmt.Sprintf("((unsigned long long)%s & 0x%xULL) == 0x%xULL", n.Name, mask, sum.And&mask)
			}
		case 4:
			if q := r.relation(k, choice.Pick(s, list)); q != "" {
				return q
			}
		}
	}
	return ""
}

// has says whether a name had a value at one of the first visits.
func (r *Rows) has(k int, v uint64) bool {
	for _, row := range r.First {
		if row[k] == v {
			return true
		}
	}
	return false
}

// relation returns a comparison of two names that is true at every visit, all of which
// must have been recorded.
func (r *Rows) relation(a, b int) string {
	x, y := r.Names[a], r.Names[b]
	unsigned := func(n *Name) bool { return n.Integer.Bits == 64 && !n.Integer.Signed }
	if a == b || unsigned(x) != unsigned(y) || uint64(len(r.First)) != r.Visits {
		return ""
	}
	var lt, eq, gt int
	for _, row := range r.First {
		switch {
		case row[a] == row[b]:
			eq++
		case unsigned(x) && row[a] < row[b] || !unsigned(x) && int64(row[a]) < int64(row[b]):
			lt++
		default:
			gt++
		}
	}
	op := ""
	switch {
	case lt == 0 && gt == 0:
		op = "=="
	case gt == 0 && eq == 0:
		op = "<"
	case gt == 0:
		op = "<="
	case lt == 0 && eq == 0:
		op = ">"
	case lt == 0:
		op = ">="
	case eq == 0:
		op = "!="
	default:
		return ""
	}
	return fmt.Sprintf("%s %s %s", wide(x), op, wide(y))
}

// spoil returns code that changes an integer and restores its value, or "" if none can
// be assigned to.
func (r *Rows) spoil(s *choice.Stream) string {
	var targets, counts []int
	for k, n := range r.Names {
		if !n.Const && n.Integer.Bits > 1 {
			targets = append(targets, k)
		}
		if sum := r.Sum[k]; !less(n, sum.Min, 0) && sum.Max <= 16 {
			counts = append(counts, k)
		}
	}
	if len(targets) == 0 {
		return ""
	}
	x := r.Names[choice.Pick(s, targets)]
	forms := []string{
		"%T __reify_x = %x; %x = (%T)((unsigned long long)%x - %c); %x = (%T)(%x ^ %c); %x = __reify_x;",
		"%x = (%T)(%x ^ %c); %x = (%T)(%x ^ %c);",
		"%T __reify_x = %x; __typeof__(%x) *volatile __reify_p = &%x; *__reify_p = (%T)%c; *__reify_p = __reify_x;",
		"%x = (%T)~%x; %x = (%T)~%x;",
	}
	count := "3"
	if len(counts) > 0 {
		count = "(unsigned)" + r.Names[choice.Pick(s, counts)].Name
		if strings.TrimPrefix(count, "(unsigned)") == x.Name {
			count = "2"
		}
		loop := "for (unsigned __reify_i = 0, __reify_k = %n; __reify_i < __reify_k; __reify_i++) "
		forms = append(forms, loop+"%x = (%T)(%x ^ %c); "+loop+"%x = (%T)(%x ^ %c);",
			"%T __reify_x = %x; "+loop+"%x = (%T)((unsigned long long)%x * 3 + %c); %x = __reify_x;")
	}
	form := choice.Pick(s, forms)
	if x.register {
		form = forms[1]
	}
	c := fmt.Sprint(1 + s.Intn(100))
	return strings.NewReplacer("%T", x.Integer.C, "%x", x.Name, "%c", c, "%n", count).Replace(form)
}
