package hunt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"goreify/compilers"
	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/language"
	"goreify/reify/others"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/source/matrix"
	"goreify/reify/source/program"
	"goreify/reify/source/variant"
)

// A Kind is a way to make batches: a source of programs with its options.
type Kind struct {
	Name     string // a word, as -mix takes it
	About    string // a sentence on what a batch is made of, without its full stop
	Language compilers.Language
	// Seeds is what a batch counts for in Options.Seeds, 1 to seedsPerBatch.
	Seeds int
	// Weight is what the kind is expected to yield before it has been tried,
	// relative to the others; positive.
	Weight float64
	// Source draws the input of a batch from a stream whose first number is the
	// batch's own.
	Source source.Source
	// OffByDefault says that only a hunt whose mix names the kind takes it. Such a kind
	// has not been found to add anything to those that are on.
	OffByDefault bool
	// Against, if not nil, is another compiler: of the members of a batch those are asked
	// about that it makes other code of.
	Against compilers.Lister
}

// abouts says of each kind of functions and programs what a batch is made of. Kinds in
// a language other than C have the sentence of their profile's kind in C. A kind that is
// not here has the sentence of the profile of its name.
var abouts = map[string]string{
	"focused":          "small functions of scalars, whose branches and loops compare several variables",
	"swarm":            "small functions of scalars, with one or two features of C each",
	"mixed":            "small functions of scalars, arrays and memory",
	"wild":             "small functions with a few features of C each, all of them in turn",
	"large":            "large functions, of the paper's size and beyond",
	"paper":            "functions as the paper draws them",
	"hot":              "small functions that run until an engine compiles them again",
	"programs":         "whole programs of small functions that call one another",
	"swarm-programs":   "whole programs, whose functions have one or two features of C each",
	"wild-programs":    "whole programs, whose functions have a few features of C each",
	"calls":            "whole programs with calls in bounds, branches and indices, inlined always, never or as the compiler likes",
	"variants":         "small functions with seven variants each, which do the same",
	"wild-variants":    "functions with a few features of C each, with seven variants each",
	"variant-programs": "whole programs, half of whose functions are variants",
}

// about returns the sentence of a kind.
func about(name string) string {
	if p, err := reify.FindProfile(name); err == nil && abouts[name] == "" {
		return p.About()
	}
	return abouts[name]
}

// functions returns a kind of batches of so many functions of a profile. Large
// functions take long to compile: fewer of them make a unit of the same cost.
func functions(name string, size int, weight float64, o function.Options) Kind {
	o.Size = size
	return Kind{Name: name, About: about(name), Language: language.Find(o.Language).Name, Seeds: size, Weight: weight, Source: function.Source{Options: o}}
}

// programs returns a kind of batches of six whole programs.
func programs(name string, weight float64, o function.Options) Kind {
	o.Size = 6
	return Kind{Name: name, About: about(name), Language: language.Find(o.Language).Name, Seeds: o.Size, Weight: weight, Source: program.Source{Options: o}}
}

// CorpusDir is where the seeds of the kind corpus-variants are.
const CorpusDir = "corpus"

// variants returns a kind of batches of variants of functions of a profile, eight
// functions that are alike for each.
func variants(name string, weight float64, o function.Options) Kind {
	o.Size = 7
	return Kind{Name: name, About: about(name), Language: language.C.Name, Seeds: 8 * o.Size, Weight: weight, Source: variant.Source{Options: o, Variants: 7}, OffByDefault: true}
}

// variantPrograms returns a kind of batches of six whole programs, half of whose
// functions are variants.
func variantPrograms(name string, weight float64, o function.Options) Kind {
	k := programs(name, weight, o)
	k.Source, k.OffByDefault = program.Source{Options: k.Source.(program.Source).Options, Variants: true}, true
	return k
}

// CorpusVariants returns a kind of batches of variants of the reproducers in a
// directory.
func CorpusVariants(dir string) Kind {
	const size, each = 6, 10
	return Kind{Name: "corpus-variants", About: "variants of the reproducers of a directory (-seeds)", Language: language.C.Name, Seeds: size * each, Weight: 2, Source: variant.NewCorpus(dir, size, each), OffByDefault: true}
}

