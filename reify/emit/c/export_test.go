package c

import "goreify/reify/ir"

// FileNames returns the identifiers that the text of EmitTest has at file
// scope, in no particular order.
func FileNames(p *ir.Program, form TestForm) []string {
	w := newTest(p, form)
	list := []string{crcFunc, crcArrayFunc, crcPoly, floatBits(ir.F32), floatBits(ir.F64), "main", "test"}
	for name := range w.atFile {
		list = append(list, name)
	}
	for _, n := range w.names {
		list = append(append(list, n.records...), n.params, n.result)
	}
	if form.GlobalArgs {
		for _, v := range p.Claims[0].Func.Params() {
			list = append(list, globalName(v.Name), globalName(v.Name)+"_2")
		}
	}
	return list
}
