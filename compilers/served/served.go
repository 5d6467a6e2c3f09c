package served

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"goreify/compilers"
	"goreify/reify/answers"
)

// An Asker says how an engine is asked.
type Asker struct {
	// Child returns the process, still without its directory: with two pipes as further
	// arguments it serves, with those that Alone returns it runs one program.
	Child func(dir string, limits compilers.Limits) compilers.Child
	Alone func(main string) []string // for a main file
	Files []compilers.File           // that stand in the directory
	// Judge says what the end of a process means that ran one program.
	Judge func(compilers.Exit, compilers.Bounds) Answer
	Place *regexp.Regexp // see Said
}

// An Answer is what an engine said of a program, and what the calls cost.
type Answer struct {
	compilers.Outcome
	Calls time.Duration
}

// Broken returns the answer of an engine that went wrong: an internal error, with a
// message that is the same for all programs that show it.
func (a Answer) Broken(message string) Answer {
	a.Verdict, a.Message, a.Crash = compilers.InternalError, message, message
	return a
}

// Ended returns the answer of a process, so far as its end alone tells: done is false if
// what it printed is to be looked at. endless is the verdict if it goes on for ever.
func Ended(exit compilers.Exit, b compilers.Bounds, endless compilers.Verdict) (a Answer, done bool) {
	a.Signal, a.Stdout, a.Stderr, a.CompileCPU = exit.Signal, exit.Stdout, exit.Stderr, exit.CPU
	a.Verdict, a.Message, done = compilers.JudgeStopped(exit, b, endless)
	return a, done
}

// Failed returns the answer of a process that ended with a status.
func (a Answer) Failed(status int) Answer {
	return a.Broken(compilers.Normalise(fmt.Sprintf("exit status %d: %s", status, compilers.FirstLine(a.Stderr))))
}

// Together returns what a process may use that compiles and makes the calls, beside the
// bytes of address space that it reserves without using them: -1 if that has no bounds.
func Together(limits compilers.Limits, room int64) compilers.Bounds {
	limits.CompileCPU += limits.RunCPU
	limits.CompileWall += limits.RunWall
	if limits.CompileMemory += room; room < 0 {
		limits.CompileMemory = 0
	}
	return limits.Compile()
}

// Training returns that of a mode's settings which has calls made again and again, and
// begins with a prefix: none if the engine has one of its own.
func Training(prefix string, settings, own []string) []string {
	trains := func(arg string) bool { return strings.HasPrefix(arg, prefix) }
	if i := slices.IndexFunc(settings, trains); i >= 0 && !slices.ContainsFunc(own, trains) {
		return settings[i : i+1]
	}
	return nil
}

// Said returns what an engine's lines mean. Of what place matches in the message of one
// that rejects a program, its first group is left: the rest tells one program from
// another. It may be nil.
func Said(text []byte, place *regexp.Regexp) (a Answer) {
	a.Stdout = text
	if message, ok := bytes.CutPrefix(text, []byte("rejected ")); ok {
		said := compilers.FirstLine(message)
		if place != nil {
			said = place.ReplaceAllString(said, "$1")
		}
		a.Verdict, a.Message = compilers.Rejected, compilers.Normalise(said)
		return a
	}
	a.Verdict = compilers.OK
	return a
}

// spoken returns the answer, unless it is garbage, which is no answer. An answer has a
// line for each call, in their order; so has the wanted output, if it is known.
func (a Answer) spoken(want []byte) Answer {
	if a.Verdict != compilers.OK {
		return a
	}
	got, ok := answers.Names(a.Stdout)
	if wanted, known := answers.Names(want); ok && known && len(want) > 0 {
		ok = slices.Equal(got, wanted)
	}
	if !ok {
		a.Verdict, a.Message = compilers.Discarded, fmt.Sprintf("it printed garbage: %.100q", compilers.FirstLine(a.Stdout))
	}
	return a
}

// answerFile is what Leave leaves: a line with the CPU time of the calls in
// microseconds, and then what they printed.
const answerFile = "answer"

// Ask has an engine compile a program, the bytes of a job's main file, and make its
// calls: by a server, or in a process of its own.
func (k Asker) Ask(ctx context.Context, ws *compilers.Workspace, job compilers.Job, program []byte, limits compilers.Limits, served bool) Answer {
	if served {
		return k.ask(ctx, ws, job, program, limits)
	}
	return k.start(ctx, ws, job, limits)
}

// Leave leaves an answer for Run, which compares what the calls printed.
func Leave(ws *compilers.Workspace, a Answer) (compilers.Built, compilers.Outcome) {
	if a.Verdict != compilers.OK {
		return compilers.Built{}, a.Outcome
	}
	text := slices.Concat(strconv.AppendInt(nil, a.Calls.Microseconds(), 10), []byte("\n"), a.Stdout)
	dir, err := ws.NewDir(compilers.File{Name: answerFile, Content: text})
	if err != nil {
		o := compilers.NoRoom(err)
		o.Command = a.Command
		return compilers.Built{}, o
	}
	return compilers.Built{Path: filepath.Join(dir, answerFile), Space: ws}, a.Outcome
}

