// Package targets is the table of what programs can be tried on: a line for each
// kind of compiler or engine.
package targets

import (
	"context"
	"strings"

	"goreify/compilers"
	"goreify/compilers/native"
)

// finders look for the targets of each kind.
var finders = []func(context.Context, compilers.Env) ([]compilers.Target, error){
	native.Find,
}

// Find returns the targets that the environment names, or else all that are here.
// named tells whether it names them: then one that cannot be used is an error for
// whoever uses them. The error says what is missing or misspelt.
func Find(ctx context.Context, env compilers.Env) (found []compilers.Target, named bool, err error) {
	for _, find := range finders {
		list, err := find(ctx, env)
		if err != nil {
			return nil, false, err
		}
		found = append(found, list...)
	}
	return found, strings.TrimSpace(env.CC) != "", nil
}

// Families returns the names of all families, whether or not they are here.
func Families() []string { return native.Families() }
