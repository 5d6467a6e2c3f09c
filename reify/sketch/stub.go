package sketch

import "goreify/reify/ir"

type pointer struct{}

func (w *writer) newStruct()                 { w.newInteger() }
func (w *writer) newUnion()                  { w.newInteger() }
func (w *writer) newFloat()                  { w.newInteger() }
func (w *writer) newVector()                 { w.newInteger() }
func (w *writer) newPointer()                { w.newInteger() }
func (w *writer) copyStruct() []ir.Stmt      { return nil }
func (w *writer) useUnion() []ir.Stmt        { return nil }
func (w *writer) repoint() []ir.Stmt         { return nil }
func (w *writer) floatStatement() []ir.Stmt  { return nil }
func (w *writer) vectorStatement() []ir.Stmt { return nil }
func (w *writer) comparePointers() ir.Expr   { return nil }
