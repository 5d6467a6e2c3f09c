// Package foreign takes functions out of C that others wrote, and finds out their
// answers (Creal, Li, Theodoridis and Su, PLDI 2024, sections 3.1 and 4).
//
//	file ─csource.Preprocess, Parse→ program ─Extract→ slices with proxies
//	     ─Harvester: gcc and clang, sanitizers, twice→ pairs ─DB.Add→ out/functions.db
//
// A slice is a function and all that it mentions, as text. A proxy is a function before
// it that takes and returns integers of fixed widths only, so that a generated program
// can call it. A pair is arguments of the proxy and its answer, the same in all builds
// that were tried, without undefined behaviour. For example, of
//
//	typedef unsigned char byte;
//	static int sum(const byte *p, int n) { int s = 0; while (n--) s += *p++; return s; }
//
// the text is
//
//	typedef unsigned char r1f9c2a40b7d3_byte;
//	static int r1f9c2a40b7d3_sum(const r1f9c2a40b7d3_byte *p, int n) { int s = 0; while (n--) s += *p++; return s; }
//	int r1f9c2a40b7d3(unsigned a0, unsigned a1)
//	{
//		r1f9c2a40b7d3_byte b0[17];
//		... // b0 is filled with numbers that a0 decides
//		return r1f9c2a40b7d3_sum(b0, (int)(a1 % 17u));
//	}
//
// and a pair is r1f9c2a40b7d3(7, 3) == 24.
//
// Only harvest, ask, batch, panel and check ask compilers, and only db opens a
// database. The functions are evaluated by compilers alone.
//
// # Decisions
//
// Of others' functions we know pairs, and nothing else. A function is taken out of a file
// with all that it mentions, as text (csource.Link), behind a proxy of integers. A pair
// counts if gcc and clang with sanitizers, clang's sanitizer of memory, and both families
// with what is not initialised filled by zeros and by a pattern say the same, at several
// addresses. Sanitizers run with no report allowed, and a child of the driver dies of one:
// reports that go on are made once for each place in the code, so later calls would look
// clean. No sanitizer sees an access by another type; so the conversions of pointers in a
// slice decide (foreign/alias.go), and bytes that become one type get memory without a type
// (alloca). Nor do they see what attributes and restrict promise, so only attributes of a
// list may stand there, and restrict only in the head of what the proxy calls; nor what has
// no order, so warnings of it are errors. A second run asks in reverse: what is kept between
// calls shows. Of comparisons (memcmp) only the sign is the same everywhere, so only that is
// passed on.
//
// Watched objects lie apart. A sanitizer of addresses sees an access if it hits what is
// poisoned, which is a few bytes around an object. Far from it there is other memory of the
// program, and whoever reads or writes there goes unseen: such pairs got into programs,
// where they hit frames that live. So under these sanitizers, and only there, each object of
// a proxy lies alone amid 64 GB where nothing is mapped (64 MB, or what fits, with -m32),
// the function runs on a stack of its own in the same emptiness, and all that is mapped
// elsewhere is poisoned, also memory for frames that do not live (foreign/guard.go,
// c/driver.c). The order of objects, how they are aligned and what is in them at first
// differ between the families. The text is the same except for the declarations of these
// objects. Globals of a slice cannot be moved apart: indices of arrays are compared with
// their lengths, and a function that takes the address of a global or static array is
// refused (foreign/escape.go).
//
// Answers hold for machines like the one that gave them. Programs with functions of others
// say what they need of a target (compilers.Needs: low byte first, signed char, sizes of
// pointers); others are not asked.
package foreign
