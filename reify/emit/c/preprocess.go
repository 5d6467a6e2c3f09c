package c

import (
	"go/constant"
	gotoken "go/token"
	"go/types"
	"regexp"
	"strconv"
	"strings"
)

var (
	condition  = regexp.MustCompile(`^#(ifdef|if|else|endif)\b *(.*)$`)
	isDefined  = regexp.MustCompile(`defined\((\w+)\)`)
	identifier = regexp.MustCompile(`\b[A-Za-z_]\w*`)
	definition = regexp.MustCompile(`^#define (\w+)(?:\(([^)]*)\))? ?(.*)$`)
	typedef    = regexp.MustCompile(`(?m)^typedef [^{}\n]*\b(\w+)(?: __attribute__\(.*\))?;\n`)
	blank      = regexp.MustCompile(`\n{3,}`)
)

// Preprocess returns a test as one compiler reads it, which has some macros: without the
// conditions and macros by which the same text serves others. The text stays as it is if a
// condition asks for another macro, or if there are other lines of the preprocessor.
func Preprocess(text string, macros map[string]int) string {
	var out strings.Builder
	var open []bool        // the conditions around a line
	var defined [][]string // name, parameters, text
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		taken := true
		for _, c := range open {
			taken = taken && c
		}
		m := condition.FindStringSubmatch(line)
		d := definition.FindStringSubmatch(line)
		switch {
		case m != nil && m[1] == "else" && len(open) > 0:
			open[len(open)-1] = !open[len(open)-1]
		case m != nil && m[1] == "endif" && len(open) > 0:
			open = open[:len(open)-1]
		case m != nil:
			if m[1] == "ifdef" {
				m[2] = "defined(" + m[2] + ")"
			}
			holds, ok := evaluate(m[2], macros)
			if !ok {
				return text
			}
			open = append(open, holds)
		case !taken:
		case d != nil:
			defined = append(defined, d[1:])
		case strings.HasPrefix(line, "#"):
			return text
		default:
			out.WriteString(line + "\n")
		}
	}
	short := out.String()
	for changed := true; changed; {
		before := short
		for _, d := range defined {
			short = expand(short, d[0], d[1], d[2])
		}
		short = typedef.ReplaceAllStringFunc(short, func(line string) string {
			name := typedef.FindStringSubmatch(line)[1]
			if len(regexp.MustCompile(`\b`+name+`\b`).FindAllString(short, 2)) < 2 {
				return ""
			}
			return line
		})
		changed = short != before
	}
	return strings.TrimLeft(blank.ReplaceAllString(short, "\n\n"), "\n")
}

// evaluate tells whether a condition holds, whose operators Go has as well.
func evaluate(text string, macros map[string]int) (holds, ok bool) {
	text = isDefined.ReplaceAllStringFunc(text, func(s string) string {
		_, is := macros[isDefined.FindStringSubmatch(s)[1]]
		return strconv.FormatBool(is)
	})
	ok = true
	text = identifier.ReplaceAllStringFunc(text, func(s string) string {
		if s == "true" || s == "false" {
			return s
		}
		value, known := macros[s]
		ok = ok && known
		return strconv.Itoa(value)
	})
	v, err := types.Eval(gotoken.NewFileSet(), nil, gotoken.NoPos, text)
	if err != nil || !ok || v.Value == nil || v.Value.Kind() != constant.Bool {
		return false, false
	}
	return constant.BoolVal(v.Value), true
}

// expand replaces the uses of a macro in a text. One without parameters has no parentheses.
func expand(text, name, params, body string) string {
	at := regexp.MustCompile(`\b` + name + `\b`).FindStringIndex(text)
	if at == nil {
		return text
	}
	before, rest := text[:at[0]], text[at[1]:]
	if params == "" {
		return before + body + expand(rest, name, params, body)
	}
	args, depth, begin, end := []string(nil), 0, 1, 0
	for i := 0; i < len(rest) && end == 0; i++ {
		switch c := rest[i]; {
		case c == '(' || c == '{':
			depth++
		case c == ')' || c == '}':
			if depth--; depth == 0 {
				args, end = append(args, strings.TrimSpace(rest[begin:i])), i+1
			}
		case c == ',' && depth == 1:
			args, begin = append(args, strings.TrimSpace(rest[begin:i])), i+1
		}
	}
	values := map[string]string{}
	for i, param := range strings.Split(params, ", ") {
		switch {
		case param == "...":
			values["__VA_ARGS__"] = strings.Join(args[min(i, len(args)):], ", ")
		case i < len(args):
			values[param] = args[i]
		}
	}
	text = identifier.ReplaceAllStringFunc(body, func(word string) string {
		if v, ok := values[word]; ok {
			return v
		}
		return word
	})
	return before + text + expand(rest[end:], name, params, body)
}
