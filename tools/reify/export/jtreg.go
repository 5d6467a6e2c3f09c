package export

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf16"

	"goreify/compilers"
	machines "goreify/compilers/jvm"
	"goreify/corpus"
	"goreify/reify/emit/jvm"
	"goreify/reify/ir"
)

// Requests of a class that goreify writes, as its Repro.java has them.
const (
	requestReset = 1
	requestCall  = 2
)

// calls returns the program of the test, whose claims are the calls that it makes.
func (t Test) calls() (*ir.Program, error) {
	text := t.ReducedProgram
	if t.Reduced == "" {
		text = t.Program
	}
	if text == "" {
		return nil, fmt.Errorf("its calls are not known: %w", ErrNotForThis)
	}
	return ir.Parse(text)
}

// sourceFile is the member that says the reduced test in Java.
const sourceFile = jvm.SourceClass + ".java"

// sourced writes the test in Java, and one that compares what it prints.
func sourced(t Test, text string) []corpus.File {
	flags, _ := t.machineFlags()
	test := class1(t.Name)
	program := test + "Program"
	want := strings.TrimSpace(t.want())
	text = regexp.MustCompile(`\b`+jvm.SourceClass+`\b`).ReplaceAllString(text, program)
	return []corpus.File{{Name: test + ".java", Content: fmt.Appendf(nil, `/*
 * @test
 * @summary %s
 * @compile %s.java
 * @run %s
 */
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

public class %s {
    public static void main(String[] args) throws Exception {
        PrintStream was = System.out;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out));
        %s.main(args);
        System.out.flush();
        System.setOut(was);
        String got = out.toString().trim(), want = %s;
        if (!got.equals(want)) {
            throw new AssertionError("got " + got + ", want " + want);
        }
    }
}
`, t.origin(), program, strings.Join(append(append([]string{"main/othervm"}, flags...), test), " "), test, program, javaString(want))},
		{Name: program + ".java", Content: []byte(text)}}
}

// harmless are flags that change only how a program is compiled. All others are left out:
// some run commands, or write files.
var (
	harmless = regexp.MustCompile(`^-X(?:batch|comp|int|mixed|ss\d+[kKmM]?|X:[+-]\w+|X:\w+=\d+[kKmMgG]?|X:CompileCommand=\w+,[\w:.*]+)$`)
	number   = regexp.MustCompile(`^\d{1,9}$`)
)

// machineFlags returns the flags of the command of a test, and how often each call is made.
func (t Test) machineFlags() (flags []string, times string) {
	command := t.Command
	if t.Reduced != "" {
		command = t.ReducedCommand
	}
	times = "1"
	for _, word := range strings.Fields(strings.ReplaceAll(command, "'", "")) {
		if harmless.MatchString(word) {
			flags = append(flags, word)
		}
		if n, ok := strings.CutPrefix(word, "-Dtrain="); ok && number.MatchString(n) {
			times = n
		}
	}
	return flags, times
}

// jtreg writes a program in Java, or else a class in jasm, and a test that makes its calls.
func jtreg(_ context.Context, t Test) ([]corpus.File, error) {
	if text := t.Members[sourceFile]; t.Reduced != "" && text != "" {
		return sourced(t, text), nil
	}
	hex, err := t.source()
	if err != nil {
		return nil, err
	}
	binary, err := machines.Decode([]byte(hex))
	if err != nil {
		return nil, err
	}
	class, err := jvm.Text(binary)
	if err != nil {
		return nil, err
	}
	p, err := t.calls()
	if err != nil {
		return nil, err
	}
	test := class1(t.Name)
	cases := test + "Cases"
	class = withoutComments(strings.NewReplacer("Cases", cases).Replace(class))

	flags, times := t.machineFlags()
	for i := range flags {
		flags[i] = strings.ReplaceAll(flags[i], "Cases", cases)
	}
	main := "main/othervm"
	if t.Verdict == compilers.SlowCompile.String() || t.Verdict == compilers.Endless.String() {
		main += "/timeout=60"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "/*\n * @test\n * @summary %s\n * @compile %s.jasm\n * @run %s %s %s\n */\n", t.origin(), cases, main, strings.Join(flags, " "), test)
	fmt.Fprintf(&b, "public class %s {\n    public static void main(String[] args) {\n        %s cases = new %s();\n        for (int i = 0; i < %s; i++) {\n", test, cases, cases, times)
	for i, k := range p.Claims {
		if k.Trap != "" {
			return nil, fmt.Errorf("@%s ends in an exception: %w", k.Func.Name, ErrNotForThis)
		}
		request := []string{"0", fmt.Sprint(i)}
		for _, a := range k.Args {
			request = append(request, fmt.Sprint(a)+"L")
		}
		want := k.Want
		if k.Func.Result == ir.U32 {
			want = int64(int32(want)) // an int becomes a long
		}
		for _, r := range []int{requestReset, requestCall} {
			request[0] = fmt.Sprint(r)
			call := fmt.Sprintf("cases.applyAsLong(new long[] {%s})", strings.Join(request, ", "))
			if r == requestCall {
				call = fmt.Sprintf("check(%s, %s, %dL)", javaString(k.Func.Name), call, want)
			}
			fmt.Fprintf(&b, "            %s;\n", call)
		}
	}
	b.WriteString(`        }
    }

    static void check(String name, long got, long want) {
        if (got != want) {
            throw new AssertionError(name + ": got " + got + ", want " + want);
        }
    }
}
`)
	return []corpus.File{{Name: test + ".java", Content: []byte(b.String())}, {Name: cases + ".jasm", Content: []byte(class)}}, nil
}

// javaString returns a constant of Java, whose escapes are not those of Go: one of Unicode is read before
// all else, so that a line break would be one.
func javaString(text string) string {
	var b strings.Builder
	for _, c := range utf16.Encode([]rune(text)) {
		switch {
		case c == '"' || c == '\\':
			fmt.Fprintf(&b, `\%c`, c)
		case c >= ' ' && c < 0x7f:
			b.WriteByte(byte(c))
		case c < 0x100:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			fmt.Fprintf(&b, `\u%04x`, c)
		}
	}
	return `"` + b.String() + `"`
}

// class1 returns the name of a test as a class has it.
func class1(name string) string {
	return strings.ToUpper(name[:1]) + strings.ReplaceAll(name[1:], "_", "")
}

// withoutComments returns text without the lines at its beginning that are a comment.
func withoutComments(text string) string {
	for strings.HasPrefix(text, "//") || strings.HasPrefix(text, ";;") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}
