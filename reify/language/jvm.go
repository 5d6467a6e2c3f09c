package language

import (
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
	Write:     writeClass,
	Members:   classMembers,
	Binary:    machines.Decode,
	Source:    javaSource,
	Commands:  func(files []compilers.File) []string { return []string{"java Repro.java " + files[0].Name} },
	BodyLines: classLines,
	Proved:    map[string]int{"functions": 50_000, "programs": 1000, "expressions": 1_000_000, "graphs": 15_000, "engines": 1100},
	Graphs:    classGraphs,
	plain:     jvm.Forms,
}

func init() { JVM.DrawStyle, JVM.ParseStyle = style(jvm.DrawStyle, jvm.ParseStyle) }

// javaSource returns a program in Java.
func javaSource(c *ir.Claim, others bool) (name, text string, err error) {
	p := lower.Program(&ir.Program{Funcs: c.Func.Reached(), Claims: []*ir.Claim{c}}, jvm.Lacks)
	text, err = jvm.Source(p.Claims[0], others)
	return jvm.SourceClass + ".java", text, err
}

func writeClass(list []Unit) Text {
	c := jvm.Emit(unitsOf[jvm.Style](list))
	return printed{machines.MainFile, machines.Encode(c.Binary), c.Answers}
}

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

func classGraphs(list []Unit) (all []Picture, err error) {
	units := unitsOf[jvm.Style](list)
	c := jvm.Emit(units)
	graphs, err := jvm.Graphs(c.Binary, c.Locations)
	if err != nil {
		return nil, err
	}
	for i, u := range units {
		p := Picture{Got: graphs[i], How: u.Style.String()}
		for _, succs := range u.Claim.Func.Graph() {
			p.Want = append(p.Want, sorted(succs))
		}
		all = append(all, p)
	}
	return all, nil
}
