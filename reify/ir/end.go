package ir

import "hash/crc32"

// An End is what a run shows of a call besides its answer and its path. Programs in other
// languages than C print a part of it, so their writers need no run of their own.
type End struct {
	// Known holds, for each variable with static lifetime of the function and of those
	// that it calls, directly or not, the bytes that a Checksum takes of it when the call
	// has ended; those of pointers are left out. Variables with unions are missing, and
	// those of which a scalar has no value, or one that depends on the order of calls.
	Known map[*Var][]byte
	// Trapped is the function in which the call traps, or nil if it returns.
	Trapped *Function
	// Live holds of each function how many of its calls are under way at a time, at most.
	Live map[*Function]int
}

// Sum returns what a Checksum of variables would be, all of which are Known.
func (e *End) Sum(of []*Var) (crc uint32) {
	for _, v := range of {
		crc = crc32.Update(crc, crc32.IEEETable, e.Known[v])
	}
	return crc
}
