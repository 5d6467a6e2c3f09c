package csource

import "goreify/reify/choice"

// Insert puts statements where nothing is executed: copies of others whose names are
// visible there and of the same type, hostile ones over scalars in scope, and
// jumps to labels of the function.
func Insert(p *Program, hits []uint32, o Options, s *choice.Stream) []Edit { return nil }
