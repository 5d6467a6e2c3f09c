package compilers

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// A Server is a child that lives on: it reads requests, a line each, and answers each
// with lines, the last of which is "end" and what it has to tell. It is called with
// two arguments more, the names of the pipes that it reads and writes. It is not safe
// for concurrent use. A workspace keeps those that are idle.
type Server struct {
	key      string
	requests *os.File
	replies  *os.File
	lines    *bufio.Reader
	stop     context.CancelFunc
	ended    chan struct{}
	exit     Exit // when ended is closed
	asked    int
	spent    time.Duration // that it has told
	space    *Workspace
	dir      string
	output   int // bytes that an answer may have
}

// serverUnits is how many requests a server answers before another takes its place.
const serverUnits = 200

// lastWords is how long is waited for what a server that has ended may have said.
const lastWords = 10 * time.Millisecond

// ErrServer says that a server did not answer as it should: it has ended, takes too
// long, or speaks nonsense, which is ErrGarbage, too. They come wrapped.
var (
	ErrServer  = errors.New("the server gave no answer")
	ErrGarbage = fmt.Errorf("%w: garbage", ErrServer)
)

// Serve returns a server that is idle or, if there is none, starts one: the child, with
// key telling it from others. It runs in a directory of its own, with some files.
func (w *Workspace) Serve(key string, c Child, files ...File) (*Server, error) {
	for s := w.servers.take(key); s != nil; s = w.servers.take(key) {
		if !s.dead() {
			return s, nil
		}
		s.Close() // somebody has killed it, or it has lived for too long
	}
	dir, err := w.NewDir(files...)
	if err != nil {
		return nil, err
	}
	c.Space, c.Dir = w, dir
	s, err := startServer(key, c)
	if err != nil {
		w.Remove(dir)
		return nil, err
	}
	return s, nil
}

// Keep takes a server back that has answered, unless it has done so often or used much
// memory, or the workspace is closed: then it is ended.
func (w *Workspace) Keep(s *Server, fat bool) {
	if s.asked >= serverUnits || fat || s.dead() || !w.servers.put(s) {
		s.Close()
	}
}

// servers are those of a workspace.
type servers struct {
	mu     sync.Mutex
	idle   map[string][]*Server // by key
	closed bool
	spent  atomic.Int64 // CPU time that they have told, in nanoseconds
}

// Spend notes the CPU time of what a server was asked. That of its process takes the place
// if it is known in the end.
func (s *Server) Spend(cpu time.Duration) {
	s.spent += cpu
	s.space.servers.spent.Add(int64(cpu))
}

// take returns a server of a key that is no longer idle, or nil if there is none.
func (l *servers) take(key string) *Server {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.idle[key]
	if len(list) == 0 {
		return nil
	}
	s := list[len(list)-1]
	l.idle[key] = list[:len(list)-1]
	return s
}

// put keeps a server, unless none are kept any more.
func (l *servers) put(s *Server) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	if l.idle == nil {
		l.idle = map[string][]*Server{}
	}
	l.idle[s.key] = append(l.idle[s.key], s)
	return true
}

func (l *servers) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, list := range l.idle {
		for _, s := range list {
			s.Close()
		}
	}
	l.idle, l.closed = nil, true
}

func startServer(key string, c Child) (*Server, error) {
	s := &Server{key: key, space: c.Space, dir: c.Dir, ended: make(chan struct{}), output: max(c.Bounds.output, 1<<20)}
	const in, out = "requests", "replies"
	dir, err := c.Space.Open(c.Dir)
	if err != nil {
		return nil, fmt.Errorf("starting a server: %w", err)
	}
	defer dir.Close() // the pipes stay open
	// The exit of the server tells that it has ended, and not the end of a pipe.
	if s.requests, err = dir.Pipe(in); err != nil {
		return nil, fmt.Errorf("starting a server: %w", err)
	}
	if s.replies, err = dir.Pipe(out); err != nil {
		_ = s.requests.Close()
		return nil, fmt.Errorf("starting a server: %w", err)
	}
	s.lines = bufio.NewReaderSize(s.replies, 1<<16)
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	c.Args = append(slices.Clone(c.Args), filepath.Join(c.Dir, in), filepath.Join(c.Dir, out))
	go func() {
		s.exit = c.Run(ctx)
		close(s.ended)
		// A reader that waits for a line waits no longer.
		_ = s.replies.SetReadDeadline(time.Unix(1, 0))
		_ = s.requests.SetWriteDeadline(time.Unix(1, 0))
	}()
	return s, nil
}

