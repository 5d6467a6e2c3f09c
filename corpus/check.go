package corpus

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
)

// Check reports whether e can be written and read back unchanged. The error names the
// part of it that cannot.
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
		if !wordName.MatchString(name) {
			return fmt.Errorf("corpus: recipe: %q is not a name for a stream", name)
		}
	}
	for name := range e.Sources {
		if !plainName(name) || e.member(name) != nil || filepath.Ext(name) != filepath.Ext(e.Main) {
			return fmt.Errorf("corpus: %q is not a name for a source beside %s", name, e.Main)
		}
	}
	for name := range e.Members {
		if !plainName(name) || e.member(name) != nil || name == "recipe" || filepath.Ext(name) == filepath.Ext(e.Main) {
			return fmt.Errorf("corpus: %q is not a name for a file of another kind: it is malformed, has a meaning already, or is that of a source", name)
		}
	}
	for _, f := range e.members() {
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
		return errors.New("corpus: entry reads back differently: a word holds a space, a witness \": \", or an argument is a lone colon")
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

// equal reports whether two entries hold the same values. Nil and empty are the same.
func equal(a, b *Entry) bool {
	return reflect.DeepEqual(normal(a), normal(b))
}

// normal returns a copy of e in which all empty values are nil.
func normal(e *Entry) *Entry {
	c := *e
	c.Weight = max(1, e.Weight)
	if len(e.Members) == 0 {
		c.Members = nil
	}
	c.Flags = nonEmpty(e.Flags)
	c.Bad, c.Good = normalList(e.Bad), normalList(e.Good)
	c.ReducedBad, c.ReducedGood = normalList(e.ReducedBad), normalList(e.ReducedGood)
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

func normalList(list []Configuration) []Configuration {
	var normal []Configuration
	for _, c := range list {
		c.Args, c.Modes = nonEmpty(c.Args), nonEmpty(c.Modes)
		normal = append(normal, c)
	}
	return normal
}

func nonEmpty[T any](xs []T) []T {
	if len(xs) == 0 {
		return nil
	}
	return xs
}
