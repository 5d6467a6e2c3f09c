package foreign

import "slices"

// escapes returns a global or static array of a slice that has other uses than access
// to its elements or sizeof, or "". Sanitizers compare the indices of arrays with their
// lengths. If a pointer to the array is passed on, sanitizers see only accesses close
// to it, and objects of a program cannot be moved apart as those of proxies are.
func (e *extraction) escapes(parts []int) string {
	for _, k := range parts {
		for _, name := range e.look(k).arrays {
			for _, j := range parts {
				if taken(e.look(j).tokens, name, j == k) {
					return name
				}
			}
		}
	}
	return ""
}

// taken tells whether tokens take the address of an array. If they declare it, its first
// mention is its declaration.
func taken(tokens []string, name string, declared bool) bool {
	at := func(i int) string { return at(tokens, i) }
	for i, w := range tokens {
		if w != name || at(i-1) == "." || at(i-1) == "->" {
			continue
		}
		if declared {
			declared = false
			continue
		}
		first := i - 1 // before parentheses around it
		for at(first) == "(" {
			first--
		}
		if at(first) == "sizeof" {
			continue
		}
		address := at(i-1) == "&" && slices.Contains([]string{"", "(", ",", "=", "return", "?", ":", "[", "{", "}", ";", "&&", "||", "+", "-"}, at(i-2))
		if at(i+1) != "[" || address {
			return true
		}
	}
	return false
}
