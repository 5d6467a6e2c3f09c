package ll

import (
	"slices"
	"strconv"
	"strings"
)

var (
	flagWords    = []string{"nuw", "nsw", "exact", "disjoint", "nneg", "samesign"}
	addressFlags = []string{"inbounds", "nusw"} // of getelementptr
)

func (p *parser) instr() *Instr {
	i := &Instr{Type: voidType}
	if len(p.words) > 1 && p.words[1] == "=" {
		i.Name = p.sign('%')
		p.next()
	}
	i.Op = p.next()
	for i.Op == "tail" || i.Op == "musttail" || i.Op == "notail" {
		i.Op = p.next()
	}
	for slices.Contains(flagWords, p.peek()) || p.strict && slices.Contains(addressFlags, p.peek()) {
		i.Flags = append(i.Flags, p.next())
	}
	operands := func() {
		i.Args = append(i.Args, p.typed())
		for p.take(",") {
			if strings.HasPrefix(p.peek(), "!") {
				break
			}
			i.Args = append(i.Args, p.typed())
		}
	}
	switch i.Op {
	case "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor", "fadd", "fsub", "fmul", "fdiv":
		a := p.typed()
		p.want(",")
		i.Type, i.Args = a.Type, []Operand{a, p.operand(a.Type)}
	case "icmp", "fcmp":
		i.Pred = p.next()
		a := p.typed()
		p.want(",")
		i.Args = []Operand{a, p.operand(a.Type)}
		i.Type = IntType(1)
		if a.Type.Kind == Vector {
			i.Type = &Type{Kind: Vector, N: a.Type.N, Elem: IntType(1)}
		}
	case "zext", "sext", "trunc", "bitcast", "ptrtoint", "fptrunc", "fpext", "fptosi", "fptoui", "sitofp", "uitofp":
		i.Args = []Operand{p.typed()}
		p.want("to")
		i.Type = p.typ()
	case "freeze", "fneg":
		i.Args = []Operand{p.typed()}
		i.Type = i.Args[0].Type
	case "select":
		operands()
		i.Type = i.Args[1].Type
	case "phi":
		i.Type = p.typ()
		for p.take("[") {
			i.Args = append(i.Args, p.operand(i.Type))
			p.want(",")
			i.Labels = append(i.Labels, p.sign('%'))
			p.want("]")
			p.take(",")
		}
	case "br":
		if p.peek() != "label" {
			i.Args = []Operand{p.typed()}
			p.want(",")
		}
		for p.take("label") {
			i.Labels = append(i.Labels, p.sign('%'))
			p.take(",")
		}
	case "indirectbr":
		i.Args = []Operand{p.typed()}
		p.want(",")
		p.want("[")
		for p.take("label") {
			i.Labels = append(i.Labels, p.sign('%'))
			p.take(",")
		}
		p.want("]")
	case "switch":
		i.Args = []Operand{p.typed()}
		p.want(",")
		p.want("label")
		i.Labels = []string{p.sign('%')}
		p.want("[")
		for !p.take("]") {
			i.Args = append(i.Args, p.typed())
			p.want(",")
			p.want("label")
			i.Labels = append(i.Labels, p.sign('%'))
		}
	case "ret":
		if p.peek() != "void" {
			i.Args = []Operand{p.typed()}
		}
	case "unreachable":
	case "alloca":
		i.Type, i.Elem = ptrType, p.typ()
		if len(p.words) > 1 && p.words[0] == "," && p.words[1] != "align" && p.words[1][0] != '!' {
			fail("the size of an alloca")
		}
		i.Align, _ = p.rest()
	case "load":
		i.memory(p)
		i.Type = p.typ()
		p.want(",")
		i.Args = []Operand{p.typed()}
		align, promise := p.rest()
		i.Align = align
		if promise != (Promise{}) {
			i.Promises = []Promise{promise}
		}
	case "store":
		i.memory(p)
		v := p.typed()
		p.want(",")
		i.Args = []Operand{v, p.typed()}
		i.Align, _ = p.rest()
	case "getelementptr":
		p.attributes()
		i.Type, i.Elem = ptrType, p.typ()
		p.want(",")
		operands()
	case "extractelement":
		operands()
		i.Type = i.Args[0].Type.Elem
	case "insertelement":
		operands()
		i.Type = i.Args[0].Type
	case "shufflevector":
		operands()
		if len(i.Args) != 3 || i.Args[2].Local != "" {
			fail("the mask of a shuffle")
		}
		for _, l := range i.Args[2].Const {
			n := -1
			if !l.Poison {
				n = int(l.N.Int64())
			}
			i.Index = append(i.Index, n)
		}
		i.Args = i.Args[:2]
		i.Type = &Type{Kind: Vector, N: len(i.Index), Elem: i.Args[0].Type.Elem}
	case "extractvalue", "insertvalue":
		i.Args = []Operand{p.typed()}
		if i.Op == "insertvalue" {
			p.want(",")
			i.Args = append(i.Args, p.typed())
		}
		i.Type = i.Args[0].Type
		for p.take(",") {
			n, err := strconv.Atoi(p.peek())
			if err != nil {
				break
			}
			p.next()
			i.Index = append(i.Index, n)
			if i.Op == "extractvalue" {
				if i.Type.Kind == Array {
					i.Type = i.Type.Elem
				} else {
					i.Type = i.Type.Fields[n]
				}
			}
		}
	case "call":
		p.call(i)
	default:
		fail("instruction %s", i.Op)
	}
	return i
}

// memory reads the words of a load or a store.
func (i *Instr) memory(p *parser) {
	if p.peek() == "atomic" {
		fail("an atomic access")
	}
	i.Volatile = p.take("volatile")
}

// call reads a call behind its word.
func (p *parser) call(i *Instr) {
	convention := ""
	if slices.Contains(conventions, p.peek()) {
		convention = p.next()
	}
	extension, promise := p.attributes()
	i.Attrs, i.Promises = []string{convention, extension}, []Promise{promise}
	i.Type = p.typ()
	if p.peek() == "(" { // the type of the function
		p.skipBrackets()
		i.Elem = i.Type
	}
	i.Callee = p.sign('@')
	p.want("(")
	for !p.take(")") {
		if p.peek() == "metadata" {
			fail("metadata")
		}
		t := p.typ()
		extension, promise := p.attributes()
		i.Attrs, i.Promises = append(i.Attrs, extension), append(i.Promises, promise)
		i.Args = append(i.Args, p.operand(t))
		p.take(",")
	}
	if !slices.ContainsFunc(i.Promises, func(p Promise) bool { return p != Promise{} }) {
		i.Promises = nil
	}
	if p.peek() == "[" {
		p.words = nil // operand bundles are promises
	}
}
