package gc

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Of what -S prints the instructions of functions stay, with their offsets.
func TestListing(t *testing.T) {
	assert.Equal(t, map[string]string{"f": "0\tSRW\t$1, R3, R3\n4\tJMP\tLR\n"}, listing(`main.f STEXT nosplit size=8 args=0x8 locals=0x0 funcid=0x0 align=0x0 leaf
	0x0000 00000 (/x/reduced.go:4)	TEXT	main.f(SB), NOSPLIT|LEAF|NOFRAME|ABIInternal, $0-8
	0x0000 00000 (/x/reduced.go:4)	PCDATA	$3, $1
	0x0000 00000 (/x/reduced.go:5)	SRW	$1, R3, R3
	0x0004 00004 (/x/reduced.go:5)	JMP	LR
	0x0000 7e f8 63 54 20 00 80 4e                          ~.cT ..N
go:cuinfo.producer.main SDWARFCUINFO dupok size=0
	0x0000 72 65 67 61 62 69                                regabi
`))
}
