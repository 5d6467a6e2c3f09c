package reify

import (
	"strconv"

	"github.com/cespare/xxhash/v2"

	"goreify/reify/choice"
)

// A Recipe is the bytes that decide a case: one stream for each kind of decision, so
// that a change of one stream does not affect the others. Empty streams are valid.
type Recipe struct {
	Config []byte // the configuration, unless one is given
	Graph  []byte // blocks, edges, injected loops
	Path   []byte // length of the path, its directions, and the constants on it
	Body   []byte // variables, statements, constants off the path, style
}

// FromSeed returns the recipe that stands for a number.
func FromSeed(seed uint64) Recipe {
	return Recipe{
		Config: choice.Derive(seed, "config"),
		Graph:  choice.Derive(seed, "graph"),
		Path:   choice.Derive(seed, "path"),
		Body:   choice.Derive(seed, "body"),
	}
}

// Nth returns the recipe of the k-th function of the batch that r stands for. The first
// is r itself. The streams of the other recipes are hashes of the streams of r, so that
// each recipe is complete by itself. All of them share the configuration.
func (r Recipe) Nth(k int) Recipe {
	if k == 0 {
		return r
	}
	nth := func(name string, data []byte) []byte {
		return choice.Derive(xxhash.Sum64(data), name+strconv.Itoa(k))
	}
	return Recipe{r.Config, nth("graph", r.Graph), nth("path", r.Path), nth("body", r.Body)}
}

// Streams returns the bytes by the names of their streams, as reproducers store
// them.
func (r Recipe) Streams() map[string][]byte {
	return map[string][]byte{"config": r.Config, "graph": r.Graph, "path": r.Path, "body": r.Body}
}

// Style returns the stream of the decisions that are left to a back end.
func (r Recipe) Style() *choice.Stream { return choice.Named("body", r.Body).Fork("style") }
