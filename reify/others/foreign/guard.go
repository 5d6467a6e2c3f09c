package foreign

import (
	"fmt"
	"regexp"
	"strings"
)

// place declares the function by which the driver gives objects their memory, and those
// for copies and sets. Without these, gcc makes one access of copies of a few bytes. An
// object whose address is not used otherwise then lies outside of the memory that the
// sanitizer watches. None of them takes a null pointer, even for no bytes.
const place = `static void *reify_place(int, __SIZE_TYPE__, __SIZE_TYPE__);
__attribute__((nonnull)) void *memcpy(void *, const void *, __SIZE_TYPE__);
__attribute__((nonnull)) void *memmove(void *, const void *, __SIZE_TYPE__);
__attribute__((nonnull)) void *memset(void *, int, __SIZE_TYPE__);
`

// called are arguments that have compilers call these.
var called = []string{"-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset"}

// local finds the declarations of a proxy's buffers, structs and cursors, as writer
// writes them; word finds the uses of these that are not fields.
var (
	local = regexp.MustCompile(`(?m)^\t([\w *]*[ *])([bpq]\d+)((?:\[\d+\])*)( __attribute__\(\(aligned\(16\)\)\)| = __builtin_alloca\((\d+)\))?;$`)
	word  = regexp.MustCompile(`[\w.]+`)
	calls = regexp.MustCompile(`\b__builtin_(memcpy|memmove|memset)\b`)
)

// guard returns the text of a function with such objects moved off the stack of the
// proxy, and their number. Each of them lies alone in memory of the driver, so that no
// access from one of them, or past it, hits another. The statements are the same.
func guard(f *Function) (text string, objects int) {
	text = calls.ReplaceAllString(f.Text, "$1")
	at := strings.LastIndex(text, "\n{\n")
	if at < 0 {
		return text, 0
	}
	slice, proxy := text[:at], text[at:]
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
