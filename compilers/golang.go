package compilers

import "context"

// goRoom is the address space that runtime libraries of Go reserve, beyond what a program
// uses.
const goRoom = 3 << 30

// RunGo is Run of a program in Go.
func RunGo(ctx context.Context, built Built, args []string, want []byte, limits Limits) Outcome {
	if limits.RunMemory > 0 {
		limits.RunMemory += goRoom
	}
	built.Println = true
	o := Run(ctx, built, args, want, limits)
	o.Report = false // a panic reads like the report of a sanitizer
	return o
}

const goProbe = `package main

import "os"

func main() { os.Stdout.WriteString("42\n") }
`

// ProbeGo is Prober.Probe of a compiler of Go.
func ProbeGo(ctx context.Context, t Target, ws *Workspace, limits Limits) error {
	job := Job{Files: []File{{MainGo, []byte(goProbe)}}, Want: []byte("42\n"), Mode: t.Reference()}
	return ProbeWith(ctx, t, ws, job, limits)
}
