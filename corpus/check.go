package corpus

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Check reports whether e can be written and read back unchanged. The error
// says which part of it cannot.
func (e *Entry) Check() error {
	for _, f := range header {
		for _, v := range f.values(e) {
			if err := checkValue(f.key, v); err != nil {
				return err
			}
		}
	}
	for _, n := range e.Notes {
		if !noteKey.MatchString(n.Key) {
			return fmt.Errorf("corpus: %q is not a key that starts with x-", n.Key)
		}
		if err := checkValue(n.Key, n.Value); err != nil {
			return err
		}
	}
	for name := range e.Recipe {
		if !streamName.MatchString(name) {
			return fmt.Errorf("corpus: recipe: %q is not a name for a stream", name)
		}
	}
	for name := range e.Sources {
		if !sourceName.MatchString(name) || name == ReducedMain {
			return fmt.Errorf("corpus: %q is not a name for a C file", name)
		}
	}
	for _, f := range e.files() {
		if n := len(f.Data); n > 0 && f.Data[n-1] != '\n' {
			return fmt.Errorf("corpus: %s does not end in a newline", f.Name)
		}
		if n := markerAt(f.Data); n > 0 {
			return fmt.Errorf("corpus: %s:%d looks like the start of a file of the archive", f.Name, n)
		}
	}
	back, err := Parse("entry", e.Format())
	if err != nil {
		return fmt.Errorf("corpus: entry cannot be read back: %w", err)
	}
	if !equal(e, back) {
		return errors.New("corpus: entry reads back differently: a word holds a space, a witness \": \", or an argument starts with -O")
	}
	return nil
}

func checkValue(key, v string) error {
	switch {
	case v == "":
		return fmt.Errorf("corpus: %s: no value", key)
	case !printable(v):
		return fmt.Errorf("corpus: %s: %q is not a printable line", key, v)
	case v != strings.TrimSpace(v):
		return fmt.Errorf("corpus: %s: %q has space around it", key, v)
	}
	return nil
}

// equal reports whether two entries say the same. Nil and empty are the same.
func equal(a, b *Entry) bool {
	return reflect.DeepEqual(normal(a), normal(b))
}

// normal returns a copy of e in which everything empty is nil.
func normal(e *Entry) *Entry {
	c := *e
	c.Flags = nonEmpty(e.Flags)
	c.Bad, c.Good = normalBad(e.Bad), normalBad(e.Good)
	c.ReducedBad, c.ReducedGood = normalBad(e.ReducedBad), normalBad(e.ReducedGood)
	c.MendedBy, c.MendedAlone = nonEmpty(e.MendedBy), nonEmpty(e.MendedAlone)
	c.Witness = nonEmpty(e.Witness)
	c.Notes = nonEmpty(e.Notes)
	c.Recipe = nil
	for name, value := range e.Recipe {
		if c.Recipe == nil {
			c.Recipe = map[string][]byte{}
		}
		c.Recipe[name] = nonEmpty(value)
	}
	return &c
}

func normalBad(list []Bad) []Bad {
	var normal []Bad
	for _, b := range list {
		b.Args, b.Levels = nonEmpty(b.Args), nonEmpty(b.Levels)
		normal = append(normal, b)
	}
	return normal
}

func nonEmpty[T any](xs []T) []T {
	if len(xs) == 0 {
		return nil
	}
	return xs
}
