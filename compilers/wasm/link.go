package wasm

import (
	"context"

	"goreify/compilers"
)

// LinkDirectly returns the engine as it is asked by servers.
func (e Engine) LinkDirectly(context.Context, *compilers.Workspace, compilers.Limits) (compilers.Target, error) {
	e.served = true
	return e, nil
}

// Plain returns the engine as its users know it: a process for each module.
func (e Engine) Plain() compilers.Target {
	e.served = false
	return e
}

// Direct tells whether servers are asked.
func (e Engine) Direct() bool { return e.served }

// probe is a module whose function f adds 40 and its argument.
var probe = []byte("\x00asm\x01\x00\x00\x00\x01\x06\x01\x60\x01\x7f\x01\x7f\x03\x02\x01\x00\x07\x05\x01\x01f\x00\x00\x0a\x09\x01\x07\x00\x20\x00\x41\x28\x6a\x0b\x00\x10\x05callsf f i32 2\n")

// Probe returns nil if the engine runs a trivial module in its reference mode.
func (e Engine) Probe(ctx context.Context, ws *compilers.Workspace, limits compilers.Limits) error {
	job := compilers.Job{Files: []compilers.File{{Name: MainFile, Content: Encode(probe)}}, Want: []byte("f 42\n"), Mode: e.Reference()}
	return compilers.ProbeWith(ctx, e, ws, job, limits)
}
