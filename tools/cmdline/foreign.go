package cmdline

import (
	"context"
	"sync"

	"github.com/urfave/cli/v3"

	"goreify/reify/oracle"
	"goreify/reify/others/foreign"
	"goreify/reify/others/inject"
	"goreify/reify/source"
)

// FunctionsFile is the database of functions of others unless the flag functions names
// another.
const FunctionsFile = "out/functions.db"

// FunctionsFlag says where functions of others are.
func FunctionsFlag() cli.Flag {
	return &cli.StringFlag{Name: "functions", Value: FunctionsFile, Usage: "`FILE` of functions of others; reify others -what functions fills it"}
}

// AskFor has those sources that need answers ask the compilers of an oracle.
func AskFor(ctx context.Context, o *oracle.Oracle, sources []source.Source) {
	harvester := sync.OnceValues(func() (*foreign.Harvester, error) { return foreign.NewHarvester(ctx, o.Targets, o.Sanitizers, o.Space) })
	for _, s := range sources {
		if s, ok := s.(*inject.Source); ok {
			s.Ask = func(list []*foreign.Function) (inject.Asker, error) {
				h, err := harvester()
				if err != nil {
					return nil, err
				}
				return h.Panel(list), nil
			}
		}
	}
}
