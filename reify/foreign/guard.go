package foreign

import (
	"fmt"
	"regexp"
	"strings"
)

// place declares what the driver gives objects their memory by.
const place = "static void *reify_place(int, __SIZE_TYPE__, __SIZE_TYPE__);\n"

// local finds the declarations of a proxy's buffers, structs and cursors, as writer has them,
// and word the mentions of these that are no fields.
var (
	local = regexp.MustCompile(`(?m)^\t([\w *]*[ *])([bpq]\d+)((?:\[\d+\])*)( __attribute__\(\(aligned\(16\)\)\)| = __builtin_alloca\((\d+)\))?;$`)
	word  = regexp.MustCompile(`[\w.]+`)
)

// guard returns the text of a function whose proxy has no such object on the stack, and how
// many it has. Each of them lies alone in memory of the driver, so that no access from one of
// them, or past it, hits another. The statements are the same.
func guard(f *Function) (text string, objects int) {
	at := strings.LastIndex(f.Text, "\n{\n")
	if at < 0 {
		return f.Text, 0
	}
	slice, proxy := f.Text[:at], f.Text[at:]
	mentioned := map[string]bool{}
	proxy = local.ReplaceAllStringFunc(proxy, func(d string) string {
		m := local.FindStringSubmatch(d)
		objects++
		if m[5] != "" {
			return fmt.Sprintf("\t%s%s = reify_place(%d, %s, 16);", m[1], m[2], objects-1, m[5])
		}
		mentioned[m[2]] = true
		align := fmt.Sprintf("__alignof__(*reify_%s)", m[2])
		if m[4] != "" {
			align = "16"
		}
		return fmt.Sprintf("\t%s(*reify_%s)%s = reify_place(%d, sizeof *reify_%s, %s);", m[1], m[2], m[3], objects-1, m[2], align)
	})
	proxy = word.ReplaceAllStringFunc(proxy, func(w string) string {
		name, field, _ := strings.Cut(w, ".")
		if !mentioned[name] {
			return w
		}
		if field != "" {
			field = "." + field
		}
		return "(*reify_" + name + ")" + field
	})
	return slice + proxy, objects
}
