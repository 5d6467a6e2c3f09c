package frame

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"goreify/reify/choice"
)

// A Word is a part of a style, and the word that stands for it in the text of the style
// unless it is as in the plainest style. A style has a list of them.
type Word struct {
	text  func() string          // "" in the plainest style
	parse func(word string) bool // takes the word, if it is one of the part's
	draw  func(*choice.Stream)   // nil if the part is drawn by itself
}

// Flag is a part that a style has or has not. Draw has it once in den times, if den is
// not 0.
func Flag(name string, on *bool, den int) Word {
	w := Word{
		text: func() string {
			if *on {
				return name
			}
			return ""
		},
		parse: func(word string) bool {
			*on = *on || word == name
			return word == name
		},
	}
	if den > 0 {
		w.draw = func(s *choice.Stream) { *on = s.Chance(1, den) }
	}
	return w
}

// OneOf is a part that is one of several, the plainest first. Their words are names
// behind a key.
func OneOf[T ~int](key string, at *T, names ...string) Word {
	return Word{
		text: func() string {
			if *at == 0 {
				return ""
			}
			return key + names[*at]
		},
		parse: func(word string) bool {
			name, ok := strings.CutPrefix(word, key)
			i := slices.Index(names, name)
			if !ok || i < 0 {
				return false
			}
			*at = T(i)
			return true
		},
	}
}

// Drawn is OneOf that Draw draws: with weights, or without each as often as the others.
func Drawn[T ~int](key string, at *T, weights []int, names ...string) Word {
	w := OneOf(key, at, names...)
	w.draw = func(s *choice.Stream) {
		if weights == nil {
			*at = T(s.Intn(len(names)))
		} else {
			*at = T(s.Weighted(weights...))
		}
	}
	return w
}

// Number is a part that is a number, behind a key. Not all may be valid.
func Number[T ~int | ~uint32](key string, at *T, valid func(T) bool) Word {
	return Word{
		text: func() string {
			if *at == 0 {
				return ""
			}
			return key + strconv.FormatUint(uint64(*at), 10)
		},
		parse: func(word string) bool {
			digits, ok := strings.CutPrefix(word, key)
			n, err := strconv.ParseUint(digits, 10, 32)
			if !ok || err != nil || valid != nil && !valid(T(n)) {
				return false
			}
			*at = T(n)
			return true
		},
	}
}

// Seed is a number that Draw draws once in two times, and else is 0.
func Seed(key string, at *uint32) Word {
	w := Number(key, at, nil)
	w.draw = func(s *choice.Stream) {
		drawn := s.Chance(1, 2)
		if *at = uint32(s.Intn(1 << 16)); !drawn {
			*at = 0
		}
	}
	return w
}

// plain is the text of the plainest style.
const plain = "plain"

// Ignored is a word that says nothing any more.
func Ignored(name string) Word {
	return Word{text: func() string { return "" }, parse: func(word string) bool { return word == name }}
}

// StylesOf returns how styles with some words are drawn, always with the same number of
// draws, and read. The error names the word that is not known, and of what the style is.
func StylesOf[S any](of string, words func(*S) []Word) (draw func(*choice.Stream) S, parse func(string) (S, error)) {
	draw = func(s *choice.Stream) (style S) {
		for _, w := range words(&style) {
			if w.draw != nil {
				w.draw(s)
			}
		}
		return style
	}
	parse = func(text string) (style S, err error) {
		err = Parse(text, of, words(&style))
		return style, err
	}
	return draw, parse
}

// Text returns the words of a style, in their order.
func Text(words []Word) string {
	var list []string
	for _, w := range words {
		if text := w.text(); text != "" {
			list = append(list, text)
		}
	}
	if list == nil {
		return plain
	}
	return strings.Join(list, " ")
}

// Parse reads a text whose words may come in any order. The error names the word that is
// not known, and of what the style is.
func Parse(text, of string, words []Word) error {
	for _, word := range strings.Fields(text) {
		if word != plain && !slices.ContainsFunc(words, func(w Word) bool { return w.parse(word) }) {
			return fmt.Errorf("unknown word %q in a style%s", word, of)
		}
	}
	return nil
}

// Forms returns the texts of styles, each once.
func Forms[S fmt.Stringer](styles ...S) (list []string) {
	for _, s := range styles {
		if text := s.String(); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// Found returns the style of a text, as parse reads it, or the plainest.
func Found[S any](text string, parse func(string) (S, error)) S {
	style, err := parse(text)
	if err != nil {
		var plainest S
		return plainest
	}
	return style
}
