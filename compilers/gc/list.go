package gc

import (
	"context"
	"regexp"
	"strings"

	"goreify/compilers"
)

// List compiles a job to assembly, as -S prints it.
func (t Toolchain) List(ctx context.Context, ws *compilers.Workspace, job compilers.Job, limits compilers.Limits) (map[string]string, compilers.Outcome, error) {
	dir, cfg, o := t.prepare(ctx, ws, job)
	if dir == "" {
		return nil, o, nil
	}
	defer ws.Remove(dir)
	job.Extra = append([]string{"-S"}, job.Extra...)
	if o = t.compile(ctx, ws, dir, cfg, job, limits); o.Verdict != compilers.OK {
		return nil, o, nil
	}
	return listing(string(o.Stdout)), o, nil
}

var (
	listedFunction    = regexp.MustCompile(`^main\.(\S+) STEXT`)
	listedInstruction = regexp.MustCompile(`^\t0x[0-9a-f]+ 0*(\d+) \([^)]*\)\t(.*)$`)
)

// listing returns the instructions of each function of package main, with their offsets, to
// which branches lead.
func listing(text string) map[string]string {
	functions := map[string]string{}
	name := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if m := listedFunction.FindStringSubmatch(line); m != nil {
			name = m[1]
		} else if !strings.HasPrefix(line, "\t") {
			name = ""
		}
		m := listedInstruction.FindStringSubmatch(line)
		if name == "" || m == nil {
			continue
		}
		switch op, _, _ := strings.Cut(m[2], "\t"); op {
		case "TEXT", "FUNCDATA", "PCDATA":
		default:
			functions[name] += m[1] + "\t" + m[2] + "\n"
		}
	}
	return functions
}
