package measure

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
)

// A Result is what Run counted. Shares are between 0 and 1, and 0 where there
// was nothing to count.
type Result struct {
	Engine    string `json:"engine"`
	Config    string `json:"config"`
	Recipes   int    `json:"n"`
	Seed      uint64 `json:"seed"`
	MinPath   int    `json:"long"`      // functions with shorter paths are not counted below
	Functions int    `json:"functions"` // that were counted

	Success float64 `json:"success"` // recipes that ended in a function, counted or not
	Unknown int     `json:"unknown"` // recipes for which no model was found
	Unsat   int     `json:"unsat"`   // recipes whose last path provably has none
	Timeout float64 `json:"timeout"` // recipes that took longer than TimeLimit

	Rate        float64 `json:"functions_per_cpu_second"`
	CPUSeconds  float64 `json:"cpu_seconds"`
	MaxCPU      float64 `json:"max_cpu_ms"`   // of one recipe
	SlowestSeed uint64  `json:"slowest_seed"` // the recipe that took it
	Bytes       float64 `json:"bytes_per_function"`
	Allocs      float64 `json:"allocs_per_function"`

	GCPercent int `json:"gc_percent"` // how much garbage may pile up, as for GOGC

	OnTarget   float64        `json:"share_target_met"`       // functions whose path has the length drawn for it
	WithRounds float64        `json:"share_rounds_drawn"`     // functions for which it was drawn how often the path goes round
	OnRounds   float64        `json:"share_rounds_met"`       // of these the ones whose path does
	Granted    float64        `json:"share_directions_taken"` // of those drawn for a branch, in all walks
	Solvers    map[string]int `json:"solved_by"`              // functions, by the engine that found the model

	// Work of the solver for all recipes, by functions made; see solve.Stats.
	Tries     float64 `json:"paths_tried_per_function"`
	Walks     float64 `json:"walks_per_function"`
	Backjumps float64 `json:"backjumps_per_function"`
	Restarts  float64 `json:"restarts_per_function"`
	Detours   float64 `json:"detours_per_function"`
	Queries   float64 `json:"queries_per_function"`

	Inputs     float64   `json:"inputs_per_function"`
	MeanBlocks float64   `json:"mean_blocks"`
	MeanEdges  float64   `json:"mean_edges"`
	MeanTokens float64   `json:"mean_tokens"` // of C, in the function's definition
	MeanPath   float64   `json:"mean_path"`   // blocks
	Path       Quantiles `json:"path_quantiles"`

	FewRounds  float64 `json:"share_loops_3"`         // functions that visit some block 4 times
	ManyRounds float64 `json:"share_loops_10"`        // functions that visit some block 11 times
	BothWays   float64 `json:"share_both_directions"` // of conditionals executed more than once
	// Multipliers are the constants that something is multiplied by, in all
	// blocks or in those that the path visits.
	Factor0     float64 `json:"share_multiplier_0"`
	Factor1     float64 `json:"share_multiplier_1"` // 1 or -1
	PathFactor0 float64 `json:"share_path_multiplier_0"`
	PathFactor1 float64 `json:"share_path_multiplier_1"`
	Initial0    float64 `json:"share_initial_0"` // arguments and initial values of variables
}

// Quantiles are lengths of paths: P10 is the one that a tenth does not exceed.
type Quantiles struct {
	Min int `json:"min"`
	P10 int `json:"p10"`
	P25 int `json:"p25"`
	P50 int `json:"p50"`
	P75 int `json:"p75"`
	P90 int `json:"p90"`
	P99 int `json:"p99"`
	Max int `json:"max"`
}

// Table writes r for people to read.
func (r *Result) Table(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(t, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	percent := func(name string, share float64) { row(name, "%.2f %%", 100*share) }
	row("engine", "%s", r.Engine)
	row("configuration", "%s", r.Config)
	row("recipes", "%d from seed %d", r.Recipes, r.Seed)
	if r.MinPath > 0 {
		row("functions counted", "%d, with %d and more blocks on the path", r.Functions, r.MinPath)
	}
	row("success", "%.2f %% (%d without a model, %d unsatisfiable, %.2f %% over %v)", 100*r.Success, r.Unknown, r.Unsat, 100*r.Timeout, TimeLimit)
	row("functions/CPU second", "%.1f (user and system time of the process: %.2f s)", r.Rate, r.CPUSeconds)
	row("slowest recipe", "%.1f ms CPU (seed %d)", r.MaxCPU, r.SlowestSeed)
	row("memory/function", "%.0f allocations, %.0f KiB", r.Allocs, r.Bytes/1024)
	for _, name := range slices.Sorted(maps.Keys(r.Solvers)) {
		row("solved by "+name, "%d", r.Solvers[name])
	}
	row("solver/function", "%.2f paths, %.2f walks, %.2f backjumps, %.2f restarts, %.2f detours, %.2f queries", r.Tries, r.Walks, r.Backjumps, r.Restarts, r.Detours, r.Queries)
	row("function", "%.1f blocks, %.1f edges, %.0f tokens, %.2f inputs", r.MeanBlocks, r.MeanEdges, r.MeanTokens, r.Inputs)
	p := r.Path
	row("as drawn", "%.1f %% of path lengths, %.1f %% of rounds (drawn for %.0f %%), %.1f %% of directions", 100*r.OnTarget, 100*r.OnRounds, 100*r.WithRounds, 100*r.Granted)
	row("path", "%.1f blocks; quantiles 0 10 25 50 75 90 99 100 %%: %d %d %d %d %d %d %d %d", r.MeanPath, p.Min, p.P10, p.P25, p.P50, p.P75, p.P90, p.P99, p.Max)
	percent("loops round >= 3 times", r.FewRounds)
	percent("loops round >= 10 times", r.ManyRounds)
	percent("conditionals both ways", r.BothWays)
	row("multipliers 0; +-1", "%.2f %%; %.2f %% (on the path %.2f %%; %.2f %%)", 100*r.Factor0, 100*r.Factor1, 100*r.PathFactor0, 100*r.PathFactor1)
	percent("initial values 0", r.Initial0)
	return t.Flush()
}
