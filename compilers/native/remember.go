package native

import (
	"maps"
	"time"

	"goreify/compilers"
)

// A record is what a compiler has said of itself, or that it said nothing.
type record struct {
	compilers.Identity
	Family, Version, Banner string
	Platforms               map[string]platform `json:",omitzero"` // what it compiles for, by arguments
	Hung                    time.Time           `json:",omitzero"` // when it did not answer
	Patience                time.Duration       `json:",omitzero"` // that it was given then; 0 if it did answer
}

// hungFor is how long a compiler that hung is not asked again. A machine that was
// busy may have been to blame.
const hungFor = 10 * time.Minute

// recordsFile is the file in the cache that holds the records, by the paths of
// the compilers.
const recordsFile = "compilers.json"

// recall returns the records in a directory.
func recall(dir string) map[string]record { return compilers.ReadCache[record](dir, recordsFile) }

// remember adds records to those in a directory, which it makes, and drops those
// of files that are gone. Records that cannot be written are made again.
func remember(dir string, more map[string]record) {
	if dir == "" || len(more) == 0 {
		return
	}
	known := recall(dir) // another process may have added some
	maps.Copy(known, more)
	compilers.WriteCache(dir, recordsFile, known)
}
