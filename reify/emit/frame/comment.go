package frame

import (
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// Args returns the arguments of a claim, in decimal.
func Args(c *ir.Claim) []string {
	var list []string
	for i, v := range c.Args {
		list = append(list, c.Func.Vars[i].Type.(ir.Int).Format(v))
	}
	return list
}

// Said returns a claim for a reader, without its path: "f(7) returns 3".
func Said(function string, c *ir.Claim) string {
	text := function + "(" + strings.Join(Args(c), ", ") + ") "
	if c.Trap == "" {
		text += "returns "
	}
	return text + c.Answer()
}

// Way returns the labels of the blocks of a path. A path of many blocks is cut short: the
// claim is in the case, and this is for the reader.
func Way(path []int, labels []string) (list []string) {
	const most = 60
	for i, b := range path {
		if i == most && len(path) > most+1 {
			return append(list, "and "+strconv.Itoa(len(path)-most)+" more")
		}
		list = append(list, labels[b])
	}
	return list
}
