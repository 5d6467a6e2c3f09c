package hunt

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"goreify/reify/printable"
)

// How often the display is drawn, and how often a line is written where there
// is none.
const (
	drawEvery = time.Second
	lineEvery = 10 * time.Second
)

// mostLines is the number of lines that the display has at most.
const mostLines = 20

// display shows what the hunt has come to, until the function that it returns
// is called. It also keeps what the run has used up to date, for status to
// read.
func (h *hunt) display() (stop func()) {
	every := lineEvery
	if h.Rows > 0 {
		every = drawEvery
	}
	done := make(chan struct{})
	var shown sync.WaitGroup
	shown.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				h.show()
			}
		}
	})
	return func() {
		close(done)
		shown.Wait()
		h.log.clear()
	}
}

// show draws the display once. Files that cannot be read or written now are no reason
// to stop: a later user of them reports the error.
func (h *hunt) show() {
	if err := h.store.spend(h.run, h.used()); err != nil {
		return
	}
	now := h.lines()
	if err := h.store.now(h.run, now); err != nil {
		return
	}
	sum, err := h.store.summary(h.Dir)
	if err != nil {
		return
	}
	sum.Width = h.Columns
	if h.Rows == 0 {
		h.log.line(sum.line())
		return
	}
	h.titles = titles(h.Dir, h.titles, sum.ByBucket)
	sum.name(h.titles)
	// Of a terminal of 24 rows the findings get some 8.
	p := sum.page(max(3, h.log.most-len(now)-10), false)
	h.log.draw(strings.Join(p.lines, "\n"))
}

// An activity is what a worker does with a batch. It may be used concurrently.
type activity struct {
	mu    sync.Mutex
	kind  string // of the batch; none if there is none
	what  string // is asked, or done
	since time.Time
}

// lines returns a line for each worker with a batch: the kind, what is asked, and for how
// long.
func (h *hunt) lines() (list []string) {
	for i := range h.doing {
		a := &h.doing[i]
		a.mu.Lock()
		if a.kind != "" {
			list = append(list, fmt.Sprintf("%-20s %6s  %s", a.kind, span(time.Since(a.since)), printable.Line(a.what)))
		}
		a.mu.Unlock()
	}
	return list
}

// begin notes that a batch of a kind begins, or with none that no batch does any more.
func (a *activity) begin(kind string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.kind, a.what, a.since = kind, "makes the programs", time.Now()
}

// set notes what is done now.
func (a *activity) set(what string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.what, a.since = what, time.Now()
}

// question returns what is done now.
func (a *activity) question() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.what
}

// A logger writes lines, and below them a display that is drawn over. It may
// be used concurrently.
type logger struct {
	mu    sync.Mutex
	w     io.Writer
	most  int // lines that a display may have; 0 on what is no terminal
	drawn int // lines of the display
}

// newLogger returns a logger for a terminal of that many rows, or 0.
func newLogger(w io.Writer, rows int) *logger {
	return &logger{w: w, most: min(max(rows-1, 0), mostLines)}
}

// line writes a line that stays.
func (l *logger) line(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
	fmt.Fprintln(l.w, printable.Line(text))
}

// draw shows the text in place of what was drawn before.
func (l *logger) draw(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) > l.most {
		rest := len(lines) - l.most + 1
		lines = append(lines[:max(l.most-1, 0)], fmt.Sprintf("and %d lines more; reify status shows them", rest))
	}
	l.erase()
	const noWrap, wrap = "\x1b[?7l", "\x1b[?7h" // a long line must stay one
	fmt.Fprint(l.w, noWrap+strings.Join(lines, "\n")+"\n"+wrap)
	l.drawn = len(lines)
}

// clear removes the display.
func (l *logger) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
}

// erase moves to the display's first line and clears from there.
func (l *logger) erase() {
	if l.drawn > 0 {
		fmt.Fprintf(l.w, "\x1b[%dA\x1b[J", l.drawn)
	}
	l.drawn = 0
}
