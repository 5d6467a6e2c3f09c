package text

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/choice"
	"goreify/reify/others/csource"
	"goreify/reify/others/foreign"
	"goreify/reify/others/pool"
	"goreify/reify/source"
	"goreify/reify/subject"
)

// Name is the name of the source.
const Name = corpus.TextSource

// A Source makes variants of the seeds of a pool, one for each input or several of a
// small seed, and now and then yields a seed unchanged. It may be used concurrently.
type Source struct {
	path string
	open func() (*pool.Pool, []string, error) // with the sums of the seeds

	functions func() (Functions, error) // to be called by variants; nil for other variants

	mu     sync.Mutex
	parsed []*pool.Profile // the last ones, the latest last
	banned map[string]bool // sums, of this run
}

// New returns the source of variants of the seeds in a pool, which is opened when
// the first input is drawn.
func New(path string) *Source {
	s := &Source{path: path, banned: map[string]bool{}}
	type opened struct {
		pool *pool.Pool
		sums []string
	}
	once := sync.OnceValues(func() (opened, error) {
		p, err := pool.Read(path)
		if err != nil {
			return opened{}, err
		}
		sums, err := p.Sums()
		return opened{p, sums}, err
	})
	s.open = func() (*pool.Pool, []string, error) {
		o, err := once()
		return o.pool, o.sums, err
	}
	return s
}

// NewInjected returns the source of variants of the seeds in a pool that call functions
// which open finds: it is called once, when the first input is drawn.
func NewInjected(path string, open func() (Functions, error)) *Source {
	s := New(path)
	s.functions = sync.OnceValues(open)
	return s
}

// Name returns "text".
func (s *Source) Name() string { return Name }

// Check returns an error unless there is a seed to make variants of, and a function
// that they can call, if they do. A seed that another version of this program admitted
// is evidence about all seeds.
func (s *Source) Check() error {
	_, sums, err := s.open()
	if err == nil && len(sums) == 0 {
		err = fmt.Errorf("%s: the pool has no seed", s.path)
	}
	if err != nil {
		return err
	}
	if err := s.CheckFunctions(); err != nil {
		return err
	}
	if _, err = s.profile(sums[0]); errors.Is(err, pool.ErrVersion) {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	return nil
}

// perSeed is how many inputs ask for variants of a seed for one that asks for the seed
// itself (Orion makes some eight variants of each). They follow each other, as hunts
// draw them: spacing is the distance between the first numbers of two batches. Thus a
// seed is parsed once for all of them.
const (
	perSeed = 8
	spacing = 1 << 12
)

// An input names a seed, and decides the variants.
type input struct {
	Seed    string // its sum, or empty for an empty pool
	Variant uint64 // decides the edits
	Plain   bool   `json:",omitempty"` // the seed as it is
	Count   int    `json:",omitempty"` // of variants, if the seed is small; else one

	Symbols []string `json:",omitempty"` // of functions that are called
}

// Draw spends one number of the stream. An input of an empty pool yields no program.
func (s *Source) Draw(st *choice.Stream) source.Input {
	in := input{Variant: st.Uint64(), Count: perUnit}
	if sums := s.seeds(); len(sums) > 0 {
		n := in.Variant / spacing
		in.Seed = choice.Pick(choice.New(choice.Derive(n/(1+perSeed), Name)), sums)
		in.Plain = n%(1+perSeed) == 0
		if s.functions != nil && !in.Plain {
			in.Symbols = s.symbolsOf(in.Variant)
		}
	}
	return source.Encode(Name, in)
}

// seeds returns the sums of the seeds that are not banned.
func (s *Source) seeds() []string {
	_, sums, err := s.open()
	if err != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(sums), func(sum string) bool { return s.banned[sum] })
}

// Make makes the variant that an input stands for. The error is a *source.BadSeed if
// the pool does not give the seed, or it was banned. It wraps foreign.ErrUnusable if
// the database of functions cannot be used.
func (s *Source) Make(_ context.Context, in source.Input) (subject.Subject, error) {
	var got input
	if err := in.Decode(Name, &got); err != nil {
		return nil, err
	}
	if got.Seed == "" {
		return nil, fmt.Errorf("an empty pool: %w", source.ErrNone)
	}
	p, err := s.profile(got.Seed)
	if err != nil {
		return nil, &source.BadSeed{Err: err}
	}
	if got.Plain {
		return Seed(p), nil
	}
	list, err := s.callees(got)
	switch {
	case errors.Is(err, foreign.ErrUnusable):
		return nil, err
	case err != nil:
		return nil, &source.BadSeed{Err: err}
	}
	change := Variant
	if s.functions != nil {
		change = func(p *pool.Profile, suffix string, st *choice.Stream) *Text { return injected(p, suffix, list, st) }
	}
	if v := several(p, got.Variant, min(max(1, got.Count), together(p)), change); v != nil {
		return v, nil
	}
	return nil, fmt.Errorf("nothing of %s can be changed: %w", p.Name, source.ErrNone)
}

