package cmdline

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"goreify/reify/printable"
)

// How often progress is shown: on a terminal, where it is drawn over, and in lines.
const (
	drawEvery = 200 * time.Millisecond
	lineEvery = 10 * time.Second
)

// A Progress shows on standard error how far a command has come: on a terminal as a
// line that is drawn over, else as a line every ten seconds. Lines that stay are
// written through it. It may be used concurrently.
type Progress struct {
	steps int    // 0 if their number is not known
	what  string // of what, in the plural

	terminal bool
	width    int
	errors   io.Writer

	mu     sync.Mutex
	done   int
	now    string // what is going on
	began  time.Time
	stop   chan struct{}
	closed sync.Once
	ended  sync.WaitGroup
	drawn  bool
}

// NewProgress shows the progress of so many steps, 0 if that is not known, until Close
// is called. The noun of the steps is in the plural: "functions".
func NewProgress(steps int, what string) *Progress {
	p := &Progress{steps: steps, what: what, errors: os.Stderr, began: time.Now(), stop: make(chan struct{})}
	fd := int(os.Stderr.Fd())
	p.terminal = term.IsTerminal(fd)
	every := lineEvery
	if p.terminal {
		every = drawEvery
		if width, _, err := term.GetSize(fd); err == nil {
			p.width = width
		}
	}
	p.ended.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-p.stop:
				return
			case <-tick.C:
				p.show()
			}
		}
	})
	return p
}

// Next says that one more step is done.
func (p *Progress) Next() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
}

// Set says how many steps are done.
func (p *Progress) Set(done int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = done
}

// Now says what is going on.
func (p *Progress) Now(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = what
}

// Line writes a line that stays.
func (p *Progress) Line(w io.Writer, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	fmt.Fprintln(w, text)
}

// Close ends it, and leaves nothing on a terminal. It may be called again.
func (p *Progress) Close() {
	p.closed.Do(func() {
		close(p.stop)
		p.ended.Wait()
		p.mu.Lock()
		defer p.mu.Unlock()
		p.erase()
	})
}

// show draws the line, or writes it.
func (p *Progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := p.text(time.Since(p.began))
	if !p.terminal {
		fmt.Fprintln(p.errors, text)
		return
	}
	if p.width > 1 && len(text) >= p.width {
		text = strings.ToValidUTF8(text[:p.width-1], "")
	}
	p.erase()
	fmt.Fprint(p.errors, text)
	p.drawn = true
}

// text says how far it has come: "12 of 40 files, 1m5s, 2m30s left: corpus/a.txtar".
func (p *Progress) text(since time.Duration) string {
	var b strings.Builder
	fmt.Fprint(&b, p.done)
	if p.steps > 0 {
		fmt.Fprintf(&b, " of %d", p.steps)
	}
	fmt.Fprintf(&b, " %s, %v", p.what, since.Round(time.Second))
	if p.done > 0 && p.steps > p.done {
		left := time.Duration(float64(since) / float64(p.done) * float64(p.steps-p.done))
		fmt.Fprintf(&b, ", some %v left", left.Round(time.Second))
	}
	if p.now != "" {
		fmt.Fprintf(&b, ": %s", strings.ReplaceAll(p.now, "\n", " "))
	}
	return printable.Line(b.String())
}

// erase removes the line that is drawn.
func (p *Progress) erase() {
	if p.drawn {
		fmt.Fprint(p.errors, "\r\x1b[K")
	}
	p.drawn = false
}
