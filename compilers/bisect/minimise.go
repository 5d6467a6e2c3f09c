package bisect

// minimal returns a subset of list, which holds, that holds while none of its elements
// can be left out: delta debugging (Zeller and Hildebrandt, 2002). The order decides
// among several: later elements are left out last.
func minimal(list []string, holds func([]string) bool) []string {
	for n := 2; len(list) > 1; {
		size := (len(list) + n - 1) / n
		smaller := false
		// One of the parts, the last first.
		for end := len(list); end > 0 && !smaller; end -= min(size, end) {
			part := list[max(0, end-size):end]
			if len(part) < len(list) && holds(part) {
				list, n, smaller = part, 2, true
			}
		}
		// All except one of them.
		for start := 0; start < len(list) && !smaller && n > 2; start += size {
			rest := append(append([]string(nil), list[:start]...), list[min(start+size, len(list)):]...)
			if len(rest) > 0 && holds(rest) {
				list, n, smaller = rest, max(n-1, 2), true
			}
		}
		if !smaller {
			if n >= len(list) {
				break
			}
			n = min(2*n, len(list))
		}
	}
	return list
}

// halve returns two numbers, one after the other, between lo, for which something holds,
// and hi, for which it does not: the first is one for which it holds, and the second not.
func halve(lo, hi int, holds func(n int) bool) (last, first int) {
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; holds(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo, hi
}
