package products_test

import (
	"testing"

	"goreify/reify/sketch"
	"goreify/reify/sketch/sketchtest"
)

func TestGolden(t *testing.T) {
	p := sketch.Policy{TypeShares: sketchtest.Types, ProductShares: sketch.ProductShares{Coefficients: 100}}
	sketchtest.Golden(t, "coefficients", sketchtest.Terms("coefficients", p))
}
