package cmdline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/urfave/cli/v3"

	"goreify/reify/printable"
)

// An output is the standard output of a command. It keeps the first error, so
// that no writer needs to look, and cancels a command that nobody can read any
// more. It has no buffer: what takes hours shows its lines as they come. Text only
// shows, as package printable has it; Verbatim is for bytes that must stay as they are.
type output struct {
	cancel context.CancelFunc
	err    error
}

// Errors returns standard error, on which text of others only shows.
func Errors() io.Writer { return printable.Writer(os.Stderr) }

// Verbatim returns a writer to the standard output of a command for the bytes of a file,
// which are not changed.
func Verbatim(c *cli.Command) io.Writer {
	if o, ok := c.Root().Writer.(*output); ok {
		return verbatim{o}
	}
	return c.Root().Writer
}

type verbatim struct{ o *output }

func (v verbatim) Write(p []byte) (int, error) { return v.o.write(p) }

// Write returns the first error again when there has been one.
func (o *output) Write(p []byte) (int, error) {
	if _, err := o.write([]byte(printable.Text(string(p)))); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (o *output) write(p []byte) (n int, err error) {
	if o.err != nil {
		return 0, o.err
	}
	if stdoutWasClosed() {
		err = os.ErrClosed
	} else {
		n, err = os.Stdout.Write(p)
	}
	if err != nil {
		o.err = fmt.Errorf("standard output: %w", err)
		o.cancel()
	}
	return n, o.err
}

// explain returns the error of a command, and of its output. A command that was
// cancelled because of the output has nothing else to report.
func (o *output) explain(err error) error {
	if o.err == nil {
		return err
	}
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, o.err) {
		return o.err
	}
	return errors.Join(err, o.err)
}

// quiet tells whether an error is only that the reader has gone away, as head does when
// it has enough.
func (o *output) quiet(err error) bool { return err == o.err && errors.Is(err, syscall.EPIPE) }
