// Package paper holds figures that the paper publishes (Reify, PLDI 2026), to
// stand beside ours. They were measured on an AMD EPYC 9654, one process, with
// a limit of 3 s for a function.
package paper

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
)

//go:embed table5.csv
var table5 string

// Params are the parameters of section 5.2 for one function: #BBL, #VAR, #ASS,
// #TERA, #TERC.
type Params [5]int

// Defaults returns the default parameters.
func Defaults() Params { return Params{15, 8, 2, 2, 3} }

// ParamNames returns the names of the parameters, in order.
func ParamNames() [5]string { return [5]string{"#BBL", "#VAR", "#ASS", "#TERA", "#TERC"} }

// String returns p as reify.ParseConfig takes it: "15,8,2,2,3".
func (p Params) String() string {
	words := make([]string, len(p))
	for i, v := range p {
		words[i] = strconv.Itoa(v)
	}
	return strings.Join(words, ",")
}

// A Row is one of Table 5.
type Row struct {
	Rank    int
	Params  Params
	Success float64 // percent
	Rate    float64 // functions per second
}

// Table5 returns the 70 rows of Table 5, in order. One configuration stands
// there twice, with different figures.
func Table5() []Row {
	r := csv.NewReader(strings.NewReader(table5))
	r.Comment = '#'
	lines, err := r.ReadAll()
	if err != nil {
		panic(fmt.Sprintf("paper: table5.csv: %v", err))
	}
	var rows []Row
	for _, line := range lines[1:] {
		var v [8]float64
		for i := range v {
			if v[i], err = strconv.ParseFloat(line[i], 64); err != nil {
				panic(fmt.Sprintf("paper: table5.csv: %v", err))
			}
		}
		row := Row{Rank: int(v[0]), Success: v[6], Rate: v[7]}
		for i := range row.Params {
			row.Params[i] = int(v[i+1])
		}
		rows = append(rows, row)
	}
	return rows
}

// Table3 returns the rows of Table 3: the tool, its success and timeouts in
// percent, functions or programs per second, seconds for each, tokens, basic
// blocks and jumps.
func Table3() [][]string {
	return [][]string{
		{"Csmith", "100", "0", "0.63", "1.583", "35690", "427", "854"},
		{"YARPGen", "100", "0", "13.81", "0.072", "13204", "245", "490"},
		{"Reify functions", "82", "5", "2.97", "0.336", "1658", "45", "96"},
		{"Reify programs", "100", "0", "275.48", "0.003", "42844", "456", "913"},
	}
}
