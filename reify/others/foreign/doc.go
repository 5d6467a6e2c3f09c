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
package foreign
