package csource

import "goreify/reify/choice"

// Guard puts code where something is executed, under conditions that hold, or do
// not, at all visits that rows tell of.
func Guard(p *Program, rows []Rows, o Options, s *choice.Stream) []Edit { return nil }
