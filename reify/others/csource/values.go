package csource

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Point is a place in a program: just before a statement. Names are integers in
// scope there that have a value.
type Point struct {
	Stmt  int
	Names []*Name
}

// maxNames is how many names a point of Points has.
const maxNames = 16

// Points returns the executed places where live edits may be made: before statements,
// with the names that Values can record, which are parameters, locals, and the names of
// the file that the function uses. Places where an access could be undefined are left
// out: statement expressions, whose accesses may be unsequenced with another part of
// the same expression (C11 6.5p2), and places where a pointer declared restrict may be
// used for the same object (6.7.3.1). If a function has promises, its points have no
// globals: its callees may then be executed when the global has another value.
func (p *Program) Points(hits []uint32) []Point {
	var points []Point
	words := map[string]bool{}
	fn := -1
	restricted := make([]bool, len(p.Functions))
	for i, f := range p.Functions {
		restricted[i] = bytes.Contains(p.Text[f.From:f.To], []byte("restrict"))
	}
	promised := slices.ContainsFunc(p.Functions, func(f Function) bool { return f.Fixed })
	globals := !promised && !slices.Contains(restricted, true)
	for i, s := range p.Stmts {
		f := &p.Functions[s.Function]
		if s.Function != fn {
			fn = s.Function
			clear(words)
			for j := p.token(f.Body); j < len(p.tokens) && p.tokens[j].from < f.To; j++ {
				if p.tokens[j].class == word {
					words[p.text(j)] = true
				}
			}
		}
		if hits[i] == 0 || !p.place(i) || s.value || restricted[fn] {
			continue
		}
		var names []*Name
		for _, n := range s.Scope.Integers(s.From) {
			if (words[n.Name] || p.File.index[n.Name] != n) && (globals || !n.Global) && len(names) < maxNames {
				names = append(names, n)
			}
		}
		if len(names) > 0 {
			points = append(points, Point{i, names})
		}
	}
	return points
}

// place says whether code can be put before statement i, or all of it below a
// condition, in a block of its own.
func (p *Program) place(i int) bool {
	s := &p.Stmts[i]
	return !s.Fixed && !s.literal && s.From < s.To && s.Kind != Labelled && s.Kind != Case && !p.Functions[s.Function].Fixed
}

// rowsKept bounds the visits of a point that are recorded one by one.
const rowsKept = 64

// Values returns the program with code before each point that records the values of the
// names there, and prints them as the program ends: see Rows.
func (p *Program) Values(points []Point) []byte {
	var edits []Edit
	slots := 0
	at := make([]int, len(points)) // the points in the order of the text, as edits at one offset must be
	first := make([]int, len(points))
	for k, point := range points {
		at[k], first[k] = k, slots
		slots += len(point.Names)
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(points[a].Stmt, points[b].Stmt) })
	for _, k := range at {
		point := points[k]
		var code strings.Builder
		fmt.Fprintf(&code, "__reify_visits[%d]++; ", k)
		for i, n := range point.Names {
			sign := 0
			if n.Integer.Signed {
				sign = 1
			}
			fmt.Fprintf(&code, "__reify_see(%d, %s, %d); ", first[k]+i, n.Name, sign)
		}
		s := p.Stmts[point.Stmt]
		if s.Item {
			edits = append(edits, Edit{From: s.From, To: s.From, Text: code.String()})
		} else {
			edits = append(edits, Edit{From: s.From, To: s.From, Text: "{ " + code.String()}, Edit{From: s.To, To: s.To, Text: " }"})
		}
	}
	head := fmt.Sprintf(`static unsigned long long __reify_visits[%d];
static struct { unsigned long long n, first[%d], min, max, and, or; } __reify_seen[%d];
static void __reify_see(int slot, unsigned long long v, int sign)
{
	unsigned long long bias = sign ? 1ULL << 63 : 0;
	if (__reify_seen[slot].n == 0) {
		__reify_seen[slot].min = __reify_seen[slot].max = __reify_seen[slot].and = __reify_seen[slot].or = v;
	}
	if (__reify_seen[slot].n < %d)
		__reify_seen[slot].first[__reify_seen[slot].n] = v;
	__reify_seen[slot].n++;
	if ((v ^ bias) < (__reify_seen[slot].min ^ bias))
		__reify_seen[slot].min = v;
	if ((v ^ bias) > (__reify_seen[slot].max ^ bias))
		__reify_seen[slot].max = v;
	__reify_seen[slot].and &= v;
	__reify_seen[slot].or |= v;
}
`, len(points)+1, rowsKept, slots+1, rowsKept)
	tail := fmt.Sprintf(`
__attribute__((destructor(101))) static void __reify_print(void)
{
	int i, k;
	__builtin_printf("%%s", %q);
	for (i = 0; i < %d; i++)
		__builtin_printf("%%llx\n", __reify_visits[i]);
	for (i = 0; i < %d; i++) {
		__builtin_printf("%%llx %%llx %%llx %%llx", __reify_seen[i].min, __reify_seen[i].max, __reify_seen[i].and, __reify_seen[i].or);
		for (k = 0; k < %d && k < __reify_seen[i].n; k++)
			__builtin_printf(" %%llx", __reify_seen[i].first[k]);
		__builtin_printf("\n");
	}
	__builtin_printf("%%s", %q);
}
`, rowsMark, len(points), slots, rowsKept, endMark)
	return []byte(head + string(p.Apply(edits)) + tail)
}

