package csource

import (
	"modernc.org/cc/v4"
)

// A Model is a data model: the sizes of long and of pointers.
type Model int

const (
	LP64  Model = iota // long and pointers have 64 bits: x86-64
	ILP32              // they have 32: the same processor with -m32
)

func (m Model) String() string {
	if m == ILP32 {
		return "ILP32"
	}
	return "LP64"
}

// abi returns the sizes and alignments of the model's types.
func (m Model) abi() (*cc.ABI, error) {
	if m == ILP32 {
		return cc.NewABI("linux", "386")
	}
	return cc.NewABI("linux", "amd64")
}

// predefined returns the macros that are defined before the first line.
func (m Model) predefined() string {
	lp64 := ""
	if m == LP64 {
		lp64 = "#define __LP64__ 1\n"
	}
	return lp64 + header("predefined.h")
}
