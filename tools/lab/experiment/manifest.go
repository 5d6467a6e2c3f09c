package experiment

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"goreify/reify"
	"goreify/reify/safefile"
)

// A manifest says what results are worth: where they come from.
type manifest struct {
	Experiment  string  `json:"experiment"`
	Command     string  `json:"command"`
	Date        string  `json:"date"` // UTC
	Commit      string  `json:"commit"`
	Modified    bool    `json:"modified"` // the working tree differed from the commit
	Generator   string  `json:"generator"`
	Engine      string  `json:"engine"`
	Recipes     int     `json:"recipes"` // for each point
	Seed        uint64  `json:"seed"`
	Points      int     `json:"points"` // measured in the same run
	CPUSeconds  float64 `json:"cpu_seconds"`
	WallSeconds float64 `json:"wall_seconds"`
	CPU         string  `json:"cpu"`
	Cores       int     `json:"cores"`
	System      string  `json:"system"`
	Go          string  `json:"go"`
	GCPercent   int     `json:"gc_percent"` // how much garbage may pile up, as for GOGC
}

func newManifest(o Options, started time.Time, points int, r results) manifest {
	m := manifest{
		Command:     o.Command,
		Date:        started.UTC().Format(time.RFC3339),
		Commit:      "unknown",
		Generator:   reify.Version,
		Engine:      o.Solver.Name(),
		Recipes:     o.Recipes,
		Seed:        o.Seed,
		Points:      points,
		WallSeconds: time.Since(started).Seconds(),
		CPU:         cpuModel(),
		Cores:       runtime.NumCPU(),
		System:      kernel(),
		Go:          runtime.Version(),
	}
	for _, point := range r {
		m.CPUSeconds += point.CPUSeconds
		m.GCPercent = point.GCPercent
	}
	if commit, err := exec.Command("git", "rev-parse", "HEAD").Output(); err == nil {
		m.Commit = strings.TrimSpace(string(commit))
		status, err := exec.Command("git", "status", "--porcelain", "--untracked-files=no").Output()
		m.Modified = err != nil || len(status) > 0
	}
	return m
}

// write writes the manifest of one of the experiments of the run.
func (m manifest) write(dir, experiment string) error {
	m.Experiment = experiment
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return safefile.Write(file(dir, "manifest-"+experiment+".json"), append(text, '\n'), 0o644)
}

// cpuModel returns what Linux calls the first core.
func cpuModel() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return "unknown"
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

// kernel returns the name and release of the operating system, and the
// architecture.
func kernel() string {
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		return runtime.GOOS + " " + runtime.GOARCH
	}
	return unix.ByteSliceToString(u.Sysname[:]) + " " + unix.ByteSliceToString(u.Release[:]) + " " + unix.ByteSliceToString(u.Machine[:])
}
