package c

import (
	"bytes"
	"strconv"

	"goreify/reify/ir"
)

// head writes the text before the functions of a file.
func (w *whole) head(file int) {
	if w.files > 1 && file != w.main {
		w.str("/* A part of a program that checks itself; main is in another file. */\n")
	} else {
		w.str(`/*
 * A program that checks itself. It prints a checksum of the answers of its functions, and exits
 * with status 0 if it is right, and 1 if it is wrong.
 */

int printf(const char *, ...);
`)
		if w.style.Debug {
			w.str("void exit(int);\n")
		}
	}
	var noinline, noclone bool
	for i, u := range w.units {
		noinline = noinline || u.Style.NoInline
		noclone = noclone || w.style.of(i).NoClone
	}
	var macros []macro
	if file == w.main {
		macros = append(macros, macro{noipaMacro, "noinline", "noipa"})
	}
	if noinline {
		macros = append(macros, macro{noinlineMacro, "noinline", "noinline"})
	}
	if noclone {
		macros = append(macros, macro{nocloneMacro, "", "noclone"})
	}
	w.define(macros)

	linkage := ""
	if w.files == 1 {
		linkage = "static "
	}
	if file != w.main {
		w.str("\n" + crcHead + ";\n")
		if sumsArrays(w.units) {
			w.str(crcArrayHead + ";\n")
		}
		if w.style.Debug {
			w.str(expectHead + ";\n")
		}
		return
	}
	w.crc(linkage, w.units)
	if w.style.Debug {
		w.str("\n/* Ends the program if a call has not returned what it should. */\n")
		w.str(noipaMacro + " " + linkage + expectHead + expectBody)
	}
}

const expectHead = "unsigned long long " + expectFunc + "(unsigned long long got, unsigned long long want, const char *name)"

// blame begins the line of a program that asserts the answers of calls, if one
// is wrong. The name of the function called comes after it.
const blame = "wrong: "

// Blamed returns the function that the output of EmitProgram's program with Debug
// names, the first one whose answer is wrong, or "" if it names no function.
func Blamed(stdout []byte) string {
	if name, blamed := bytes.CutPrefix(bytes.TrimSpace(stdout), []byte(blame)); blamed {
		return string(name)
	}
	return ""
}

const expectBody = `
{
    if (got != want) {
        printf("` + blame + `%s\n", name);
        exit(1);
    }
    return got;
}
`

// driver writes main and the function that makes the calls of the cases. That function
// is extern so that gcc does not assume that it runs once.
func (w *whole) driver() {
	w.str("\nunsigned " + runFunc + "(void)\n{\n    unsigned crc = 0;\n\n")
	for _, c := range w.program.Claims {
		w.caseCall(c)
	}
	w.str("    return crc;\n}\n\nint main(void)\n{\n    unsigned crc = " + runFunc + "();\n\n")
	w.str("    printf(\"%u\\n\", crc);\n    return crc != ")
	w.str(strconv.FormatUint(uint64(fold(w.program.Claims)), 10) + "u;\n}\n")
}

// caseCall writes the call for c, which extends the checksum by its answer.
func (w *whole) caseCall(c *ir.Claim) {
	i := w.index[c.Func]
	params := c.Func.Params()
	depth := 1
	var args []string // the variables that hold them, if there are any
	if w.units[i].Style.VolatileArgs && len(params) > 0 {
		w.line(1, "{")
		depth = 2
		taken := scope{"crc": true, expectFunc: true, w.names[i].fn: true}
		for k, v := range params {
			args = append(args, taken.add(v.Name))
			w.begin(depth)
			w.str("volatile " + typeName(v.Type.(ir.Int)) + " " + args[k] + " = ")
			w.constant(v.Type.(ir.Int), c.Args[k])
			w.str(";\n")
		}
	}
	w.begin(depth)
	w.str("crc = " + crcFunc + "(crc, ")
	if w.style.Debug {
		w.str(expectFunc + "(")
	}
	f := w.function(i)
	w.buf = f.appendInvocation(w.buf, func(text []byte, k int) []byte {
		if args != nil {
			return append(text, args[k]...)
		}
		return appendConst(text, params[k].Type.(ir.Int), c.Args[k])
	})
	if w.style.Debug {
		w.buf = appendExpected(w.buf, c.Want, w.names[i].fn)
	}
	w.str(", ")
	w.int(c.Func.Result.Bytes())
	w.str(");\n")
	if depth == 2 {
		w.line(1, "}")
	}
}
