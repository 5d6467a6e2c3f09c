package hunt

import (
	"slices"

	"goreify/compilers"
	"goreify/reify"
	"goreify/reify/oracle"
)

// A question is for Check: cases, and the configurations that have no answer
// for them yet, in the order in which they are asked.
type question struct {
	cases   []*reify.Case
	configs []string // as configName has them
}

// An agenda is what is still to be asked about a batch.
type agenda []question

// configName names a toolchain at a level.
func configName(t compilers.Toolchain, level string) string { return t.String() + " " + level }

// after returns what is left of the agenda when its first question has been
// asked. If that ended with a finding, those without an answer are asked about
// at the configuration that failed, and then all at those after it. The cases of
// the finding are asked about only where they are known to fail apart from it.
func (a agenda) after(r *oracle.Report) agenda {
	q, rest := a[0], a[1:]
	f := r.Finding
	if f == nil {
		return rest
	}
	at := slices.Index(q.configs, configName(f.Toolchain, f.Level))
	if at < 0 {
		panic("hunt: a finding at a configuration that was not asked")
	}
	left := agenda{
		{r.Others, q.configs[at : at+1]},
		{q.cases, q.configs[at+1:]},
	}
	found := func(k *reify.Case) bool { return slices.Contains(f.Cases, k) }
	notFound := func(k *reify.Case) bool { return !found(k) }
	together := func(cfg string) bool { return !slices.Contains(f.Apart, cfg) }
	var todo agenda
	for _, q := range append(left, rest...) {
		todo = todo.with(without(q.cases, found), q.configs)
		todo = todo.with(without(q.cases, notFound), without(q.configs, together))
	}
	return todo
}

// with returns the agenda with a question at its end, if there is one.
func (a agenda) with(cases []*reify.Case, configs []string) agenda {
	if len(cases) == 0 || len(configs) == 0 {
		return a
	}
	return append(a, question{cases, configs})
}

// without returns a copy of a list without those that drop tells.
func without[T any](list []T, drop func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), drop)
}
