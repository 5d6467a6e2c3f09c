package reduce

import "goreify/reify/ir"

// table returns the passes, coarse to fine.
func table() []pass {
	return []pass{
		// Whole functions and regions.
		{name: "callees", edits: callees, order: alone},
		{name: "constant calls", edits: constantCalls},
		{name: "path start", edits: cutStart, order: bold},
		{name: "one way", edits: oneWay},
		{name: "off path", edits: offPath},
		{name: "path end", edits: cutEnd, order: bold},
		{name: "dead", edits: dead},
		// Blocks, edges and statements.
		{name: "skip blocks", edits: skipBlocks, rescue: true},
		{name: "statements", edits: removeStatements, rescue: true},
		{name: "last way", edits: lastWay, rescue: true},
		{name: "other ways", edits: otherWays, order: alone, rescue: true},
		{name: "skip other ways", edits: skipOtherWays, order: alone, rescue: true},
		{name: "edges", edits: edges, order: alone},
		{name: "labels", edits: labels},
		{name: "switches", edits: switches},
		{name: "merge blocks", edits: mergeBlocks},
	}
}

// dead lists what tidy does, for programs whose failure does not survive all of
// it at once.
func dead(p *ir.Program, _ *run) []edit {
	edits := []edit{func() { dropFuncs(p) }}
	for _, f := range p.Funcs {
		edits = append(edits, func() { dropBlocks(f) }, func() { dropVars(p, f) }, func() { dropTypes(f) })
	}
	return edits
}
