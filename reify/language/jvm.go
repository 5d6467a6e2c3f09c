package language

import (
	"strings"

	"goreify/compilers"
	machines "goreify/compilers/jvm"
	"goreify/reify/emit/jvm"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/lower"
)

// JVM is the bytecode of Java's virtual machine.
var JVM = &Language{
	Name:      compilers.JVM,
	Short:     "jvm",
	Under:     interp.JVM,
	Prefix:    "jvm-",
	Usual:     "java",
	Cells:     480,
	Masked:    jvm.Masked,
	Voucher:   C,
	Lacks:     jvm.Lacks,
	Supports:  supported(jvm.Supports, jvm.Lacks),
	Write:     lowered(writeClass, jvm.Lacks),
	Members:   classMembers,
	Binary:    machines.Decode,
	Source:    javaSource,
	Commands:  func(files []compilers.File) []string { return []string{"java Repro.java " + files[0].Name} },
	BodyLines: classLines,
	plain:     jvm.Forms,
}

func init() { JVM.DrawStyle, JVM.ParseStyle = style(jvm.DrawStyle, jvm.ParseStyle) }

// javaSource returns a program in Java.
func javaSource(c *ir.Claim, others bool) (name, text string, err error) {
	p := lower.Program(&ir.Program{Funcs: c.Func.Reached(), Claims: []*ir.Claim{c}}, jvm.Lacks)
	text, err = jvm.Source(p.Claims[0], others)
	return jvm.SourceClass + ".java", text, err
}

// A classText is a class and the output of its calls.
type classText struct {
	answers []string // each unit's lines
	class   []byte
}

func writeClass(list []Unit) Text {
	c := jvm.Emit(unitsOf[jvm.Style](list))
	return classText{c.Answers, c.Binary}
}

func (t classText) Files() []compilers.File {
	return []compilers.File{{Name: machines.MainFile, Content: machines.Encode(t.class)}}
}

func (t classText) Want() []byte { return []byte(strings.Join(t.answers, "")) }

// Guilty accuses the units whose lines are wrong. No virtual machine names a function.
func (t classText) Guilty(o compilers.Outcome) []int {
	nobody := func(string) int { return -1 }
	return Accused(o, nobody, t.answers)
}

// Select returns nil: machines take no arguments.
func (t classText) Select(int) []string { return nil }

// classLines returns how many instructions the functions of a class have.
func classLines(source string) int {
	class, err := machines.Decode([]byte(source))
	if err != nil {
		return 0
	}
	return jvm.Instructions(class)
}

// classMembers returns the text of a class, and the file that runs it.
func classMembers(stem, source string) map[string]string {
	members := map[string]string{machines.RunnerFile: machines.Runner}
	if class, err := machines.Decode([]byte(source)); err == nil {
		if text, err := jvm.Text(class); err == nil {
			members[stem+".jasm"] = text
		}
	}
	return members
}
