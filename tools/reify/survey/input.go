package survey

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ParseInput reads an input of a fuzz target as Go stores it, of arguments that
// are all []byte:
//
//	go test fuzz v1
//	[]byte("...")
//
// The error says which line is something else.
func ParseInput(text []byte) ([][]byte, error) {
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if lines[0] != "go test fuzz v1" {
		return nil, errors.New("fuzz input: line 1 is not: go test fuzz v1")
	}
	var args [][]byte
	for i, line := range lines[1:] {
		quoted, isBytes := strings.CutPrefix(strings.TrimSuffix(line, ")"), "[]byte(")
		value, err := strconv.Unquote(quoted)
		if !isBytes || err != nil {
			return nil, fmt.Errorf("fuzz input: line %d is %q, want []byte(\"...\")", i+2, line)
		}
		args = append(args, []byte(value))
	}
	return args, nil
}