// Run compares what the calls printed with want.
func Run(built compilers.Built, want []byte) compilers.Outcome {
	text, err := built.Space.Read(filepath.Split(built.Path))
	if err != nil {
		return compilers.NoRoom(err)
	}
	head, got, _ := bytes.Cut(text, []byte("\n"))
	micros, _ := strconv.ParseInt(string(head), 10, 64) // our own
	o := compilers.Outcome{Verdict: compilers.OK, Stdout: got, RunCPU: time.Duration(micros) * time.Microsecond}
	if !bytes.Equal(got, want) {
		o.Verdict, o.Message = compilers.WrongAnswer, differ(got, want)
	}
	return o
}

// differ says in which line an answer first differs.
func differ(got, want []byte) string {
	a, b := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range b {
		if i >= len(a) || a[i] != b[i] {
			line := ""
			if i < len(a) {
				line = a[i]
			}
			return fmt.Sprintf("printed %.100q, want %.100q", line, b[i])
		}
	}
	return "printed more than it should"
}

// start asks in a process of its own.
func (k Asker) start(ctx context.Context, ws *compilers.Workspace, job compilers.Job, limits compilers.Limits) (a Answer) {
	dir, err := ws.NewDir(slices.Concat(job.Files, k.Files)...)
	if err != nil {
		a.Outcome = compilers.NoRoom(err)
		return a
	}
	defer ws.Remove(dir)
	c := k.Child(dir, limits)
	c.Space, c.Dir = ws, dir
	c.Args = append(c.Args, k.Alone(job.Files[0].Name)...)
	return k.Judge(c.Run(ctx), c.Bounds).spoken(job.Want)
}

// wallOfServer is how long a server may live.
const wallOfServer = time.Hour

// fat is how much memory a server may have resident before another takes its place.
const fat = 512 << 20

// ask asks a server. A program that fails there is tried once more in a process of its
// own, which has limits for this program alone.
func (k Asker) ask(ctx context.Context, ws *compilers.Workspace, job compilers.Job, program []byte, limits compilers.Limits) (a Answer) {
	wide := limits
	wide.CompileCPU, wide.CompileWall = wallOfServer, wallOfServer
	c := k.Child("/tmp", wide)
	key := strings.Join(slices.Concat([]string{c.Root, c.Path}, c.Args, c.Env), "\x00")
	s, err := ws.Serve(key, c, k.Files...)
	if err != nil {
		a.Outcome = compilers.NoRoom(err)
		return a
	}
	text, end, err := s.Ask(ctx, base64.StdEncoding.AppendEncode(nil, program), limits.CompileWall+limits.RunWall)
	var compile, calls, resident int64
	if err == nil {
		if _, scan := fmt.Sscan(end, &compile, &calls, &resident); scan != nil {
			err = fmt.Errorf("%w: it ended its answer with %q", compilers.ErrGarbage, end)
		}
	}
	if err != nil {
		slow := errors.Is(err, os.ErrDeadlineExceeded) && !s.Ended(100*time.Millisecond)
		_, lines := answers.Names(text)
		garbage := !lines || errors.Is(err, compilers.ErrGarbage)
		exit := s.Close()
		if ctx.Err() != nil {
			a.Message = "cancelled"
			return a
		}
		if a = k.start(ctx, ws, job, limits); a.Verdict != compilers.OK || slow || garbage {
			return a // the machine may be what was slow, and garbage is no answer
		}
		b := k.Judge(exit, c.Bounds)
		switch {
		case b.Verdict == compilers.InternalError:
		case !exit.Cancelled() && b.Verdict != compilers.OK:
			return a // it was killed, has lived for too long, or had no room
		default: // it went away in peace
			b = Answer{Outcome: compilers.Outcome{Message: compilers.Normalise(err.Error())}}
		}
		return b.Broken(b.Message + ", in a process that has run other modules")
	}
	a = Said(text, k.Place)
	a.CompileCPU, a.Calls = time.Duration(compile)*time.Microsecond, time.Duration(calls)*time.Microsecond
	s.Spend(a.CompileCPU + a.Calls)
	if a = a.spoken(job.Want); a.Verdict == compilers.Discarded {
		s.Close()
		return k.start(ctx, ws, job, limits)
	}
	ws.Keep(s, resident > fat)
	return a
}

// Encode returns the bytes of a program as its main file holds them.
func Encode(program []byte) []byte {
	const width = 64 // bytes a line
	out := make([]byte, 0, 2*len(program)+len(program)/width+2)
	for len(program) > 0 {
		n := min(width, len(program))
		out = hex.AppendEncode(out, program[:n])
		out = append(out, '\n')
		program = program[n:]
	}
	return out
}

// Decode returns the bytes of a main file, whose name is for the error: it says where
// the text is corrupt.
func Decode(name string, text []byte) ([]byte, error) {
	packed := make([]byte, 0, len(text))
	for i, line := range bytes.Split(text, []byte("\n")) {
		line = bytes.TrimSpace(line)
		if _, err := hex.Decode(make([]byte, len(line)/2+1), line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		packed = append(packed, line...)
	}
	program := make([]byte, len(packed)/2)
	_, err := hex.Decode(program, packed)
	return program, err
}
