package reify

import (
	"strconv"

	"github.com/cespare/xxhash/v2"

	"goreify/reify/choice"
)

// A Recipe is the bytes that decide a case: one stream for each kind of
// decision, so that changing one leaves the others alone. Empty streams are as
// good as any.
type Recipe struct {
	Config []byte // the configuration, where none is given
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

// Nth returns the recipe of the k-th function of the batch that r stands for.
// The first is r itself; the streams of the others are hashes of the streams
// of r, so that each of them stands alone. They share the configuration.
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

// Style returns the stream that decides what of a case a back end may choose
// as it likes.
func (r Recipe) Style() *choice.Stream { return choice.Named("body", r.Body).Fork("style") }
