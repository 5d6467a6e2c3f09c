// Package wasm has WebAssembly engines as families of targets.
//
//	wazero           the Go library, in a child of this very program
//	node, node-26    V8, of node on PATH or of those that make setup WITH=engines has fetched
//	node=/opt/node   V8, of that executable, or of that in the directory
//	bun, bun=…       JavaScriptCore
//	wizer            Cranelift, of wizer, which make setup WITH=engines has fetched
//	wasm-opt         binaryen's optimiser, in front of wazero's interpreter
//	wasm-interp      wabt's interpreter
//
// Words behind a name are flags of the engine. A program is a module that lists the
// calls that are to be made in a custom section, and what it prints is what they come
// to: package reify/emit/wasm says how. A module costs little and starting an engine
// much, so engines are asked by servers; see compilers.Linker: what LinkDirectly
// returns does so. The others start a process for each module, as users do.
//
// # Decisions
//
// Engines that make no calls get a module that needs none. wabt's interpreter gets an export
// without arguments for each call, wizer one function that leaves all answers in globals,
// which it writes down (compilers/wasm/rewrite.go). A trap would end that, so Cranelift is
// not asked about calls that are to trap. binaryen only optimises: wazero's interpreter runs
// what it wrote.
package wasm
