package function

import (
	"goreify/reify"
	"goreify/reify/ir"
)

// addUnder adds inputs to a case whose answers hold under a semantics alone.
func addUnder(k *reify.Case, under ir.Under) error {
	more, err := k.Under(under)
	if err != nil {
		return err
	}
	k.More = append(k.More, more...)
	return nil
}
