// Package events reads what compilers say about their optimisations: gcc's
// statistics of its passes, clang's optimisation record, and the statistics of
// those builds of LLVM that keep them.
//
//	gcc -O3 -fdump-statistics-stats           117 fre "Eliminated" 33  ParseStatistics
//	clang -O3 -fsave-optimization-record      --- !Passed              ParseRecord
//	                                          Pass:            inline
//	                                          Name:            Inlined
//	clang -O3 -save-stats=cwd                 "adce.NumRemoved": 12    ParseStats
//
// A Counter is the name of a pass with that of what it counts, digits folded:
// "fre: Eliminated" and "fre: RPO num values == #" are two, however many
// numbers there are and however often the pass runs. The counters of a
// compilation are Counts. Distinct counters tell how many kinds of things
// happened.
//
// Compilers are asked for them by package native: see Toolchain.Optimisations
// there. This package only reads.
//
// # Tried without effect
//
// Feedback from compilers. Compilers can say what they optimise. An event was a pass, what
// it did, and the power of two of how often. Go's engine took new events for coverage, and
// hunts bred variants of the inputs that reached rare ones. Over 30 CPU minutes each and
// three seeds, fuzzing with feedback reached 0.97 times the events of fuzzing without (2,501
// : 2,582, 2,626 : 2,796 and 2,477 : 2,494); 1.2 was wanted. Hunts of gcc-12, ten CPU
// minutes each, reached 1.04 times the events (879 : 828 and 863 : 847). Bugs were within
// noise: 1, 2 and 2 new fingerprints with feedback and 2, 0 and 0 without; 2 and 5 buckets
// of two hunts with it and 4 and 4 without. Listening itself was cheap for gcc and dear for
// clang: 0.9 and -1.2 % of a compilation's CPU time for gcc-12, 13.7 and 12.0 % for
// clang-19. It cannot help, for three reasons. Events run out: six runs together came to
// 3,086, and each alone reached 80 to 91 % of them. The engine keeps nearly all inputs
// anyway, for their coverage of our own code: 100 to 110 executions reached 891 events with
// feedback and 908 without any coverage at all. And all functions of a batch but the first
// are hashes of its bytes, so a mutated input has only the configuration of its parent. All
// figures are here.
//
// Pairs of events instead of events. Nothing would be sorted out: 199 of 200 batches that
// gcc-12 compiled at -O3 had a pair that no batch before had; 85 had a new event.
//
// A mix of profiles for events. Three hunts with different mixes reached 839, 896 and 868
// events after 4.5 CPU minutes. The mixes only save time: 765 events after 60 CPU seconds
// for 695.
//
// Policies as a way to more optimisations. wild raises 0.97 times the counters of wild
// without policies in a CPU second of gcc; policies make functions larger, so fewer are
// compiled in a second. Of the counters that count optimisations and not upkeep it raises
// 1.16 times, but that choice was made after seeing the figures.
package events
