package hunt

import (
	"slices"
	"strings"

	"goreify/reify/oracle"
)

// A question is for Check: members of a batch, and the configurations that have
// no answer for them yet, in the order in which they are asked.
type question struct {
	members []string // names
	configs []string // as oracle.Config.String has them
}

// An agenda is what is still to be asked about a batch.
type agenda []question

// after returns what is left of the agenda when its first question has been
// asked. If that ended with cells that are settled, the others are asked about again
// there. If that ended with a finding, those without an answer are asked about
// at the configuration that failed, and then all at those after it. The members
// of the finding are asked about only where they are known to fail apart from it,
// and if they are whole programs not at all: what takes so long to compile and to
// look into has told enough. Where it takes several of these together, each is
// asked about on.
func (a agenda) after(r *oracle.Report) agenda {
	q, rest := a[0], a[1:]
	f := r.Finding
	if f == nil && len(r.Others) == 0 {
		return rest
	}
	at := slices.Index(q.configs, r.At.String())
	if at < 0 {
		panic("hunt: a finding at a configuration that was not asked")
	}
	left := agenda{
		{r.Others, q.configs[at : at+1]},
		{q.members, q.configs[at+1:]},
	}
	if f == nil {
		return append(left, rest...)
	}
	in := strings.Fields(f.Subject.Name())
	if several(f) {
		in = nil
	}
	found := func(name string) bool { return slices.Contains(in, name) }
	notFound := func(name string) bool { return !found(name) }
	together := func(cfg string) bool { return whole(f) || !slices.Contains(f.Apart, cfg) }
	var todo agenda
	for _, q := range append(left, rest...) {
		todo = todo.with(without(q.members, found), q.configs)
		todo = todo.with(without(q.members, notFound), without(q.configs, together))
	}
	return todo
}

// whole tells whether a finding is of a whole program, and several whether it
// takes several of them together.
func whole(f *oracle.Finding) bool {
	return f.Subject.Weight() > len(strings.Fields(f.Subject.Name()))
}

func several(f *oracle.Finding) bool {
	return whole(f) && strings.Contains(f.Subject.Name(), " ")
}

// aside returns the agenda without members whose answers do not hold. The others
// of the first question are asked about again: it has not come to its end.
func (a agenda) aside(members []string) (todo agenda) {
	for _, q := range a {
		todo = todo.with(without(q.members, func(name string) bool { return slices.Contains(members, name) }), q.configs)
	}
	return todo
}

// with returns the agenda with a question at its end, if there is one.
func (a agenda) with(members, configs []string) agenda {
	if len(members) == 0 || len(configs) == 0 {
		return a
	}
	return append(a, question{members, configs})
}

// without returns a copy of a list without those that drop tells.
func without[T any](list []T, drop func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), drop)
}