// Discard bans the seed of an input: its variants behave differently from it. If they
// call functions of others, either may be to blame: the functions that why names are
// set aside, and the seed is banned in this run only.
func (s *Source) Discard(in source.Input, why string) error {
	var got input
	p, _, err := s.open()
	if err != nil {
		return err
	}
	if err := json.Unmarshal(in.Data, &got); err != nil || got.Seed == "" {
		return err
	}
	s.mu.Lock()
	s.banned[got.Seed] = true
	s.parsed = slices.DeleteFunc(s.parsed, func(p *pool.Profile) bool { return p.Sum == got.Seed })
	s.mu.Unlock()
	if s.functions != nil && !got.Plain {
		return s.setAside(got.Symbols, why)
	}
	return p.Ban(got.Seed, why)
}

// mostParsed is how many seeds are kept parsed: a large one takes some megabytes and
// a tenth of a second.
const mostParsed = 16

// profile returns a seed, parsed.
func (s *Source) profile(sum string) (*pool.Profile, error) {
	s.mu.Lock()
	defer s.mu.Unlock() // several batches of one seed are made at a time
	i := slices.IndexFunc(s.parsed, func(p *pool.Profile) bool { return p.Sum == sum })
	if i >= 0 {
		p := s.parsed[i]
		s.parsed = append(slices.Delete(s.parsed, i, i+1), p)
		return p, nil
	}
	db, _, err := s.open()
	if err != nil {
		return nil, err
	}
	seed, err := db.Seed(sum)
	if err != nil {
		return nil, err
	}
	p, err := seed.Profile()
	if err != nil {
		return nil, err
	}
	s.parsed = append(s.parsed, p)
	s.parsed = slices.Delete(s.parsed, 0, max(0, len(s.parsed)-mostParsed))
	return p, nil
}

// A Text is a seed, or a variant of one. It is a subject.Subject.
type Text struct {
	profile *pool.Profile
	name    string
	text    []byte
	edits   []csource.Edit // nil for a seed
	called  []callee
}

// Seed returns the subject that is a seed as it is.
func Seed(p *pool.Profile) *Text { return &Text{profile: p, name: word(p.Name), text: p.Text} }

// Variant returns a variant of a seed: with unexecuted statements pruned, with
// statements inserted there, with guards around executed statements, or with all of
// these. It is nil if no edit was possible. A suffix tells its name from the seed's.
func Variant(p *pool.Profile, suffix string, s *choice.Stream) *Text {
	const prune, insert, guard = 1, 2, 4
	wanted := []int{prune, insert, guard, prune | insert, prune | insert | guard}[s.Weighted(4, 1, 1, 1, 2)]
	var edits []csource.Edit
	if wanted&guard != 0 { // first, since the rows are of the whole seed
		edits = append(edits, csource.Guard(p.Program, p.Rows, csource.Options{Edits: s.Range(1, 16)}, s.Fork("guard"))...)
	}
	if wanted&prune != 0 {
		edits = append(edits, csource.Prune(p.Program, p.Hits, csource.Orion, s.Fork("prune"))...)
	}
	if wanted&insert != 0 || len(edits) == 0 { // little is dead, or guarded, in a small program
		edits = append(edits, csource.Insert(p.Program, p.Hits, csource.Options{Edits: s.Range(1, 16)}, s.Fork("insert"))...)
	}
	if edits = p.Program.Compatible(edits); len(edits) == 0 {
		return nil
	}
	return &Text{profile: p, name: word(p.Name) + suffix, text: p.Program.Apply(edits), edits: edits}
}

// notWord is what a name of a subject must not hold.
var notWord = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

func word(name string) string {
	name = notWord.ReplaceAllString(name, "-")
	const most = 40
	return name[max(0, len(name)-most):]
}

// Name returns a word: the name of the seed, and a suffix that tells the variant from
// others.
func (t *Text) Name() string { return t.name }

// Artefact returns the program. That of a variant refers to its seed.
func (t *Text) Artefact() subject.Artefact {
	a := subject.Artefact{Language: compilers.C, Files: compilers.Single(t.text), Want: t.profile.Want, Needs: those(t.called).Needs()}
	if t.edits != nil {
		a.Reference = &subject.Artefact{Language: compilers.C, Files: compilers.Single(t.profile.Text), Want: t.profile.Want}
	}
	return a
}

// Trust returns Agreed for a variant, and Recorded for a seed.
func (t *Text) Trust() subject.Trust {
	if t.edits == nil {
		return subject.Recorded
	}
	return subject.Agreed
}

// Weight is the number of functions.
func (t *Text) Weight() int { return min(max(1, len(t.profile.Program.Functions)), corpus.MaxWeight) }

// Edits returns the edits of the seed, nil for a seed.
func (t *Text) Edits() []csource.Edit { return t.edits }

// Entry returns the reproducer, which holds the seed and the edits.
func (t *Text) Entry() (*corpus.Entry, error) {
	e := source.Entry(Name, t)
	e.Members = map[string]string{corpus.SeedFile: string(t.profile.Text)}
	e.SetNote(corpus.NoteSeed, corpus.OneLine(fmt.Sprintf("%s %s", t.profile.Name, t.profile.Sum)))
	if t.edits != nil {
		e.Members[corpus.EditsFile] = csource.Record(t.edits)
		e.SetNote(corpus.NoteEdits, corpus.OneLine(csource.Passes(t.edits)))
	}
	e.Notes = append(e.Notes, those(t.called).Notes()...)
	return e, nil
}