// Rows is the record of a point.
type Rows struct {
	Point
	Visits uint64
	// First are the first visits, at most 64 of each run, each with the value of each name,
	// sign-extended if its type is signed.
	First [][]uint64
	Sum   []Summary // of all visits, for each name
}

// A Summary is of all values of a name at a point. Min and Max are the smallest and the
// largest in the order of the type of the name.
type Summary struct{ Min, Max, And, Or uint64 }

// Rows splits the output of a program of Values for these points, of one run or of
// several, one after the other. The error is ErrCut if the output is not complete.
func (p *Program) Rows(points []Point, output []byte) (printed []byte, rows []Rows, err error) {
	printed, runs, err := dumped(output, rowsMark)
	if err != nil {
		return printed, nil, err
	}
	for _, lines := range runs {
		run, err := rowsOf(points, lines)
		if err != nil {
			return printed, nil, err
		}
		rows = union(rows, run)
	}
	return printed, rows, nil
}

// union returns the records of the runs before and of one more.
func union(rows, run []Rows) []Rows {
	if rows == nil {
		return run
	}
	for i, r := range run {
		sum := &rows[i]
		switch {
		case r.Visits == 0:
			continue
		case sum.Visits == 0:
			*sum = r
			continue
		}
		sum.Visits += r.Visits
		sum.First = append(sum.First, r.First...) // fewer than the visits as soon as one is not recorded
		for k, n := range r.Names {
			a, b := &sum.Sum[k], r.Sum[k]
			if less(n, b.Min, a.Min) {
				a.Min = b.Min
			}
			if less(n, a.Max, b.Max) {
				a.Max = b.Max
			}
			a.And &= b.And
			a.Or |= b.Or
		}
	}
	return rows
}

// rowsOf reads the lines of one run.
func rowsOf(points []Point, lines []string) (rows []Rows, err error) {
	slots := 0
	for _, point := range points {
		slots += len(point.Names)
	}
	if len(lines) != len(points)+slots {
		return nil, fmt.Errorf("%d lines of values for %d points with %d names", len(lines), len(points), slots)
	}
	words := func(line string) []uint64 {
		var list []uint64
		for _, f := range strings.Fields(line) {
			v, e := strconv.ParseUint(f, 16, 64)
			if e != nil && err == nil {
				err = fmt.Errorf("value %q: %w", f, e)
			}
			list = append(list, v)
		}
		return list
	}
	next := len(points)
	for k, point := range points {
		visits := words(lines[k])
		if err != nil || len(visits) != 1 {
			return nil, fmt.Errorf("visits %q", lines[k])
		}
		r := Rows{Point: point, Visits: visits[0], First: make([][]uint64, min(visits[0], rowsKept))}
		for range point.Names {
			v := words(lines[next])
			if err != nil || len(v) != 4+len(r.First) {
				return nil, fmt.Errorf("values %q of %d visits", lines[next], visits[0])
			}
			r.Sum = append(r.Sum, Summary{v[0], v[1], v[2], v[3]})
			for i := range r.First {
				r.First[i] = append(r.First[i], v[4+i])
			}
			next++
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// Common returns the records on which two runs of a program of Values agree, for
// example of two compilers. The rest depends on an address, or on undefined values.
func Common(a, b []Rows) []Rows {
	var out []Rows
	for i, r := range a {
		if i >= len(b) || r.Stmt != b[i].Stmt || r.Visits != b[i].Visits || len(r.Names) != len(b[i].Names) {
			continue
		}
		c := Rows{Point: Point{Stmt: r.Stmt}, Visits: r.Visits, First: make([][]uint64, len(r.First))}
		for k, n := range r.Names {
			same := r.Sum[k] == b[i].Sum[k]
			for v, row := range r.First {
				same = same && row[k] == b[i].First[v][k]
			}
			if !same {
				continue
			}
			c.Names = append(c.Names, n)
			c.Sum = append(c.Sum, r.Sum[k])
			for v, row := range r.First {
				c.First[v] = append(c.First[v], row[k])
			}
		}
		if len(c.Names) > 0 {
			out = append(out, c)
		}
	}
	return out
}