// Matrices returns the kinds of batches of cells of the matrix, one for each language. Patterns
// select cells: see matrix.Options.
func Matrices(only string) (list []Kind) {
	for _, l := range language.All() {
		about := "small functions: each operation on each type, and compositions of two and three"
		if l.Prefix != "" {
			about = "in " + l.Name + ": " + about
		}
		s := matrix.Source{Options: matrix.Options{Only: only, Size: l.Cells, Language: l.Name}}
		list = append(list, Kind{Name: l.Prefix + "matrix", About: about, Language: l.Name, Seeds: l.Cells, Weight: 2, Source: s, OffByDefault: true})
	}
	return list
}

// foreign returns the kinds of batches with programs and functions that others wrote, in
// Seeds.
func (s Seeds) foreign() []Kind {
	of := func(name, about string, size int, from source.Source) Kind {
		return Kind{Name: name, About: about, Language: language.C.Name, Seeds: size, Weight: 2, Source: from, OffByDefault: true}
	}
	calls := func(size int, h others.How) source.Source {
		return s.Callers(function.Options{Profile: "focus", Size: size}, h)
	}
	return []Kind{
		of("text-variants", "variants of C programs by other authors (-seeds)", 1, s.Variants()),
		of("text-inject", "the same, with calls of functions by other authors (-seeds)", 1, s.Injected()),
		of("inject", "small functions that call functions by other authors (-seeds) with values that are computed", 60, calls(60, others.Both)),
		of("inject-programs", "whole programs that call functions by other authors with recorded arguments", 6, calls(6, others.Fixed)),
	}
}

// written returns the kinds of batches of functions in a language whose kinds have a prefix,
// and of whole programs if it has calls. Linking is most of what a small batch costs there.
func written(l *language.Language) []Kind {
	var list []Kind
	for _, k := range []struct {
		profile string
		size    int
	}{{"focus", 150}, {"mixed", 150}, {"swarm", 100}, {"wild", 60}, {"loops", 60}, {"narrow", 100}, {"machine", 60}, {"paper", 30}, {"yarpgen", 30}, {"aggregates", 60}, {"vectors", 60}, {"vector-loops", 60}} {
		list = append(list, functions(l.Prefix+k.profile, k.size, 2, function.Options{Profile: k.profile, Language: l.Name}))
	}
	list = append(list, functions(l.Prefix+"hot", 60, 2, function.Options{Profile: "focus", Language: l.Name, Hot: true}))
	if l.Calls() {
		for _, k := range []struct{ name, profile string }{{"programs", "focus"}, {"wild-programs", "wild"}, {"calls", "calls"}} {
			list = append(list, programs(l.Prefix+k.name, 2, function.Options{Profile: k.profile, Language: l.Name}))
		}
	}
	for i := range list {
		k := &list[i]
		profile := strings.TrimPrefix(k.Name, l.Prefix)
		about := about(cmp.Or(kindsOfProfiles[profile], profile))
		k.About = "in " + l.Name + ": " + strings.ReplaceAll(about, " of C ", " ")
	}
	return list
}

// kindsOfProfiles are the kinds of functions that have another name than their profile.
var kindsOfProfiles = map[string]string{"focus": "focused"}

// Seeds are where kinds of batches find what they draw from.
type Seeds struct {
	Corpus string // a directory of reproducers
	others.Files
}

// UsualSeeds are the seeds unless a command line names others.
func UsualSeeds() Seeds {
	return Seeds{CorpusDir, others.Files{Pool: others.PoolFile, Functions: others.FunctionsFile}}
}

// Kinds returns the kinds of batches there are, with the usual seeds.
func Kinds() []Kind { return UsualSeeds().Kinds() }

