package language

import (
	"errors"
	"fmt"
	"strings"

	"goreify/compilers"
	"goreify/reify"
	"goreify/reify/answers"
	"goreify/reify/choice"
	"goreify/reify/emit/frame"
	"goreify/reify/ir"
)

// Sh is a toy: the shell, whose arithmetic has 64 bits, and its row.
var Sh = &Language{
	Name: "Sh", Short: "sh", Prefix: "sh-", Usual: "sh", Cells: 100, Masked: reify.Features(), Voucher: C,
	Supports: supportsSh, Write: writeSh, Members: noMembers,
	Commands:  func(files []compilers.File) []string { return []string{"sh " + files[0].Name} },
	BodyLines: func(source string) int { return strings.Count(source, "))\n") },
	plain:     func(string) []string { return []string{shStyle{}.String()} },
}

func init() {
	Sh.DrawStyle, Sh.ParseStyle = style(func(*choice.Stream) (s shStyle) { return s }, func(text string) (s shStyle, err error) { return s, frame.Parse(text, " of sh", nil) })
	languages = append(languages, Sh)
}

type shStyle struct{}

func (shStyle) String() string { return frame.Text(nil) }

var errSh = errors.New("cannot be written in sh")

// supportsSh takes functions of integers of up to 32 bits, in variables.
func supportsSh(f *ir.Function) (err error) {
	for _, v := range f.Vars {
		if t, ok := v.Type.(ir.Int); !ok || t.Bits > 32 || v.Kind.Lasts() {
			err = errSh
		}
	}
	for n := range f.Nodes() {
		ir.Any(n, func(n ir.Node) bool {
			switch e := n.(type) {
			case *ir.Load, *ir.Const, *ir.Unary, *ir.Binary, *ir.Convert:
				if t, ok := e.(ir.Expr).Type().(ir.Int); !ok || t.Bits > 32 {
					err = errSh
				}
			case *ir.Assign, *ir.VarRef, *ir.Checksum:
			default:
				err = errSh
			}
			return false
		})
	}
	return err
}

const crcSh = `crc() {
x=$((crc ^ 4294967295)) v=$1 n=$(($2 * 8))
while [ $n -gt 0 ]; do x=$((x >> 1 ^ (3988292384 & -((x ^ v) & 1)))) v=$((v >> 1)) n=$((n - 1)); done
crc=$((x ^ 4294967295))
}
`

func writeSh(list []Unit) Text {
	text, lines := crcSh, []string(nil)
	for _, u := range unitsOf[shStyle](list) {
		f := u.Claim.Func
		text += f.Name + "() {\n"
		for i, v := range f.Vars {
			if v.Kind == ir.Param {
				text += fmt.Sprintf("v%d=$%d\n", v.Index, i+1)
			} else {
				text += storeSh(v, v.Init[0])
			}
		}
		text += "at=0\nwhile :; do case $at in\n"
		for i, b := range f.Blocks {
			text += fmt.Sprintf("%d)\n", i)
			for _, s := range b.Stmts {
				text += storeSh(s.(*ir.Assign).Dst.(*ir.VarRef).Var, s.(*ir.Assign).Src)
			}
			switch e := b.Term.(type) {
			case *ir.Goto:
				text += fmt.Sprintf("at=%d ;;\n", e.To.Index)
			case *ir.If:
				text += fmt.Sprintf("at=$((%s ? %d : %d)) ;;\n", exprSh(e.Cond), e.Then.Index, e.Else.Index)
			case *ir.Return:
				text += storeSh(&ir.Var{Index: 99}, e.Val) + "return ;;\n"
			}
		}
		text += "esac; done\n}\n"
		for i, c := range u.Claims() {
			text += fmt.Sprintf("%s %s\necho '%s' $v99\n", f.Name, strings.Join(frame.Args(c), " "), answers.Name(f.Name, i))
		}
		lines = append(lines, frame.Lines(f.Name, u.Answers((*ir.Claim).Answer, nil)))
	}
	return printed{"repro.sh", []byte(text), lines}
}

func storeSh(to *ir.Var, e ir.Expr) (text string) {
	sum, ok := e.(*ir.Checksum)
	if !ok {
		return fmt.Sprintf("v%d=$((%s))\n", to.Index, exprSh(e))
	}
	for _, v := range sum.Of {
		text += fmt.Sprintf("crc $v%d %d\n", v.Index, v.Type.(ir.Int).Bytes())
	}
	return fmt.Sprintf("crc=0\n%sv%d=$crc\n", text, to.Index)
}

func exprSh(e ir.Expr) (text string) {
	switch e := e.(type) {
	case *ir.Const:
		return fmt.Sprintf("(%d)", e.V)
	case *ir.Load:
		return fmt.Sprintf("v%d", e.Place.(*ir.VarRef).Var.Index)
	case *ir.Unary:
		text = fmt.Sprintf("%s %s", e.Op, exprSh(e.X))
	case *ir.Binary:
		text = fmt.Sprintf("(%s %s %s)", exprSh(e.X), e.Op, exprSh(e.Y))
	case *ir.Convert:
		text = exprSh(e.X)
	}
	if t := ir.IntOf(e); t.Signed { // the low bits, with the sign of the highest
		return fmt.Sprintf("((%s & %d ^ %d) - %[3]d)", text, uint64(1)<<t.Bits-1, uint64(1)<<(t.Bits-1))
	} else {
		return fmt.Sprintf("(%s & %d)", text, uint64(1)<<t.Bits-1)
	}
}
