package search

// A block is the knowledge of a run about a block of the function.
type block struct {
	sites  []site  // nil until the block is first met; the condition last
	visits []int32 // the positions on the path that visit it
	// rooms holds, for a condition, the values of its constant that are right
	// for the first one, two, ... visits, as far as that has been worked out for
	// the values that its other symbols have.
	rooms   []interval
	values  []int64 // of a switch: the value at each visit
	leaveTo int     // where a walk that got stuck is to leave for
	leave   int     // how often it got stuck with other successors

	position
}

// A trail is the path walked so far. For each block, visits are the positions of the
// path that hold it, in order. Each position has a state on arrival. One more state is
// for the last block to compute in: state(pos+1) holds the results of the block at pos
// until the walk enters the next block.
type trail struct {
	path   []int
	states []int64
	width  int // of a state, in numbers
	blocks []block

	visitRoom []int32 // a backing array
	visitBuf  []int32 // its end, which is free
}

// state returns the state on arrival at position i of the path. It is valid
// until the path grows.
func (t *trail) state(i int) []int64 { return t.states[i*t.width : (i+1)*t.width] }

// push makes b the last block of the path.
func (t *trail) push(b int) {
	info := &t.blocks[b]
	if info.visits == nil {
		const few = 4
		if len(t.visitBuf) < few {
			t.visitBuf = make([]int32, max(32*few, 2*len(t.visitRoom)))
			t.visitRoom = t.visitBuf
		}
		info.visits, t.visitBuf = t.visitBuf[:0:few], t.visitBuf[few:]
	}
	info.visits = append(info.visits, int32(len(t.path)))
	t.path = append(t.path, b)
	if need := (len(t.path) + 1) * t.width; len(t.states) < need {
		grown := make([]int64, max(2*len(t.states), need, 32*t.width))
		copy(grown, t.states)
		t.states = grown
	}
	if len(t.path) == 1 {
		clear(t.state(0)) // the others are copies
	}
}

// shorten makes position pos the last.
func (t *trail) shorten(pos int) {
	for i := len(t.path) - 1; i > pos; i-- {
		info := &t.blocks[t.path[i]]
		info.visits = info.visits[:len(info.visits)-1]
		info.rooms = info.rooms[:min(len(info.rooms), max(0, len(info.visits)-1))]
	}
	t.path = t.path[:pos+1]
}
