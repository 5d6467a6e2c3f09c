package csource

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// joined is appended to several programs in one text. Each runs in a process of its
// own, so that it may exit, or an argument names one that runs alone: a number from 0.
const joined = `
int __reify_fork(void) __asm__("fork");
int __reify_waitpid(int, int *, int) __asm__("waitpid");
int __reify_flush(void *) __asm__("fflush");
int __reify_atexit(void (*)(void)) __asm__("atexit");
void __reify_exit(int) __asm__("exit");
int __reify_number(const char *) __asm__("atoi");
static char __reify_name[] = "repro", *__reify_argv[] = { __reify_name, 0 };
static int __reify_member(int i)
{
	switch (i) {
%s	}
	return 1;
}
int main(int argc, char **argv)
{
	int i, pid, status, bad = 0;
	if (argc > 1)
		return __reify_member(__reify_number(argv[1]));
	for (i = 0; i < %d; i++) {
		__reify_flush(0);
		if ((pid = __reify_fork()) == 0)
			__reify_exit(__reify_member(i));
		if (__reify_waitpid(pid, &status, 0) != pid || status)
			bad = 1;
	}
	return bad;
}
`

// Prefix returns the prefix of the names of a member of Join.
func Prefix(i int) string { return fmt.Sprintf("p%d_", i) }

// atEnd finds functions that run before main or after it.
var atEnd = regexp.MustCompile(`\b(__)?(destructor|constructor|atexit)(__)?\b`)

// ending is the beginning of a function that a pool has added, and that runs at the
// end.
const ending = "__attribute__((destructor)) static void "

// Join returns the text of a program that runs several programs, each of which must
// have come from Drive or need no input. It prints their outputs, one after the other,
// and its exit status is 0 if theirs are. The error names one that cannot be renamed
// (see Rename), or that runs functions besides its main.
func Join(list []*Program) ([]byte, error) {
	var b, cases bytes.Buffer
	for i, p := range list {
		main := p.function("main")
		if main < 0 || p.Functions[main].Result != "int" || p.Functions[main].params != 0 && p.Functions[main].params != 2 {
			return nil, fmt.Errorf("%s: no main of argc and argv, or of nothing, that returns int", p.Name)
		}
		edits, err := Rename(p, Prefix(i))
		if err != nil {
			return nil, err
		}
		text := string(p.Apply(edits))
		ends := Prefix(i) + "__reify_ends"
		text = strings.Replace(text, ending+ends, "static void "+ends, 1)
		if m := atEnd.FindString(text); m != "" {
			return nil, fmt.Errorf("%s: %s may do what is to be done once only", p.Name, m)
		}
		b.WriteString(text)
		fmt.Fprintf(&cases, "\tcase %d:\n", i)
		if strings.Contains(text, ends) {
			fmt.Fprintf(&cases, "\t\t__reify_atexit(%s);\n", ends)
		}
		args := ""
		if p.Functions[main].params == 2 {
			args = "1, __reify_argv"
		}
		fmt.Fprintf(&cases, "\t\treturn %smain(%s);\n", Prefix(i), args)
	}
	fmt.Fprintf(&b, joined, cases.String(), len(list))
	return b.Bytes(), nil
}
