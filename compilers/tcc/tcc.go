// Package tcc has the Tiny C Compiler as a family of targets of C.
//
//	tcc        that on PATH
//	tcc=PATH   an executable
//
// It compiles in one pass and does not optimise, so there is one level. It has no sanitizers,
// and is asked which features of C it lacks; see compilers.Feature.
package tcc

import (
	"regexp"

	"goreify/compilers"
	"goreify/compilers/native"
)

// Finder finds tcc, if REIFY_CC names it.
var Finder = native.Family{
	Name:     "tcc",
	Banner:   regexp.MustCompile(`^tcc version (\d[\w.]*(?: mob\S*)?)`),
	Example:  "tcc version 0.9.27 (x86_64 Linux)",
	Modes:    []compilers.Mode{"-O0"},
	Internal: regexp.MustCompile(`(?m)^.*internal compiler error.*$|^tcc: .*Assertion .*$`),
}.Finder()
