package gc

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"

	"goreify/compilers"
)

// A processor is what GOARCH names.
type processor struct {
	big, small bool   // byte order, pointers of 32 bits
	emulator   string // of qemu-user, without its prefix
}

var processors = map[string]processor{
	"386":      {small: true, emulator: "i386"},
	"amd64":    {emulator: "x86_64"},
	"arm":      {small: true, emulator: "arm"},
	"arm64":    {emulator: "aarch64"},
	"loong64":  {emulator: "loongarch64"},
	"mips":     {big: true, small: true, emulator: "mips"},
	"mipsle":   {small: true, emulator: "mipsel"},
	"mips64":   {big: true, emulator: "mips64"},
	"mips64le": {emulator: "mips64el"},
	"ppc64":    {big: true, emulator: "ppc64"},
	"ppc64le":  {emulator: "ppc64le"},
	"riscv64":  {emulator: "riscv64"},
	"s390x":    {big: true, emulator: "s390x"},
}

// native tells whether this machine runs programs of a processor by itself.
func native(goarch string) bool {
	return goarch == runtime.GOARCH || goarch == "386" && runtime.GOARCH == "amd64"
}

// emulator returns the program that runs programs of the toolchain's.
func (t Toolchain) emulator() (string, error) {
	name := "qemu-" + processors[t.goarch()].emulator
	if path := compilers.LookEmulator("", t.Host.Path, name); path != "" {
		return path, nil
	}
	return "", fmt.Errorf("programs for %s are run by %s, which is not on PATH (package qemu-user): %w", t.goarch(), name, exec.ErrNotFound)
}

// tool returns a tool of the toolchain.
func (t Toolchain) tool(name string) string {
	if name == "compile" && t.compiler != "" {
		return t.compiler
	}
	return filepath.Join(t.Root, "pkg", "tool", "linux_"+runtime.GOARCH, name)
}
