package csource

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// An Input is the input of a run of a program.
type Input struct {
	Args  []string // its arguments, without its own name
	Stdin []byte   // its standard input, at most MaxStdin bytes
}

// Bounds of inputs. The standard input fits into a pipe: the program starts when all of
// it is there.
const (
	MaxInputs = 16
	MaxStdin  = 32 << 10
)

// driver is put after a program with inputs. It needs only functions of the C library
// that is linked anyway, whatever the program declares itself. A process runs each
// input, if there are several. An argument, a number from 0, selects one input to run
// alone.
const driver = `
int __reify_pipe(int *) __asm__("pipe");
int __reify_dup2(int, int) __asm__("dup2");
int __reify_close(int) __asm__("close");
long __reify_write(int, const void *, unsigned long) __asm__("write");
int __reify_fork(void) __asm__("fork");
int __reify_waitpid(int, int *, int) __asm__("waitpid");
int __reify_flush(void *) __asm__("fflush");
void __reify_exit(int) __asm__("exit");
void __reify_fail(void) __asm__("abort");
int __reify_number(const char *) __asm__("atoi");
static int __reify_input(int i)
{
	int fd[2];
	if (__reify_stdin_size[i] > 0)
		if (__reify_pipe(fd) || __reify_write(fd[1], __reify_stdin[i], __reify_stdin_size[i]) != __reify_stdin_size[i] || __reify_dup2(fd[0], 0) || __reify_close(fd[0]) || __reify_close(fd[1]))
			__reify_fail();
	return __reify_main(%s);
}
int main(int argc, char **argv)
{
	int i, pid, status;
	if (argc > 1)
		return __reify_input(__reify_number(argv[1]));
	for (i = 0; i < %d; i++) {
		__reify_flush(0);
		if ((pid = __reify_fork()) == 0)
			__reify_exit(__reify_input(i));
		if (__reify_waitpid(pid, &status, 0) != pid)
			__reify_fail();
		if (status)
			return status %% 256 ? 128 + status %% 128 : status / 256;
	}
	return 0;
}
`

// single is the main of a driver of one input, which forks no process.
const single = "int main(void)\n{\n\treturn __reify_input(0);\n}\n"

// Drive returns the program with its inputs in it: a closed program, whose main runs
// the original main once with each input. Its output is that of all runs, one after the
// other. The exit status is that of the first that is not 0. The added code is not
// edited. The error says why the program can have no inputs.
func (p *Program) Drive(inputs []Input) ([]byte, error) {
	fail := func(format string, args ...any) ([]byte, error) {
		return nil, fmt.Errorf("%s: %s", p.Name, fmt.Sprintf(format, args...))
	}
	i := p.function("main")
	switch {
	case len(inputs) == 0 || len(inputs) > MaxInputs:
		return fail("%d inputs, want 1 to %d", len(inputs), MaxInputs)
	case i < 0 || p.Functions[i].Result != "int":
		return fail("no main that returns int")
	case p.Functions[i].params != 0 && p.Functions[i].params != 2:
		return fail("main has %d parameters, want argc and argv, or none", p.Functions[i].params)
	case bytes.Contains(p.Text, []byte("__reify_")):
		return fail("it has names that begin with __reify_")
	}
	for _, name := range []string{"pipe", "dup2", "close", "write", "fork", "waitpid", "fflush", "exit", "abort", "atoi"} {
		if p.function(name) >= 0 {
			return fail("it defines %s, which is needed to give it inputs", name)
		}
	}
	var edits []Edit
	p.words(func(i int, s *Scope, _ int) {
		if n := s.Lookup("main", p.tokens[i].to); p.text(i) == "main" && (n == nil || n == p.File.index["main"] || n.Kind == Callable) {
			edits = append(edits, Edit{From: p.tokens[i].from, To: p.tokens[i].to, Text: "__reify_main"})
		}
	})
	end := p.Functions[i].To - 1
	edits = append(edits, Edit{From: end, To: end, Text: " return 0; "})
	var b strings.Builder
	b.Write(p.Apply(edits))
	if err := writeInputs(&b, inputs); err != nil {
		return fail("%v", err)
	}
	args := ""
	if p.Functions[i].params == 2 {
		args = "__reify_argc[i], __reify_argv[i]"
	}
	text := fmt.Sprintf(driver, args, len(inputs))
	if len(inputs) == 1 {
		at := strings.Index(text, "int main(")
		text = text[:at] + single
	}
	b.WriteString(text)
	return []byte(b.String()), nil
}

// writeInputs writes the arrays that the driver reads. They are volatile, so that
// compilers know nothing about the inputs.
func writeInputs(b *strings.Builder, inputs []Input) error {
	var argc, argv, texts, sizes []string
	for i, in := range inputs {
		if len(in.Stdin) > MaxStdin {
			return fmt.Errorf("input %d has %d bytes to read, and %d are the most", i+1, len(in.Stdin), MaxStdin)
		}
		var words []string
		for k, word := range append([]string{"repro"}, in.Args...) {
			if strings.Contains(word, "\x00") {
				return errors.New("an argument has a zero byte")
			}
			name := fmt.Sprintf("__reify_word_%d_%d", i, k)
			fmt.Fprintf(b, "static char %s[] = %s;\n", name, quote([]byte(word)))
			words = append(words, name)
		}
		fmt.Fprintf(b, "static char *__reify_words_%d[] = { %s, 0 };\n", i, strings.Join(words, ", "))
		argc, argv = append(argc, fmt.Sprint(len(words))), append(argv, fmt.Sprintf("__reify_words_%d", i))
		texts, sizes = append(texts, quote(in.Stdin)), append(sizes, fmt.Sprint(len(in.Stdin)))
	}
	fmt.Fprintf(b, "static volatile int __reify_argc[] = { %s };\n", strings.Join(argc, ", "))
	fmt.Fprintf(b, "static char **volatile __reify_argv[] = { %s };\n", strings.Join(argv, ", "))
	fmt.Fprintf(b, "static const char *volatile __reify_stdin[] = { %s };\n", strings.Join(texts, ", "))
	fmt.Fprintf(b, "static volatile long __reify_stdin_size[] = { %s };\n", strings.Join(sizes, ", "))
	return nil
}

// quote returns a string literal of C. Octal escapes have three digits, so that a digit
// that follows is not taken for one of them, and question marks start no trigraph.
func quote(text []byte) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		switch {
		case c == '\n':
			b.WriteString(`\n`)
		case c == '"' || c == '\\' || c == '?':
			b.WriteString(`\` + string(rune(c)))
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// driven says whether a function was added by Drive, or by a pool.
func (p *Program) driven(name string) bool {
	const added = "__reify_"
	_, main := p.File.index[added+"main"]
	return strings.HasPrefix(name, added) && name != added+"main" || name == "main" && main
}
