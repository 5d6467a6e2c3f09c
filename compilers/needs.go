package compilers

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// Needs are the traits that a program rests on which is not the same for all targets.
// The zero value is none.
type Needs struct {
	// Little says that the low byte comes first, and that char is signed, as on the
	// machine where the program's answers were recorded.
	Little bool
	Long   int // bytes of long and of pointers, or 0 for any
	// Features are parts of C, by their names, that a compiler must not lack.
	Features []string
}

// NeedsOf returns the features that the text of a program in C needs.
func NeedsOf(files []File) Needs { return Needs{Features: featuresOf(files)} }

// Meet tells whether a program of such needs can be asked about.
func (t Traits) Meet(n Needs) bool {
	if n.Little && (t.ByteOrder == binary.BigEndian || !t.CharSigned) {
		return false
	}
	if slices.ContainsFunc(n.Features, func(name string) bool { return slices.Contains(t.Lacks, name) }) {
		return false
	}
	return n.Long == 0 || n.Long == t.Long && n.Long == t.Pointer
}

// And returns the needs of two programs in one.
func (n Needs) And(m Needs) Needs {
	n.Little = n.Little || m.Little
	if n.Long == 0 {
		n.Long = m.Long
	}
	for _, name := range m.Features {
		if !slices.Contains(n.Features, name) {
			n.Features = append(slices.Clip(n.Features), name)
		}
	}
	return n
}

const littleNeed, longNeed = "little-endian", "long="

// String returns the needs as ParseNeeds takes them: "little-endian long=8 vector".
func (n Needs) String() string {
	var words []string
	if n.Little {
		words = append(words, littleNeed)
	}
	if n.Long != 0 {
		words = append(words, fmt.Sprintf("%s%d", longNeed, n.Long))
	}
	return strings.Join(append(words, n.Features...), " ")
}

// ParseNeeds reads what String writes. The error names the word that is not known.
func ParseNeeds(text string) (n Needs, err error) {
	for _, word := range strings.Fields(text) {
		switch word {
		case littleNeed:
			n.Little = true
		case longNeed + "4":
			n.Long = 4
		case longNeed + "8":
			n.Long = 8
		default:
			if slices.Contains(Features(), word) {
				n.Features = append(n.Features, word)
				continue
			}
			return n, fmt.Errorf("unknown need %q", word)
		}
	}
	return n, nil
}
