package oracle_test

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/oracle"
	"goreify/reify/subject"
)

// toy is a language whose programs are words. Each word prints itself on a line,
// without what follows a tilde: "s~2" is a variant of "s".
const toy compilers.Language = "toy"

// A standIn is a target in Go. It knows toy and, of other languages, the answers
// that jobs come with.
type standIn struct {
	id       compilers.ID
	language compilers.Language
	traits   compilers.Traits
	// change makes something else of the right outcome of a job; nil leaves it.
	change func(job compilers.Job, args []string, right compilers.Outcome) compilers.Outcome
	built  sync.Map // jobs
	asked  *[]compilers.Job
	log    *[]string        // who was asked, in which mode, about what
	limits compilers.Limits // of the last question
}

func (s *standIn) ID() compilers.ID             { return s.id }
func (s *standIn) Language() compilers.Language { return s.language }
func (s *standIn) Modes() []compilers.Mode      { return []compilers.Mode{"fast"} }
func (s *standIn) Reference() compilers.Mode    { return "slow" }
func (s *standIn) Traits() compilers.Traits     { return s.traits }

func (s *standIn) Build(_ context.Context, ws *compilers.Workspace, job compilers.Job, limits compilers.Limits) (compilers.Built, compilers.Outcome) {
	s.limits = limits
	*s.log = append(*s.log, compilers.Name(s, job.Mode)+": "+strings.TrimSpace(string(job.Files[0].Content)))
	*s.asked = append(*s.asked, job)
	o := s.outcome(job, nil)
	switch o.Verdict {
	case compilers.InternalError, compilers.SlowCompile, compilers.Rejected:
		return compilers.Built{}, o
	}
	dir, err := ws.NewDir()
	if err != nil {
		return compilers.Built{}, compilers.NoRoom(err)
	}
	built := compilers.Built{Path: filepath.Join(dir, "built"), Space: ws}
	s.built.Store(built, job)
	return built, compilers.Outcome{Verdict: compilers.OK, CompileCPU: o.CompileCPU}
}

func (s *standIn) Run(_ context.Context, built compilers.Built, args []string, want []byte, limits compilers.Limits) compilers.Outcome {
	s.limits = limits
	job, _ := s.built.Load(built)
	o := s.outcome(job.(compilers.Job), args)
	if o.Verdict == compilers.OK && !bytes.Equal(o.Stdout, want) {
		o.Verdict = compilers.WrongAnswer
	}
	return o
}

// outcome returns what becomes of a job whose program gets the arguments: none, or
// the number of the only line that it prints.
func (s *standIn) outcome(job compilers.Job, args []string) compilers.Outcome {
	out := string(job.Want)
	if s.language == toy {
		out = printed(strings.Fields(string(job.Files[0].Content)))
	}
	if args != nil {
		i, err := strconv.Atoi(args[0])
		if err != nil {
			panic("oracle: no number of a member: " + err.Error())
		}
		out = strings.SplitAfter(out, "\n")[i]
	}
	right := compilers.Outcome{Verdict: compilers.OK, Stdout: []byte(out)}
	if s.change == nil {
		return right
	}
	return s.change(job, args, right)
}

// printed returns what a program in toy prints.
func printed(words []string) string {
	var b strings.Builder
	for _, w := range words {
		base, _, _ := strings.Cut(w, "~")
		b.WriteString(base + "\n")
	}
	return b.String()
}

// standIns returns an oracle that asks targets ax-1, ax-2 and bx-1 for toy, of the
// families ax and bx, and sanitizers of ax-2 and bx-1; and the log of all. They
// are right.
func standIns(t *testing.T) (*oracle.Oracle, *[]string) {
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ws.Close()) })
	var log []string
	var asked []compilers.Job
	stand := func(name, version string, args ...string) compilers.Target {
		id := compilers.ID{Name: name + "-" + version, Args: args, Family: name, Version: version}
		return &standIn{id: id, language: toy, log: &log, asked: &asked}
	}
	return &oracle.Oracle{
		Space: ws, Limits: compilers.DefaultLimits(),
		Targets:    []compilers.Target{stand("ax", "1"), stand("ax", "2"), stand("bx", "1")},
		Sanitizers: []compilers.Target{stand("ax", "2", "check"), stand("bx", "1", "check")},
	}, &log
}

// garbles has a target print a word that is none, in a mode, for programs with a
// word.
func garbles(target compilers.Target, mode compilers.Mode, word string) {
	target.(*standIn).change = func(job compilers.Job, _ []string, o compilers.Outcome) compilers.Outcome {
		if job.Mode == mode && slices.Contains(strings.Fields(string(job.Files[0].Content)), word) {
			o.Stdout = []byte("garbled\n")
		}
		return o
	}
}

// A text is a subject: a program in toy.
type text struct {
	words []string
	trust subject.Trust
	want  string // in place of the right answer
	seed  string // of a variant
}

func (s text) Name() string         { return strings.Join(s.words, " ") }
func (s text) Trust() subject.Trust { return s.trust }
func (s text) Weight() int          { return len(s.words) }

func (s text) Artefact() subject.Artefact {
	art := func(words ...string) subject.Artefact {
		return subject.Artefact{
			Language: toy,
			Files:    []compilers.File{{Name: "main.toy", Content: []byte(strings.Join(words, " ") + "\n")}},
		}
	}
	a := art(s.words...)
	switch {
	case s.seed != "":
		seed := art(s.seed)
		a.Reference = &seed
	case s.trust == subject.Agreed:
	case s.want != "":
		a.Want = []byte(s.want)
	default:
		a.Want = []byte(printed(s.words))
	}
	return a
}

func (s text) Entry() (*corpus.Entry, error) {
	a := s.Artefact()
	return &corpus.Entry{
		Tool: "test", Language: a.Language, Source: "texts", Trust: s.trust.String(), Main: "main.toy",
		Weight: s.Weight(), Sources: subject.Sources(a.Files), Want: string(a.Want),
	}, nil
}

// texts are a group of words.
type texts struct{ text }

func group(words ...string) texts { return texts{text{words: words}} }

func (g texts) Members() []subject.Subject {
	var list []subject.Subject
	for _, w := range g.words {
		list = append(list, g.of(w))
	}
	return list
}

// of returns the program of some words, with the trust of the group.
func (g texts) of(words ...string) text {
	part := text{words: words, trust: g.trust}
	if g.seed != "" {
		part.seed = strings.TrimSpace(strings.ReplaceAll(printed(words), "\n", " "))
	}
	return part
}

func (g texts) Only(members ...int) (subject.Subject, error) {
	var words []string
	for _, i := range members {
		words = append(words, g.words[i])
	}
	return texts{g.of(words...)}, nil
}

func (g texts) Guilty(o compilers.Outcome) []int {
	var list []int
	lines := strings.Fields(string(o.Stdout))
	for i, w := range g.words {
		if slices.Contains(o.Named, w) || len(lines) == len(g.words) && lines[i] != w {
			list = append(list, i)
		}
	}
	return list
}

// choosy is a group whose program runs one of its words, if it is told to.
type choosy struct{ texts }

func (choosy) Select(member int) []string { return []string{strconv.Itoa(member)} }
