package cfg

import "slices"

// widen makes switches of some kept blocks with two successors. The new successors are
// kept blocks and the exit of the same level, so that everything stays reachable and an
// injected loop has its header as the only entry.
func (b *builder) widen(lv *level, local int) {
	targets := make([]int32, 0, len(lv.draft))
	for i := range lv.draft {
		if lv.draft[i].kept {
			targets = append(targets, int32(i))
		}
	}
	for at, i := range targets {
		d := &lv.draft[i]
		if d.n < 2 || !b.s.Chance(b.o.Switches, 100) {
			continue
		}
		to := append(make([]int32, 0, maxSuccs), d.list()...)
		for range min(b.s.Range(3, maxSuccs), len(targets)) - len(to) {
			k := b.target(at, len(targets)-1, local, &switchSteps)
			for slices.Contains(to, targets[k]) {
				k = (k + 1) % len(targets)
			}
			to = append(to, targets[k])
		}
		if len(to) > 2 {
			b.s.Shuffle(len(to), func(x, y int) { to[x], to[y] = to[y], to[x] })
			lv.wide = append(lv.wide, wide{i, to})
		}
	}
}

// switchSteps is how far the further successors of a switch are if they are local:
// mostly one of the next blocks, as cases are.
var switchSteps = [16]int{1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 0, -1, -3}
