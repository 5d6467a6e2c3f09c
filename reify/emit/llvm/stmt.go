package llvm

import (
	"fmt"

	"goreify/reify/ir"
)

// stmt writes a statement.
func (f *function) stmt(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Assign:
		f.assign(s)
	case *ir.Overflow:
		f.overflow(s)
	case *ir.Transfer:
		dst, src := f.expr(s.Dst), f.expr(s.Src)
		n := f.bytes(s.N, pointer(s.Dst).Elem)
		name := "llvm." + s.Name() + ".p0.p0.i64"
		f.line("call void %s(ptr %s, ptr %s, i64 %s, i1 false)", f.need(name, "declare void @"+name+"(ptr, ptr, i64, i1)"), dst, src, n)
	case *ir.Fill:
		dst := f.expr(s.Dst)
		b := f.resize(f.expr(s.Byte), ir.IntOf(s.Byte).Bits, 8, false)
		n := f.bytes(s.N, pointer(s.Dst).Elem)
		name := "llvm.memset.p0.i64"
		f.line("call void %s(ptr %s, i8 %s, i64 %s, i1 false)", f.need(name, "declare void @"+name+"(ptr, i8, i64, i1)"), dst, b, n)
	case *ir.Unreachable:
		f.line("unreachable")
		f.begin(f.within("dead"))
	case *ir.Assume:
		c := f.cond(s.Cond)
		if !s.Guard {
			f.line("call void %s(i1 %s)", f.need("llvm.assume", "declare void @llvm.assume(i1)"), c)
			return
		}
		holds, not := f.within("holds"), f.within("not")
		f.line("br i1 %s, label %%%s, label %%%s", c, holds, not)
		f.begin(not)
		f.line("unreachable")
		f.begin(holds)
	default:
		panic(fmt.Sprintf("emit/llvm: unknown statement %T", s))
	}
}

// bytes returns the size of n objects of a type, as an i64.
func (f *function) bytes(n ir.Expr, t ir.Type) string {
	return f.def("mul i64 %s, %s", f.index(n), f.size(t))
}

// size returns the size of an object of a type, as a constant expression.
func (f *function) size(t ir.Type) string {
	return fmt.Sprintf("ptrtoint (ptr getelementptr (%s, ptr null, i64 1) to i64)", f.mem(t))
}

func (f *function) assign(s *ir.Assign) {
	if _, ok := s.Dst.Type().(*ir.Record); ok {
		src := f.locate(s.Src.(*ir.Load).Place)
		dst := f.locate(s.Dst)
		if src.volatile || dst.volatile {
			f.line("call void %s(ptr %s, ptr %s, i64 %s, i1 true)", f.memmove(), dst.ptr, src.ptr, f.size(src.t))
			return
		}
		f.line("call void %s(ptr %s, ptr %s, i64 %s, i1 false)", f.memmove(), dst.ptr, src.ptr, f.size(src.t))
		return
	}
	x := f.expr(s.Src)
	f.store(s.Dst, x)
}

// memmove returns the function that copies a record to itself, or elsewhere.
func (f *function) memmove() string {
	const name = "llvm.memmove.p0.p0.i64"
	return f.need(name, "declare void @"+name+"(ptr, ptr, i64, i1)")
}

var overflowNames = map[ir.Op]string{ir.Add: "add", ir.Sub: "sub", ir.Mul: "mul"}

// overflow writes a sum, difference or product that tells whether it has wrapped.
func (f *function) overflow(s *ir.Overflow) {
	x, y := f.expr(s.X), f.expr(s.Y)
	tx, ty := ir.IntOf(s.X), ir.IntOf(s.Y)
	dst := f.locate(s.Dst)
	td := dst.t.(ir.Int)
	var result, flag string
	if tx == ty && tx == td {
		result, flag = f.withOverflow(s.Op, value(td), td.Signed, x, y)
	} else {
		const bits = 130 // hold any result
		x, y = f.resize(x, tx.Bits, bits, tx.Signed), f.resize(y, ty.Bits, bits, ty.Signed)
		all := f.def("%s i%d %s, %s", overflowNames[s.Op], bits, x, y)
		result = f.resize(all, bits, td.Bits, false)
		again := f.resize(result, td.Bits, bits, td.Signed)
		flag = f.def("icmp ne i%d %s, %s", bits, all, again)
	}
	f.storeTo(dst, result)
	to := f.locate(s.Flag)
	f.storeTo(to, f.resize(flag, 1, to.t.(ir.Int).Bits, false))
}

// withOverflow calls the intrinsic of an operator.
func (f *function) withOverflow(op ir.Op, t string, signed bool, x, y string) (result, flag string) {
	name := "llvm." + sign(signed) + overflowNames[op] + ".with.overflow." + t
	both := f.def("call { %s, i1 } %s(%s %s, %s %s)", t, f.need(name, fmt.Sprintf("declare { %s, i1 } @%s(%s, %s)", t, name, t, t)), t, x, t, y)
	return f.def("extractvalue { %s, i1 } %s, 0", t, both), f.def("extractvalue { %s, i1 } %s, 1", t, both)
}

// sign returns the letter that names of operations on integers begin with.
func sign(signed bool) string {
	if signed {
		return "s"
	}
	return "u"
}
