package cmdline

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"goreify/compilers"
)

// A command that is interrupted has ordered to end in, and then the process as much more to
// remove its workspaces: a second, all in all.
const (
	ordered = 650 * time.Millisecond
	hasty   = 150 * time.Millisecond
)

// spaces are the workspaces that a command has open.
type spaces struct {
	mu   sync.Mutex
	list []*compilers.Workspace
}

type spacesKey struct{}

// withSpaces returns a context that OpenSpace tells of its workspaces.
func withSpaces(ctx context.Context) (context.Context, *spaces) {
	s := &spaces{}
	return context.WithValue(ctx, spacesKey{}, s), s
}

// OpenSpace makes a workspace, and returns what closes it.
func OpenSpace(ctx context.Context) (*compilers.Workspace, func(), error) {
	space, err := compilers.NewWorkspace(os.TempDir())
	if err != nil {
		return nil, nil, err
	}
	if s, ok := ctx.Value(spacesKey{}).(*spaces); ok {
		s.mu.Lock()
		s.list = append(s.list, space)
		s.mu.Unlock()
	}
	return space, func() { _ = space.Close() }, nil // what stays is swept by the next
}

// endSoon waits a little for the exit status of a command that was cancelled. One that reads
// what nobody writes, or waits for a lock or a reader, is not waited for: its status is 2. It
// loses nothing, as one that is killed does not, and its workspaces are removed.
func endSoon(ended <-chan int, open *spaces) int {
	select {
	case status := <-ended:
		return status
	case <-time.After(ordered):
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		open.mu.Lock()
		defer open.mu.Unlock()
		for _, space := range open.list {
			space.Abandon()
		}
		fmt.Fprintln(os.Stderr, "reify: interrupted, and did not end in order")
	}()
	select {
	case <-done:
	case <-time.After(hasty):
	}
	return 2
}
