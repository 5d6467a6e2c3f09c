package events

import (
	"encoding/json"
	"fmt"
	"strings"
)

// driverStats begins the statistics of clang that are of how it looked for
// files. They are all that clang 14 writes if it was built without statistics.
const driverStats = "file-search"

// ParseStats reads what clang writes with -save-stats: an object of numbers,
// named after the pass and the counter with a dot between. Builds without
// statistics, which nearly all releases are, write an empty one. Anything else
// is an error.
func ParseStats(text []byte) (Counts, error) {
	var values map[string]json.Number
	if err := json.Unmarshal(text, &values); err != nil {
		return nil, fmt.Errorf("LLVM statistics: %w", err)
	}
	counts := Counts{}
	for key, number := range values {
		pass, name, found := strings.Cut(key, ".")
		if !found || pass == "" || name == "" {
			return nil, fmt.Errorf("LLVM statistics: %q, want pass.counter", key)
		}
		if pass == driverStats || pass == "time" {
			continue // times differ from run to run
		}
		v, err := number.Int64()
		if err != nil || v < 0 {
			return nil, fmt.Errorf("LLVM statistics: %s is %s, want an integer of 0 or more", key, number)
		}
		if v > 0 {
			counts.raise(Counter{fold([]byte(pass)), fold([]byte(name))}, v)
		}
	}
	return counts, nil
}
