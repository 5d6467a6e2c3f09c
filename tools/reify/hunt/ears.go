package hunt

import (
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"goreify/reify"
	"goreify/reify/breed"
	"goreify/reify/choice"
	"goreify/reify/oracle"
)

const (
	// rare is the most functions that may have reached an event for the first of
	// them to become a parent.
	rare = 8
	// mostCounted is how far the functions of an event are counted.
	mostCounted = 64
	// mostParents bounds those of a batch.
	mostParents = 8
)

// A hearing is what the compilers said about a batch: for each optimisation
// event what reached it.
type hearing map[string]echo

// An echo is the functions that reached an event, and what the first of them, by
// its name, is made of.
type echo struct {
	functions map[string]bool
	first     string
	input     breed.Input
}

// An origin returns which of the generated functions one that a compiler names
// belongs to, and what that is made of, or false if it belongs to none.
type origin func(function string) (name string, in breed.Input, ok bool)

// hear adds what was heard for a report. What could not be heard is left out:
// see unheard.
func (h *hearing) hear(r *oracle.Report, of origin) {
	if *h == nil {
		*h = hearing{} // even if there was nothing to hear
	}
	for _, said := range r.Heard {
		for name, counts := range said.Functions {
			name, _, _ = strings.Cut(name, ".") // of a clone or a part
			name, in, ok := of(name)
			if !ok {
				continue
			}
			for _, e := range counts.Events() {
				h.add(string(said.Toolchain.Family)+" "+e.String(), name, in)
			}
		}
	}
}

func (h hearing) add(event, function string, in breed.Input) {
	e, ok := h[event]
	if !ok {
		e.functions = map[string]bool{}
	}
	e.functions[function] = true
	if !ok || function < e.first {
		e.first, e.input = function, in
	}
	h[event] = e
}

// remember records what was heard for a batch: new events, and the inputs that
// reached them, and how many functions reached those that are rare.
func (s *store) remember(tx *sql.Tx, b batch, heard hearing) error {
	if heard == nil {
		return nil // nobody listened
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.readHeard(tx); err != nil {
		return err
	}
	counted := map[string]int{} // not in s.heard before it is in the table
	inputs := map[string]int64{}
	fresh := 0
	for _, event := range slices.Sorted(maps.Keys(heard)) {
		e := heard[event]
		before, known := s.heard[event]
		after := min(before+len(e.functions), mostCounted)
		if known && after == before {
			continue
		}
		counted[event] = after
		if known {
			if _, err := tx.Exec(`UPDATE heard SET functions = ? WHERE event = ?`, after, event); err != nil {
				return err
			}
			continue
		}
		fresh++
		id, ok := inputs[e.first]
		if !ok {
			var err error
			if id, err = insertInput(tx, b.number, e.input); err != nil {
				return err
			}
			inputs[e.first] = id
		}
		if _, err := tx.Exec(`INSERT INTO heard (event, functions, input) VALUES (?, ?, ?)`, event, after, id); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(`UPDATE batches SET fresh = ? WHERE number = ?`, fresh, b.number); err != nil {
		return err
	}
	for event, n := range counted {
		s.heard[event] = n
	}
	return nil
}

// readHeard fills s.heard from the table, once.
func (s *store) readHeard(tx *sql.Tx) error {
	if s.heard != nil {
		return nil
	}
	type row struct {
		event     string
		functions int
	}
	var rows []row
	err := each(tx, `SELECT event, functions FROM heard`, func(r *row) []any { return []any{&r.event, &r.functions} }, &rows)
	if err != nil {
		return err
	}
	s.heard = map[string]int{}
	for _, r := range rows {
		s.heard[r.event] = r.functions
	}
	return nil
}

func insertInput(tx *sql.Tx, batch int64, in breed.Input) (int64, error) {
	res, err := tx.Exec(`INSERT INTO inputs (batch, profile, features, config, graph, path, body, tweak) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		batch, in.Profile, in.Features, in.Recipe.Config, in.Recipe.Graph, in.Recipe.Path, in.Recipe.Body, strconv.FormatUint(in.Tweak, 10))
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

// chooseParents draws some of the inputs that reached rare events and may be
// parents of a kind, and returns their ids. It returns none if there are none.
func (k Kind) chooseParents(tx *sql.Tx, s *choice.Stream) ([]string, error) {
	var ids []string
	err := each(tx, `SELECT DISTINCT CAST(i.id AS TEXT) FROM heard h JOIN inputs i ON h.input = i.id
		WHERE h.functions <= ? AND (NOT ? OR i.profile = ?) ORDER BY i.id`, func(id *string) []any { return []any{id} }, &ids, rare, k.Pure, k.Profile)
	if err != nil {
		return nil, err
	}
	s.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	return ids[:min(len(ids), mostParents)], nil
}

// findParents sets the parents of a batch, given their ids.
func (b *batch) findParents(tx *sql.Tx, ids []string) error {
	for _, id := range ids {
		in, r := breed.Input{}, reify.Recipe{}
		var tweak string
		err := tx.QueryRow(`SELECT profile, features, config, graph, path, body, tweak FROM inputs WHERE id = CAST(? AS INTEGER)`, id).
			Scan(&in.Profile, &in.Features, &r.Config, &r.Graph, &r.Path, &r.Body, &tweak)
		if err == nil {
			in.Tweak, err = strconv.ParseUint(tweak, 10, 64)
		}
		if err != nil {
			return fmt.Errorf("parent %s of batch %d: %w", id, b.number, err)
		}
		in.Recipe = r
		b.parents = append(b.parents, in)
	}
	return nil
}

// unheard notes, once a run for each compiler, why it was not heard.
func (h *hunt) unheard(r *oracle.Report) error {
	for _, said := range r.Heard {
		if said.Err == nil {
			continue
		}
		h.mu.Lock()
		told := h.deaf[said.Toolchain.String()]
		if h.deaf == nil {
			h.deaf = map[string]bool{}
		}
		h.deaf[said.Toolchain.String()] = true
		h.mu.Unlock()
		if told {
			continue
		}
		if err := h.note(fmt.Sprintf("%v %s was not heard, the first time: %s", said.Toolchain, said.Level, firstLine(said.Err.Error()))); err != nil {
			return err
		}
	}
	return nil
}