func (s *Server) dead() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// Ask sends a request and returns the lines of the answer without the last, and what
// follows "end" in that. With an error, which wraps ErrServer, the lines are those that
// came before; the server is of no use any more and must be closed.
func (s *Server) Ask(ctx context.Context, request []byte, wall time.Duration) (answer []byte, end string, err error) {
	s.asked++
	deadline := time.Now().Add(wall)
	if wall <= 0 {
		deadline = time.Time{}
	}
	_ = s.requests.SetWriteDeadline(deadline)
	_ = s.replies.SetReadDeadline(deadline)
	stop := context.AfterFunc(ctx, func() {
		_ = s.requests.SetWriteDeadline(time.Unix(1, 0))
		_ = s.replies.SetReadDeadline(time.Unix(1, 0))
	})
	defer stop()
	if s.dead() {
		return nil, "", fmt.Errorf("%w: it has ended before", ErrServer)
	}
	failed := func(err error) error {
		if s.dead() {
			err = io.ErrUnexpectedEOF
		}
		return fmt.Errorf("%w: %w", ErrServer, err)
	}
	// Lines that it prints unasked would be taken for the answer.
	if s.unread() {
		return nil, "", fmt.Errorf("%w: it went on after the end of the last one", ErrGarbage)
	}
	if _, err := s.requests.Write(append(request, '\n')); err != nil {
		return nil, "", failed(err)
	}
	line := 0 // where the line begins that is read
	ended := false
	for {
		part, err := s.lines.ReadSlice('\n')
		answer = append(answer, part...)
		switch {
		case err == nil:
			if text, ok := cutEnd(answer[line:]); ok {
				return answer[:line], text, nil
			}
		case errors.Is(err, os.ErrDeadlineExceeded) && s.dead() && !ended:
			// The last lines are still to be read.
			ended = true
			_ = s.replies.SetReadDeadline(time.Now().Add(lastWords))
		case !errors.Is(err, bufio.ErrBufferFull):
			return answer, "", failed(err)
		}
		if len(answer) > s.output {
			return answer, "", fmt.Errorf("%w: %s", ErrGarbage, printedMore(s.output))
		}
		if err == nil {
			line = len(answer)
		}
	}
}

// unread tells whether the server has printed something that was not read.
func (s *Server) unread() bool {
	waiting := 0
	if conn, err := s.replies.SyscallConn(); err == nil {
		_ = conn.Control(func(fd uintptr) { waiting, _ = unix.IoctlGetInt(int(fd), unix.TIOCINQ) })
	}
	return s.lines.Buffered() > 0 || waiting > 0
}

func cutEnd(line []byte) (string, bool) {
	text := string(line[:len(line)-1])
	told, ok := strings.CutPrefix(text, "end ")
	if text == "end" {
		return "", true
	}
	return told, ok && told != ""
}

// Close ends the server, removes its directory and returns how it ended.
func (s *Server) Close() Exit {
	s.stop()
	<-s.ended
	if s.exit.CPU > 0 { // a box that is ended with its child takes this along
		s.space.servers.spent.Add(-int64(s.spent))
	}
	s.spent = 0
	_ = s.requests.Close()
	_ = s.replies.Close()
	s.space.Remove(s.dir)
	return s.exit
}

// Ended tells whether the server ends by itself within a while.
func (s *Server) Ended(wall time.Duration) bool {
	select {
	case <-s.ended:
		return true
	case <-time.After(wall):
		return false
	}
}
