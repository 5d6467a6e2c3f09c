package hunt

import "goreify/corpus"

// learnAll records what triage has blamed since for the findings that are saved.
func (h *hunt) learnAll() error {
	saved, err := h.store.saved()
	if err != nil {
		return err
	}
	for _, name := range saved {
		if err := h.learn(name); err != nil {
			return err
		}
	}
	return nil
}

// learn records what triage has blamed for a finding, if it is the first of its bucket.
// One that cannot be read teaches nothing: a look at the directory tells of it.
func (h *hunt) learn(name string) error {
	if h.Culprit == nil {
		return nil
	}
	e, err := corpus.LoadFinding(h.Dir, name)
	if err != nil {
		return nil
	}
	return h.store.blame(name, h.Culprit(e))
}

// saved returns the names of the first findings of the buckets that are not known.
func (s *store) saved() ([]string, error) {
	return each(s.db, `SELECT finding FROM buckets WHERE known = '' ORDER BY batch, finding`, func(name *string) []any { return []any{name} })
}

// blame records the culprit of the bucket that a finding is the first of.
func (s *store) blame(finding, culprit string) error {
	_, err := s.db.Exec(`UPDATE buckets SET culprit = ?1 WHERE finding = ?2 AND culprit <> ?1`, culprit, finding)
	return err
}

// fresh are the buckets that tell of a bug, as far as is known, that none found before
// tells of: one that is not known, and whose culprit is no earlier one's. A finding
// without triage has no culprit yet, and is taken for a bug of its own.
const fresh = `(SELECT * FROM buckets k WHERE known = '' AND (culprit = '' OR NOT EXISTS (
	SELECT 1 FROM buckets earlier WHERE earlier.culprit = k.culprit AND (earlier.batch, earlier.finding) < (k.batch, k.finding))))`
