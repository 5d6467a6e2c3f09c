package pool

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"goreify/reify/choice"
	"goreify/reify/others/csource"
)

// A Seed is a program on whose answer compilers of two families agree.
type Seed struct {
	Sum  string // of the text: Sum
	Name string // for people: "csmith-17", or a path
	Text []byte // preprocessed
	Want []byte // its output, not empty

	made string    // sum of the instrumented programs
	hits [2][]byte // its output with counters, by each family
	rows [2][]byte // its output with values, likewise
}

// instruments returns the sum of the instrumented programs: the recorded outputs belong
// to these alone.
func instruments(counters, values []byte) string {
	return Sum(append(counters[:len(counters):len(counters)], values...))
}

// Sum returns 16 hexadecimal digits that stand for a text.
func Sum(text []byte) string { return fmt.Sprintf("%016x", xxhash.Sum64(text)) }

// A Profile is a parsed seed with the counts of its executed statements.
type Profile struct {
	*Seed
	Program *csource.Program
	Hits    []uint32       // as csource.Hits has them, the larger count of both families
	Rows    []csource.Rows // values that both families agree on
}

// ErrVersion says that a seed was admitted by another version of this program.
var ErrVersion = errors.New("it was admitted by another version of this program; make a new pool")

// Profile parses the seed. The error names the mismatch with the recorded outputs, and
// wraps ErrVersion if they are of another version.
func (s *Seed) Profile() (*Profile, error) {
	p := &Profile{Seed: s}
	var err error
	if p.Program, err = csource.Parse(s.Name, s.Text, csource.LP64); err != nil {
		return nil, err
	}
	if p.Hits, err = s.counts(p.Program); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	points := points(p.Program, p.Hits)
	if instruments(p.Program.Counters(), p.Program.Values(points)) != s.made {
		return nil, fmt.Errorf("%s: %w", s.Name, ErrVersion)
	}
	var rows [2][]csource.Rows
	for i, printed := range s.rows {
		if _, rows[i], err = p.Program.Rows(points, printed); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	p.Rows = csource.Common(rows[0], rows[1])
	return p, nil
}

// counts returns how often each statement was executed, the larger count of both
// families: one may call a function that the other has built in.
func (s *Seed) counts(p *csource.Program) ([]uint32, error) {
	hits := make([]uint32, len(p.Stmts))
	for _, output := range s.hits {
		printed, list, err := p.Hits(output)
		if err == nil && !bytes.Equal(printed, s.Want) {
			err = errors.New("with counters it prints something else")
		}
		if err != nil {
			return nil, err
		}
		for i, n := range list {
			hits[i] = max(hits[i], n)
		}
	}
	return hits, nil
}

// mostPoints bounds the places of a program at which values are recorded.
const mostPoints = 60

// points returns the places at which values are recorded, which depend on the text
// alone.
func points(p *csource.Program, hits []uint32) []csource.Point {
	list := p.Points(hits)
	s := choice.From(xxhash.Sum64(p.Text))
	s.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:min(len(list), mostPoints)]
}
