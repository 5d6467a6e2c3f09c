package inject

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"goreify/reify/source"
)

// Discard sets aside the functions that an input has called and why names, or all of
// them: a recorded answer of one of them does not hold.
func (s *Source) Discard(in source.Input, why string) error {
	got, err := decode(in)
	if err != nil {
		return err
	}
	base, err := s.open()
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(got.Symbols...))))
	named := slices.DeleteFunc(slices.Clone(all), func(symbol string) bool { return !strings.Contains(why, symbol) })
	if len(named) == 0 {
		named = accused(got, why, all)
	}
	for _, symbol := range named {
		err = errors.Join(err, base.SetAside(symbol, why))
	}
	return err
}

// accused returns the callees of the function of ours that why names first, up to a
// colon.
func accused(in input, why string, all []string) []string {
	head, _, _ := strings.Cut(why, ":")
	var list []string
	for _, name := range strings.Fields(head) {
		for _, prefix := range []string{"f", "program-"} {
			number, ok := strings.CutPrefix(name, prefix)
			i, err := strconv.Atoi(number)
			if ok && err == nil && i >= 0 && i < len(in.Symbols) {
				list = append(list, in.Symbols[i]...)
			}
		}
	}
	if list == nil {
		return all
	}
	slices.Sort(list)
	return slices.Compact(list)
}
