package pool

import (
	"testing"

	"goreify/reify/others/csource"
	"goreify/tools/need"
)

// FuzzSeed reads seeds that a stranger's pool may hold.
func FuzzSeed(f *testing.F) {
	f.Add([]byte("int printf(const char *, ...);\nint main(void) { int n = 1; if (n) n++; printf(\"%d\\n\", n); return 0; }\n"), []byte("1 1 1 1\n"), []byte("0 1 2\n"))
	f.Fuzz(func(t *testing.T, text, hits, rows []byte) {
		if len(text)+len(hits)+len(rows) > need.MostInput {
			return
		}
		packed := pack(hits)
		if back, err := unpack(packed); err != nil || string(back) != string(hits) {
			t.Fatal(err)
		}
		_, _ = unpack(hits) // what it says of nonsense is no matter
		if csource.Try("a.c", text, csource.LP64) != nil {
			return
		}
		s := &Seed{Name: "a.c", Text: text, hits: [2][]byte{hits, hits}, rows: [2][]byte{rows, rows}}
		if p, err := csource.Parse("a.c", text, csource.LP64); err == nil {
			if hits, err := s.counts(p); err == nil {
				s.made = instruments(p.Counters(), p.Values(points(p, hits)))
			}
		}
		need.Little(t, func() { _, _ = s.Profile() })
	})
}
