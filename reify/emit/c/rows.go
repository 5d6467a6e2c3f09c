package c

import (
	"slices"

	"goreify/reify/ir"
)

// In the style Rows no function makes the calls of one unit: it would cost compilers several
// times what a small function costs them. All inputs and answers stand in one table. One
// function makes all calls, and knows neither the functions nor the inputs. It calls each
// function through a caller, which all functions of the same parameters and result share.

// rowsPrefix begins the names at file scope that tables of calls need, and no other
// names.
const rowsPrefix = "rows_"

// inRows reports whether the calls of u are made through a table. Callers know functions
// whose parameters and result are those of the representation. A function that assigns to
// a volatile variable has a test of its own, since no copy of the variable may be made.
func inRows(u Unit) bool {
	s := u.Style
	return s.Rows && !s.ParamsAsGlobals && !s.ParamStruct && !s.ResultStruct && !s.PointerParams &&
		!slices.ContainsFunc(changed(u), func(v *ir.Var) bool { return v.Volatile })
}

func anyInRows(units []Unit) bool { return slices.ContainsFunc(units, inRows) }

const rowsTypes = `
typedef void rows_function(void);

/* A function, and its caller, which takes the inputs from a row. */
struct rows {
    const char *name;
    rows_function *function;
    unsigned long long (*call)(rows_function *function, const unsigned long long *row);
    int is_signed;
    int inputs, calls, variables;
};

/* A variable that a function may change. */
struct rows_variable {
    void *at;
    unsigned long size;
};
`

// The lines that are printed are those of Answers.
const rowsRun = `
/*
 * Makes the calls of a function, all with the same values of variables, and returns whether an
 * answer is wrong.
 */
NOIPA int rows_run(const struct rows *f, const unsigned long long *row, const struct rows_variable *variables)
{
    unsigned long size = 1;
    int wrong = 0;

    for (int i = 0; i < f->variables; i++)
        size += variables[i].size;
    char first[size];
    for (int call = 1; call <= f->calls; call++, row += f->inputs + 1) {
        char *copy = first;
        for (int i = 0; i < f->variables; copy += variables[i++].size) {
            if (call == 1)
                __builtin_memcpy(copy, variables[i].at, variables[i].size);
            else
                __builtin_memcpy(variables[i].at, copy, variables[i].size);
        }
        unsigned long long got = f->call(f->function, row);
        printf(call == 1 ? "%s" : "%s#%d", f->name, call);
        if (f->is_signed)
            printf(" %lld\n", (long long)got);
        else
            printf(" %llu\n", got);
        wrong |= got != row[f->inputs];
    }
    return wrong;
}

int main(int argc, char **argv)
{
    int count = sizeof rows_all / sizeof rows_all[0];
    int only = argc > 1 ? atoi(argv[1]) : -1;
    const unsigned long long *row = rows_table;
    const struct rows_variable *variables = rows_variables;
    int wrong = 0;

    if (argc > 1 && (only < 0 || only >= count))
        return 2;
    for (int i = 0; i < count; i++) {
        const struct rows *f = &rows_all[i];
        if (argc == 1 || only == i)
            wrong |= f->call ? rows_run(f, row, variables) : ((int (*)(void))f->function)();
        row += f->calls * (f->inputs + 1);
        variables += f->variables;
    }
    return wrong;
}
`

// rows writes the tables of all units, and main. A unit with a test of its own has the
// test in the table.
func (p *printer) rows(units []Unit, named []names) {
	p.str(rowsTypes)
	callers := map[string]bool{}
	for _, u := range units {
		if fn := u.Claim.Func; inRows(u) && !callers[rowsCaller(fn)] {
			callers[rowsCaller(fn)] = true
			p.rowsCaller(fn)
		}
	}
	p.str("\nstatic const struct rows rows_all[] = {\n")
	for i, u := range units {
		fn, n := u.Claim.Func, named[i]
		p.begin(1)
		if !inRows(u) {
			p.str("{0, (rows_function *)" + n.test + ", 0, 0, 0, 0, 0},\n")
			continue
		}
		p.str("{\"" + n.fn + "\", (rows_function *)" + n.fn + ", " + rowsCaller(fn) + ", ")
		p.str(map[bool]string{false: "0, ", true: "1, "}[fn.Result.Signed])
		p.str(itoa(len(fn.Params())) + ", " + itoa(1+len(u.More)) + ", " + itoa(len(changed(u))) + "},\n")
	}
	p.str("};\n\n/* For each call the inputs and the answer. */\nstatic const unsigned long long rows_table[] = {\n")
	for i, u := range units {
		if inRows(u) {
			p.rowsOf(u, named[i])
		}
	}
	p.str("};\n\nstatic const struct rows_variable rows_variables[] = {\n")
	for i, u := range units {
		if !inRows(u) {
			continue
		}
		for _, v := range changed(u) {
			name := named[i].vars[v.Index]
			p.line(1, "{&"+name+", sizeof "+name+"},")
		}
	}
	p.line(1, "{0, 0},")
	p.str("};\n" + rowsRun)
}

// rowsOf writes the rows of a unit.
func (p *printer) rowsOf(u Unit, n names) {
	p.line(1, "/* "+n.fn+" */")
	for _, c := range u.claims() {
		p.begin(1)
		for i, v := range c.Func.Params() {
			p.constant(v.Type.(ir.Int), c.Args[i])
			p.str(", ")
		}
		p.constant(c.Func.Result, c.Want)
		p.str(",\n")
	}
}

// rowsCaller returns the name of the function that calls functions with the parameters
// and the result of fn.
func rowsCaller(fn *ir.Function) string {
	name := rowsPrefix + fn.Result.String()
	for _, v := range fn.Params() {
		name += "_" + v.Type.String()
	}
	return name
}

// rowsCaller writes the function of that name.
func (p *printer) rowsCaller(fn *ir.Function) {
	types, args := "", ""
	for i, v := range fn.Params() {
		if i > 0 {
			types += ", "
			args += ", "
		}
		types += typeName(v.Type.(ir.Int))
		args += "row[" + itoa(i) + "]"
	}
	if types == "" {
		types = "void"
	}
	p.str("\nstatic unsigned long long " + rowsCaller(fn) + "(rows_function *function, const unsigned long long *row)\n{\n")
	p.line(1, "return (("+typeName(fn.Result)+" (*)("+types+"))function)("+args+");")
	p.str("}\n")
}

// changed returns the variables that keep what the function of u assigns to them.
func changed(u Unit) (list []*ir.Var) {
	fn := u.Claim.Func
	assigned := assigns(fn)
	for _, v := range fn.Vars {
		if assigned[v.Index] && v.Kind.Lasts() && !v.Const {
			list = append(list, v)
		}
	}
	return list
}
