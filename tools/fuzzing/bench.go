package fuzzing

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/reify/oracle"
	"goreify/tools/need"
)

// The engine kills a worker whose execution takes 10 s. Past the budget nothing is
// asked, reserve is kept of it for looking into a failure.
const (
	budget  = 7500 * time.Millisecond
	reserve = 4500 * time.Millisecond
)

// A Bench has the compilers for programs in one language. They are looked for when
// they are first asked for. It is closed by Main.
type Bench struct {
	Language compilers.Language
	CC       string // what REIFY_CC is if it is not set; empty for what is on PATH
	Need     string // what tests need for that, if it is not always here; see package need

	once   sync.Once
	oracle *oracle.Oracle
	space  *compilers.Workspace
	err    error
}

// Oracle returns the oracle that asks the compilers, and says which of those that are
// here are not used. The test fails, or is skipped, if there are none.
func (b *Bench) Oracle(t testing.TB) *oracle.Oracle {
	b.once.Do(func() {
		if b.err = b.open(); b.err != nil {
			return
		}
		b.oracle.Reserve = reserve
		for _, u := range b.oracle.Unusable {
			fmt.Fprintln(os.Stderr, "goreify: not used:", u)
		}
	})
	switch {
	case b.err != nil && b.Need != "" && os.Getenv("REIFY_CC") == "":
		need.Missing(t, b.Need, "%v", b.err)
	case b.err != nil:
		t.Fatal(b.err)
	}
	return b.oracle
}

func (b *Bench) open() error {
	ctx := context.Background()
	policy, err := compilers.ParseBoxPolicy(os.Getenv("REIFY_BOX"))
	if err != nil {
		return err
	}
	if b.space, err = compilers.NewWorkspace(os.TempDir()); err != nil {
		return err
	}
	if _, _, err := b.space.Enclose(ctx, policy); err != nil {
		return err
	}
	env := compilers.EnvFrom(os.Environ())
	env.Space = b.space
	env.CC = cmp.Or(env.CC, b.CC)
	found, named, err := targets.Find(ctx, env)
	if err != nil {
		return err
	}
	if b.oracle, err = oracle.New(ctx, b.space, found, named); err != nil {
		return err
	}
	return b.oracle.Judged()
}

// close removes the compilers' files. Files that stay are swept by the next run that
// makes some.
func (b *Bench) close() {
	if b.space != nil {
		_ = b.space.Close()
	}
}