// Kinds returns the kinds of batches there are, nearly each a profile. Small
// focused functions found most bugs by far, alone and in programs. Those with many
// features of the language and those of the paper's size hardly found any in the
// compilers of today; the next compiler may differ.
func (s Seeds) Kinds() []Kind {
	of := func(profile string) function.Options { return function.Options{Profile: profile} }
	list := append([]Kind{
		functions("focused", 60, 14, of("focus")),
		functions("swarm", 60, 3, of("swarm")),
		functions("mixed", 60, 5, of("mixed")),
		functions("wild", 60, 0.5, of("wild")),
		functions("yarpgen", 30, 0.5, of("yarpgen")),
		functions("large", 10, 0.5, of("large")),
		functions("strength", 60, 4, of("strength")),
		functions("motion", 60, 2, of("motion")),
		functions("backend", 60, 2, of("backend")),
		functions("narrow", 60, 2, of("narrow")),
		functions("coefficients", 60, 2, of("coefficients")),
		functions("truth", 60, 1, of("truth")),
		functions("wide", 60, 2, of("wide")),
		functions("lanes", 60, 2, of("lanes")),
		functions("aggregates", 60, 2, of("aggregates")),
		functions("vectors", 60, 2, of("vectors")),
		functions("vector-loops", 60, 2, of("vector-loops")),
		functions("machine", 60, 1, of("machine")),
		functions("facts", 60, 2, of("facts")),
		programs("programs", 8, of("focus")),
		programs("swarm-programs", 2, of("swarm")),
		programs("wild-programs", 0.5, of("wild")),
		programs("calls", 2, of("calls")),
		variants("variants", 2, of("focus")),
		variants("wild-variants", 1, of("wild")),
		variantPrograms("variant-programs", 2, of("focus")),
		CorpusVariants(s.Corpus),
	}, s.foreign()...)
	for _, l := range language.All() {
		if l.Prefix != "" {
			list = append(list, written(l)...)
		}
	}
	return append(list, Matrices("")...)
}

// ProfileKinds returns two kinds of batches of a profile, with features switched
// on and off as reify.Config.With does: one of functions, which gets its name,
// and one of whole programs. So do other languages, with their short names before
// these, if they have the features. The error says what is wrong with both.
func ProfileKinds(profile, features string) ([]Kind, error) {
	o := function.Options{Profile: profile, Features: features}
	var list []Kind
	for _, l := range language.All() {
		of := o
		if of.Language = l.Name; of.Check() != nil {
			continue
		}
		list = append(list, functions(l.Prefix+profile, 60, 1, of))
		if l.Calls() {
			list = append(list, programs(l.Prefix+profile+"-programs", 1, of))
		}
	}
	return list, o.Check()
}

// A dialectal source can do without features of its language that compilers lack.
type dialectal interface {
	source.Source
	WithoutFeatures([]string) source.Source
}

// Lacking returns the kind without what none of the targets that are hunted has: nothing is
// asked that needs that.
func (k Kind) Lacking(targets []compilers.Target) Kind {
	var all [][]string
	for _, t := range targets {
		if t.Language() == k.Language {
			all = append(all, t.Traits().Lacks)
		}
	}
	s, ok := k.Source.(dialectal)
	if !ok || len(all) == 0 {
		return k
	}
	lacks := without(all[0], func(name string) bool {
		return slices.ContainsFunc(all, func(other []string) bool { return !slices.Contains(other, name) })
	})
	k.Source = s.WithoutFeatures(lacks)
	return k
}

// seedsPerBatch is the distance between the first seeds of two batches.
const seedsPerBatch = 1 << 12

// stream returns the decisions of a batch, the first of which is a number of its
// own: batch n of a hunt has seeds of its own, whatever it is made of.
func stream(hunt uint64, n int64) *choice.Stream {
	first := xxhash.Sum64(choice.Derive(hunt, "hunt")) + uint64(n)*seedsPerBatch
	return choice.From(first)
}

// SelectKinds returns the kinds named in a list such as "focused,large", in
// its order. The short name of a language, as in "go", stands for all kinds that begin
// with it and are not OffByDefault. The error names the first that is not known.
func SelectKinds(kinds []Kind, names string) ([]Kind, error) {
	var selected []Kind
	for name := range strings.SplitSeq(names, ",") {
		name = strings.TrimSpace(name)
		if l, _ := language.Named(name); l != nil && l.Prefix != "" {
			selected = append(selected, without(kinds, func(k Kind) bool { return k.OffByDefault || !strings.HasPrefix(k.Name, l.Prefix) })...)
			continue
		}
		k, ok := findKind(kinds, name)
		if !ok {
			return nil, fmt.Errorf("unknown kind of batches %q; hunt -mixes lists the kinds", name)
		}
		selected = append(selected, k)
	}
	return selected, nil
}

func findKind(kinds []Kind, name string) (Kind, bool) {
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return kinds[i], true
}
