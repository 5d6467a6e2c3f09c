package reduce

import (
	"strconv"

	"goreify/reify/ir"
)

// Letters of names. Functions are f, g, h, f1, ..., records s, t, u, s1, ..., and
// variables and members have the other letters, except the l that looks like a 1.
const (
	functionLetters = "fgh"
	recordLetters   = "stu"
	variableLetters = "abcdeijkmnopqrvwxyz"
)

// shortName returns name n made of letters: one of them, or the first of them with a
// number. Names of types such as i8 are not used.
func shortName(letters string, n int) string {
	if n < len(letters) {
		return letters[n : n+1]
	}
	return letters[:1] + strconv.Itoa(n-len(letters)+1)
}

// shortNames gives short names in the order of declaration: to functions, to blocks
// except entry and exit, to variables, and to records and their members.
func shortNames(p *ir.Program, _ *run) []edit {
	var funcs, vars, labels, records []*string
	var funcNames, varNames, labelNames, recordNames []string
	for i, f := range ours(p) {
		funcs = append(funcs, &f.Name)
		funcNames = append(funcNames, shortName(functionLetters, i))
		for j, x := range f.Vars {
			vars = append(vars, &x.Name)
			varNames = append(varNames, shortName(variableLetters, j))
		}
		for j, b := range f.Blocks {
			labels = append(labels, &b.Name)
			switch j {
			case 0:
				labelNames = append(labelNames, "entry")
			case len(f.Blocks) - 1:
				labelNames = append(labelNames, "exit")
			default:
				labelNames = append(labelNames, "b"+strconv.Itoa(j))
			}
		}
		for j, r := range f.Types {
			records = append(records, &r.Name)
			recordNames = append(recordNames, shortName(recordLetters, j))
			for k := range r.Fields {
				records = append(records, &r.Fields[k].Name)
				recordNames = append(recordNames, shortName(variableLetters, k))
			}
		}
	}
	var list []edit
	list = rename(list, funcs, funcNames)
	list = rename(list, vars, varNames)
	list = rename(list, labels, labelNames)
	return rename(list, records, recordNames)
}

// rename adds an edit that gives all names at once, unless nothing would change.
func rename(list []edit, names []*string, to []string) []edit {
	for i, name := range names {
		if *name != to[i] {
			return append(list, func() {
				for i, name := range names {
					*name = to[i]
				}
			})
		}
	}
	return list
}
