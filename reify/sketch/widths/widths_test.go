package widths_test

import (
	"testing"

	"goreify/reify/sketch"
	"goreify/reify/sketch/sketchtest"
)

func TestGolden(t *testing.T) {
	for name, p := range map[string]sketch.WidthShares{
		"narrow": {Widths: 100},
		"odd":    {Odd: 100},
		"wide":   {Int128: 50, BitInt: 50},
		"truth":  {Truths: 100},
	} {
		sketchtest.Golden(t, name, sketchtest.Terms(name, sketch.Policy{TypeShares: sketchtest.Types, WidthShares: p}))
	}
}
