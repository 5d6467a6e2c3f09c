package main

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/urfave/cli/v3"

	"goreify/reify"
	"goreify/tools/cmdline"
)

// A version says what this command was made of.
type version struct {
	Module    string `json:"module"`    // as in v1.2.3, or (devel)
	Generator string `json:"generator"` // reify.Version
	Go        string `json:"go"`
	Tags      string `json:"tags"` // of the build
	Revision  string `json:"revision"`
	Time      string `json:"time"`     // of the revision
	Modified  bool   `json:"modified"` // the tree was not that of the revision
	Z3        bool   `json:"z3"`
}

func versionCommand() *cli.Command {
	return &cli.Command{
		Name:     "version",
		Usage:    "say what this command was made of",
		Metadata: cmdline.Takes(cmdline.JSON),
		Action: func(_ context.Context, c *cli.Command) error {
			v := readVersion()
			return cmdline.Print(c, v, v.write)
		},
	}
}

// write writes a line for each thing that is known.
func (v version) write(w io.Writer) error {
	rows := [][2]string{{"goreify", v.Module}, {"generator", v.Generator}, {"go", v.Go}, {"z3", yes(v.Z3)}}
	if v.Tags != "" {
		rows = append(rows, [2]string{"tags", v.Tags})
	}
	if v.Revision != "" {
		text := v.Revision + " of " + v.Time
		if v.Modified {
			text += ", modified"
		}
		rows = append(rows, [2]string{"revision", text})
	}
	for _, r := range rows {
		fmt.Fprintf(w, "%-10s %s\n", r[0], r[1])
	}
	return nil
}

// readVersion returns what the build has recorded.
func readVersion() version {
	v := version{Generator: reify.Version, Module: "(unknown)", Z3: z3Here() == nil}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	v.Module, v.Go = info.Main.Version, info.GoVersion
	for _, s := range info.Settings {
		switch s.Key {
		case "-tags":
			v.Tags = s.Value
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.time":
			v.Time = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
