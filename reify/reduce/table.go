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
		{name: "results", edits: results, order: alone},
		{name: "checksums", edits: checksums, milestone: true},
		// Blocks, edges and statements.
		{name: "skip blocks", edits: skipBlocks, rescue: true},
		{name: "statements", edits: removeStatements, rescue: true},
		{name: "last way", edits: lastWay, rescue: true},
		{name: "other ways", edits: otherWays, order: alone, rescue: true},
		{name: "skip other ways", edits: skipOtherWays, order: alone, rescue: true},
		{name: "edges", edits: edges, order: alone},
		{name: "labels", edits: labels},
		{name: "switches", edits: switches},
		{name: "merge blocks", edits: mergeBlocks, milestone: true},
		// Expressions.
		{name: "known values", edits: knownValues},
		{name: "first operands", edits: firstOperands},
		{name: "other operands", edits: otherOperands},
		{name: "leaves", edits: leaves},
		{name: "zeros", edits: zeros},
		{name: "ones", edits: ones},
		{name: "plainer", edits: plainer},
		{name: "overflow", edits: overflows},
		{name: "copies", edits: copies},
		{name: "forwarded", edits: forwarded},
		{name: "floats", edits: floats},
		{name: "vectors", edits: vectors},
		{name: "wides", edits: wides},
		{name: "pointers", edits: pointers},
		{name: "direct", edits: directs, milestone: true},
		// Variables and types.
		{name: "parameters", edits: parameters},
		{name: "const and volatile", edits: unqualified},
		{name: "locals", edits: locals},
		{name: "fields", edits: fields},
		{name: "split", edits: split},
		{name: "records", edits: unrecorded},
		{name: "flatter", edits: flatter},
		{name: "shorter arrays", edits: shorterArrays},
		{name: "merged", edits: merged},
		{name: "uninitialised", edits: uninitialised},
		{name: "initialised", edits: initialised},
		{name: "types", edits: types, order: alone},
		{name: "variable types", edits: variableTypes},
		{name: "zero constants", edits: zeroConstants},
		// Variables that are read, when nothing else gets smaller.
		{name: "one constants", edits: oneConstants, last: true},
		{name: "simpler constants", edits: simplerConstants, last: true},
		{name: "names", edits: shortNames, last: true},
		{name: "answers", edits: answers, last: true},
	}
}

// dead lists the removals of tidy, for programs whose failure does not survive all of
// them at once.
func dead(p *ir.Program, _ *run) []edit {
	edits := []edit{func() { dropFuncs(p) }}
	for _, f := range ours(p) {
		edits = append(edits, func() { dropBlocks(f) }, func() { dropVars(p, f) }, func() { dropTypes(f) })
	}
	return edits
}
