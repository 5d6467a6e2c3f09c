// Package hunt looks for compiler bugs until it is told to stop, and loses
// nothing: workers take batches of cases, ask compilers about them, and record
// what they find in a directory that any number of runs may add to.
//
//	batch number ─seed, kind→ cases ─plan part→ oracle.Check ─finding→ findings/NAME/, hunt.db
//	     ↑                                                                │
//	     └──────────── kind chosen by what each has yielded ──────────────┘
//
// Seed, number and kind decide the input of a batch, which is recorded before the
// batch begins. So a run that ends, or is killed, leaves batches that are done, and
// at most one a worker that is not. The next run does those first. It finds again
// what they had found, under the same names. Nothing is counted twice: what is
// counted are rows, and rows have names.
//
//	hunt.db       SQLite: runs, batches, their inputs, findings, buckets, log
//	findings/     the first findings of each bucket: txtar, C files, repro.sh
//	unconfirmed/  the same of suspicions, which are no findings
//	notes/        the same of what hidden flags alone show
//	matrix/       the page of the cells, and a picture for each target (package grid)
//	lock          held while a hunt runs
//
// The types:
//
//	Kind     a way to make batches: a source of programs with its options
//	Plan     which targets are asked in which modes about which batches
//	Summary  what a hunt has come to, also while it runs
//
// A plan is a list of rules, WHO [MODES] [flags [arch]] [one] [every N]; see Plan:
//
//	all every 8; gcc-12 -O2,-O3    gcc-12 about every batch, everyone about one batch in 8
//	clang -O2,-O3 one              one of the clangs at one of these levels, drawn for each batch
//	"gcc-12 -m32"                  a compiler with its arguments, at all levels
//	gcc -O2,-O3 flags one          one of the gccs with flags drawn from a table
//
// A batch is asked about by the targets of its language; what is drawn is drawn
// among these. Without a plan it is sample: one target of each family in one mode
// that may find bugs, half of the time with wide vectors, and all in all modes about
// one batch in 64. It is all, if the modes there are leave the sample nothing to ask
// in some language.
//
// Flags are those of compilers.Tunable, drawn by what each has yielded. One that a
// compiler does not know, or that asks for what the processor lacks, is tried once and
// left out. A finding has only those flags that it needs. A failure that hidden flags
// alone show is no finding, and goes to notes/.
//
// A finding's directory appears whole, by a rename, before the transaction
// that records it; what was renamed but not recorded is recorded by the next
// run. A compiler that vanishes or is replaced is given up for the run; a full disk
// ends it.
//
// A kind whose source is source.Finite has blocks, taken in order over all runs; a hunt of
// such kinds alone ends with them. The members of its batches are cells of a matrix: those
// that fail are recorded one by one, with the finding that explains them. A failing cell
// that has its key, or a part of it, in common with one that a finding shows is not looked
// into. Around one that a finding is of others are asked about next, if the source knows
// such.
//
// A batch is done when all its configurations have answered. If the machine kept
// some from it, the next run asks about the batch again. That is counted: after
// three times it is set aside. If no compiler answers about three batches in a row, the
// hunt ends. A run that comes to its end fails if no compiler answered about a batch of
// its own, or if batches are open of the number that was asked for.
//
// # Decisions
//
// Compilers are the cost. 94.4 to 97.9 % of a hunt's CPU time is spent inside compilers. So
// the yield depends on which programs are asked about and who is asked, and hardly on our
// own speed.
//
// One bug is confirmed once. Cells of one cause fail by the hundred. A cell that fails is
// not looked into if a finding of this hunt has its key (operations and classes of types) at
// the same target, or a part of it; it is listed with that finding.
//
// Steering counts culprits. The culprit of a finding is recorded with its bucket. A culprit
// that was found before is no yield of the kind, or the flag, that finds it again; a bucket
// that triage has not seen counts as one.
//
// One level a batch. A bug mostly shows at several levels. So the plan sample asks about new
// functions at one level instead of about the same ones at all. This is reckoned from the
// findings; hunts so far are too few to show it.
//
// Small things are counted, not drawn. A source that is Finite has blocks, and a hunt of it
// ends. Of its cells those that fail have a row each, with the finding that explains them:
// one whose key (operations and classes of types) is a part of the cell's, of the same
// target, verdict, and either in the reference mode or not. Only cells without one are
// looked into, twelve of a block at most; the others are unexplained, which the summary
// counts. So a bug of a hundred cells is confirmed once. Cells that a finding explains by
// its key alone are counted apart, as are those without a sure answer; "right" is neither. A
// block around the cell of a finding comes next: other operands, types and contexts, one
// operation more.
//
// The state of a hunt is SQLite. A hunt may be killed at any moment: nothing is lost,
// nothing is counted twice.
package hunt
