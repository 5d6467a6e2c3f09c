// Package gc has Go's own compiler as a family of targets, each version that is here.
//
//	gc                    that of the command go on PATH
//	gc-1.25.0             the toolchain go1.25.0, as a module in the module cache, or in ~/sdk
//	gc=/home/me/goroot    a directory of Go, such as a checkout that make.bash has built, or its bin/go
//	gc GOARCH=386         for another processor
//	gc GOAMD64=v3         for a later level of this one
//	gc -d=ssa/cse/off     with flags of go tool compile
//
// A program is a file of package main that imports packages of the standard library
// alone. Their archives are those of the build cache, as go build makes them, so that
// a program costs one call of the compiler and one of the linker.
//
// # Decisions
//
// gc is called tool by tool. go tool compile and go tool link with archives of the standard
// library out of Go's build cache, which go test fills anyway (go list -export, outside of
// the box: it sees no stranger's file). Linking costs 45 ms without collecting garbage and
// half a second by go build, so batches have 60 to 100 functions. The commands that are
// shown are those of go build.
package gc
