package compilers

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Needs are met by targets like those where answers were recorded, and are read as they
// are written.
func TestNeeds(t *testing.T) {
	amd64 := Traits{ByteOrder: binary.LittleEndian, CharSigned: true, Long: 8, Pointer: 8}
	i386 := Traits{ByteOrder: binary.LittleEndian, CharSigned: true, Long: 4, Pointer: 4}
	arm64 := Traits{ByteOrder: binary.LittleEndian, Long: 8, Pointer: 8}
	s390x := Traits{ByteOrder: binary.BigEndian, CharSigned: true, Long: 8, Pointer: 8}
	for _, tt := range []struct {
		needs Needs
		text  string
		met   [4]bool
	}{
		{Needs{}, "", [4]bool{true, true, true, true}},
		{Needs{Little: true}, "little-endian", [4]bool{true, true, false, false}},
		{Needs{Long: 8}, "long=8", [4]bool{true, false, true, true}},
		{Needs{Little: true}.And(Needs{Long: 4}), "little-endian long=4", [4]bool{false, true, false, false}},
	} {
		assert.Equal(t, tt.text, tt.needs.String())
		back, err := ParseNeeds(tt.text)
		require.NoError(t, err)
		assert.Equal(t, tt.needs, back)
		for i, traits := range []Traits{amd64, i386, arm64, s390x} {
			assert.Equal(t, tt.met[i], traits.Meet(tt.needs), "%v: %s", traits, tt.text)
		}
	}
	_, err := ParseNeeds("little-endian long=16")
	assert.EqualError(t, err, `unknown need "long=16"`)
}
