package language

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A text in LLVM IR is right only if it prints its answers and ends, by all that it promises.
func TestExecute(t *testing.T) {
	const print = "  call i32 (ptr, ...) @printf(ptr @text, i32 %a)\n"
	for name, tt := range map[string]struct {
		body        string
		big         bool
		output      string
		ends, known bool
	}{
		"right":          {"%a = add nsw i32 3, 4\n" + print + "ret i32 0", false, "7\n", true, true},
		"a status":       {"%a = add nsw i32 3, 4\n" + print + "ret i32 1", false, "7\n", false, true},
		"poison":         {"%a = add nsw i32 2147483647, 1\n" + print + "ret i32 0", false, "poison\n", true, true},
		"undefined then": {"%a = add i32 3, 4\n" + print + "%b = udiv i32 %a, 0\nret i32 0", false, "7\n", false, true},
		"a false range":  {"%a = load i32, ptr @g, !range !{i32 1, i32 2}, !noundef !{}\n" + print + "ret i32 0", false, "", false, true},
		"out of bounds":  {"%p = getelementptr inbounds i32, ptr @g, i64 2\n%b = ptrtoint ptr %p to i64\n%c = xor i64 %b, %b\n%a = trunc i64 %c to i32\n" + print + "ret i32 0", false, "poison\n", true, true},
		"low first":      {"%b = load i8, ptr @g\n%a = zext i8 %b to i32\n" + print + "ret i32 0", false, "7\n", true, true},
		"high first":     {"%b = load i8, ptr @g\n%a = zext i8 %b to i32\n" + print + "ret i32 0", true, "0\n", true, true},
		"endless":        {"br label %1\n1:\nbr label %1", false, "", false, false},
		"a call inside":  {"%a = call i32 @main(i32 %n, ptr %v)\nret i32 %a", false, "", false, false},
		"not known":      {"fence seq_cst\nret i32 0", false, "", false, false},
	} {
		text := "@g = global i32 7\n@text = private constant [4 x i8] c\"%d\\0A\\00\"\ndeclare i32 @printf(ptr, ...)\ndefine i32 @main(i32 %n, ptr %v) {\n" + tt.body + "\n}\n"
		output, ends, known := LLVM.Execute(text, tt.big)
		assert.Equal(t, tt.known, known, name)
		assert.Equal(t, tt.ends, ends, name)
		assert.Equal(t, tt.output, output, name)
	}
}
