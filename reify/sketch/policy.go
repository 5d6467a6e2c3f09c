package sketch

import (
	"fmt"
	"reflect"
	"strconv"
	"sync"

	"goreify/reify/sketch/aggregates"
	"goreify/reify/sketch/core"
	"goreify/reify/sketch/idioms"
	"goreify/reify/sketch/lanes"
	"goreify/reify/sketch/machine"
	"goreify/reify/sketch/nests"
	"goreify/reify/sketch/products"
	"goreify/reify/sketch/trips"
	"goreify/reify/sketch/vectors"
	"goreify/reify/sketch/widths"
)

// A Policy holds the distributions of everything that is beyond the paper's subset of
// C: types other than i32, operators other than the arithmetic ones, records, pointers
// and so on (generation policies: YARPGen, OOPSLA 2020, section 3.3). Each is a number
// from 0 to 100. A share is a percentage; a weight is relative to the others of its
// group, where the paper's own form, if it is one of the group, weighs 100. Nothing is
// drawn for a share of 0, and the zero Policy is the paper's subset, draw for draw.
type Policy struct {
	TypeShares
	ContextShares
	OperatorShares
	ConstantShares
	StatementShares
	NestShares
	TripShares
	SimdShares
	LaneShares
	AggregateShares
	ShapeShares
	MachineShares
	BranchShares
	RecordShares
	PointerShares
	FloatShares
	VectorShares
	ProductShares
	ParamShares
	WidthShares
	FactShares
}

// The shares are declared where they are used: those of what functions have in common in
// the core, those of a shape in its room.
type (
	TypeShares      = core.TypeShares
	ContextShares   = core.ContextShares
	OperatorShares  = core.OperatorShares
	ConstantShares  = core.ConstantShares
	StatementShares = core.StatementShares
	NestShares      = nests.Shares
	TripShares      = trips.Shares
	SimdShares      = vectors.Shares
	LaneShares      = lanes.Shares
	AggregateShares = aggregates.Shares
	ShapeShares     = core.ShapeShares
	MachineShares   = machine.Shares
	BranchShares    = core.BranchShares
	RecordShares    = core.RecordShares
	PointerShares   = core.PointerShares
	FloatShares     = core.FloatShares
	VectorShares    = core.VectorShares
	ProductShares   = products.Shares
	ParamShares     = core.ParamShares
	WidthShares     = widths.Shares
)

// core returns the shares of what no shape declares.
func (p *Policy) core() core.Policy {
	return core.Policy{
		TypeShares:      p.TypeShares,
		ContextShares:   p.ContextShares,
		OperatorShares:  p.OperatorShares,
		ConstantShares:  p.ConstantShares,
		StatementShares: p.StatementShares,
		ShapeShares:     p.ShapeShares,
		BranchShares:    p.BranchShares,
		RecordShares:    p.RecordShares,
		PointerShares:   p.PointerShares,
		FloatShares:     p.FloatShares,
		VectorShares:    p.VectorShares,
		ParamShares:     p.ParamShares,
	}
}

// shapes returns the shapes in the order in which they draw.
func (p *Policy) shapes() []core.Shape {
	if *p == (Policy{}) {
		return nil
	}
	return []core.Shape{
		idioms.Shape{}, &p.ProductShares, &p.WidthShares, &p.NestShares, &p.MachineShares, nests.Branches{},
		&p.TripShares, &p.LaneShares, &p.AggregateShares, &p.SimdShares,
	}
}

// FactShares are for assumptions and hints for compilers.
type FactShares struct {
	// share of statements and terminators with an assumption before them; see package fact
	Facts int `feature:"facts" typical:"20" about:"assumptions, hints of branches, attributes that are true"`
}

// A Share is one distribution of a Policy, whose only declaration is the field: its tags say the rest.
type Share struct {
	Name    string
	Feature string // the feature that it belongs to; see reify.Features
	Typical int    // its value if the feature is asked for by name
	About   string // a sentence about the feature, if the share is its first one
	Scalars int    // those at most that a function with it has beside its other variables
	index   []int
}

// At returns the distribution in p.
func (s Share) At(p *Policy) *int {
	return reflect.ValueOf(p).Elem().Field(s.index[0]).Field(s.index[1]).Addr().Interface().(*int)
}

// Shares returns the distributions of a Policy, in its order. The list must not be
// changed.
var Shares = sync.OnceValue(func() (list []Share) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Policy]()) {
		if f.Anonymous {
			continue
		}
		list = append(list, Share{
			Name: f.Name, Feature: f.Tag.Get("feature"), Typical: number(f.Tag.Get("typical")),
			About: f.Tag.Get("about"), Scalars: number(f.Tag.Get("scalars")), index: f.Index,
		})
	}
	return list
})

// number returns the number in a tag, which is 0 if there is none.
func number(tag string) int {
	if tag == "" {
		return 0
	}
	n, err := strconv.Atoi(tag)
	if err != nil {
		panic("sketch: tag of Policy: " + err.Error())
	}
	return n
}

// Scalars returns an upper bound of the scalars that a function has for its shapes.
func (p *Policy) Scalars() (n int) {
	for _, share := range Shares() {
		if share.Scalars > 0 && *share.At(p) > 0 {
			n += share.Scalars
		}
	}
	return n
}

// validate returns an error that names the first distribution out of bounds.
func (p *Policy) validate() error {
	all := reflect.ValueOf(p).Elem()
	for i := range all.NumField() {
		for j, group := 0, all.Field(i); j < group.NumField(); j++ {
			if v := group.Field(j).Int(); v < 0 || v > 100 {
				return fmt.Errorf("%s is %d, must be in [0, 100]", group.Type().Field(j).Name, v)
			}
		}
	}
	return nil
}
