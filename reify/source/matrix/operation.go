package matrix

import "strings"

// An operation is a row of the table: an operator, a builtin, or an idiom that back
// ends match.
type operation struct {
	name     string
	operands int    // 1 to 3: x, y, z
	classes  string // of types, a letter each; see class
	only     string // "s" and "u": types with, without a sign; widths in bits; "even" widths; all if empty
	result   string // as resultType has it; the operation's own type if empty
	// body is statements and an expression, separated by semicolons. Its language is
	// the text form of package ir, with these abbreviations:
	//
	//	x y z           operands, promoted as in C
	//	T P U S A       conversions: to the type, as promoted, without and with a sign, to
	//	                what wraps (without a sign, 32 bits at least)
	//	W V H           to twice the width, the same without a sign, half the width
	//	K(e)            A of what is left in the width of the type
	//	M(e)            A of e modulo the width
	//	Q QA QW(c, a, b) a or b, of the type of T, A or W; in vectors, by masks
	//	B(c)            a comparison as a value of the type
	//	{n} {A:n}       a constant as promoted, or in the type of a conversion: a number, N
	//	                (width), N-1, N/2, N/4, MIN, MAX, LOW (half of the bits), MID, P55 ...
	//	t A = e         a variable of the type of a conversion
	//	t T c = f(a, b) the variable, and whether f (add_overflow, ...) does not fit
	body string
}

const (
	ints = "iw"
	most = "iwv"
)

var operations = []operation{
	// Operators, as they are and such that they wrap.
	{name: "add", operands: 2, classes: "iwvf", body: "x + y"},
	{name: "sub", operands: 2, classes: "iwvf", body: "x - y"},
	{name: "mul", operands: 2, classes: "iwvf", body: "x * y"},
	{name: "div", operands: 2, classes: "iwvf", body: "x / y"},
	{name: "rem", operands: 2, classes: most, body: "x % y"},
	{name: "and", operands: 2, classes: most, body: "x & y"},
	{name: "or", operands: 2, classes: most, body: "x | y"},
	{name: "xor", operands: 2, classes: most, body: "x ^ y"},
	{name: "shl", operands: 2, classes: most, body: "x << y"},
	{name: "shr", operands: 2, classes: most, body: "x >> y"},
	{name: "neg", operands: 1, classes: "iwvf", body: "-x"},
	{name: "not", operands: 1, classes: most, body: "~x"},
	{name: "lnot", operands: 1, classes: "i", result: "bool", body: "!x"},
	{name: "land", operands: 2, classes: "i", result: "bool", body: "x && y"},
	{name: "lor", operands: 2, classes: "i", result: "bool", body: "x || y"},
	{name: "addw", operands: 2, classes: most, body: "A(x) + A(y)"},
	{name: "subw", operands: 2, classes: most, body: "A(x) - A(y)"},
	{name: "mulw", operands: 2, classes: most, body: "A(x) * A(y)"},
	{name: "negw", operands: 1, classes: most, body: "{A:0} - A(x)"},
	{name: "shlm", operands: 2, classes: most, body: "A(x) << M(y)"},
	{name: "shrm", operands: 2, classes: most, body: "x >> P(M(y))"},
	{name: "lshrm", operands: 2, classes: most, only: "s", body: "A(x) >> M(y)"},
	{name: "ashrm", operands: 2, classes: most, only: "u", body: "S(x) >> S(M(y))"},
	// Comparisons.
	{name: "eq", operands: 2, classes: "iwvf", result: "bool", body: "x == y"},
	{name: "ne", operands: 2, classes: "iwvf", result: "bool", body: "x != y"},
	{name: "lt", operands: 2, classes: "iwvf", result: "bool", body: "x < y"},
	{name: "le", operands: 2, classes: "iwvf", result: "bool", body: "x <= y"},
	{name: "gt", operands: 2, classes: "iwvf", result: "bool", body: "x > y"},
	{name: "ge", operands: 2, classes: "iwvf", result: "bool", body: "x >= y"},
	{name: "ult", operands: 2, classes: most, only: "s", result: "bool", body: "A(x) < A(y)"},
	{name: "slt", operands: 2, classes: most, only: "u", result: "bool", body: "S(x) < S(y)"},
	{name: "cmp3", operands: 2, classes: "iwvf", result: "bool", body: "(x > y) - (x < y)"},
	{name: "cmp3q", operands: 2, classes: "iwf", result: "bool", body: "x < y ? -1:i32 : (x == y ? 0:i32 : 1:i32)"},
	{name: "cmpsum", operands: 2, classes: "iwf", result: "bool", body: "(x < y) + (x == y)"},
	{name: "samesign", operands: 2, classes: most, only: "s", result: "bool", body: "(x ^ y) >= {0}"},
	{name: "bothzero", operands: 2, classes: most, result: "bool", body: "(x | y) == {0}"},
	{name: "between", operands: 3, classes: ints, result: "bool", body: "x >= y && x <= z"},
	{name: "outside", operands: 3, classes: ints, result: "bool", body: "x < y || x > z"},
	{name: "within", operands: 3, classes: most, result: "bool", body: "K(A(x) - A(y)) < A(z)"},
	{name: "chain", operands: 3, classes: ints, result: "bool", body: "x < y && y < z"},
	{name: "chaineq", operands: 3, classes: ints, result: "bool", body: "x == y || x == z"},
	{name: "chainsum", operands: 3, classes: ints, result: "bool", body: "(x < y) + (y < z)"},
	{name: "chainxor", operands: 3, classes: ints, result: "bool", body: "(x < y) ^ (x < z)"},
	{name: "chainand", operands: 3, classes: most, result: "bool", body: "(x <= y) & (x <= z)"},
	{name: "chainor", operands: 3, classes: most, result: "bool", body: "(x < y) | (z < x)"},
	// Selections.
	{name: "min", operands: 2, classes: most, body: "Q(x < y, x, y)"},
	{name: "max", operands: 2, classes: most, body: "Q(x > y, x, y)"},
	{name: "minle", operands: 2, classes: most, body: "Q(y <= x, y, x)"},
	{name: "umin", operands: 2, classes: most, only: "s", body: "Q(A(x) < A(y), x, y)"},
	{name: "smax", operands: 2, classes: most, only: "u", body: "Q(S(x) < S(y), y, x)"},
	{name: "clamp", operands: 3, classes: ints, body: "x < y ? y : (x > z ? z : x)"},
	{name: "clampmm", operands: 3, classes: most, body: "t T = Q(x < y, y, x); Q(t > z, z, t)"},
	{name: "sellt", operands: 3, classes: most, body: "Q(x < y, x, z)"},
	{name: "seleq", operands: 3, classes: most, body: "Q(x == y, z, x)"},
	{name: "selnz", operands: 3, classes: most, body: "Q(z != {0}, x, y)"},
	{name: "selbit", operands: 3, classes: most, body: "Q((z & {1}) == {0}, x, y)"},
	{name: "selk", operands: 2, classes: most, body: "Q(x <= y, {1}, {0})"},
	{name: "selneg", operands: 2, classes: most, only: "s", body: "Q(x < {0}, y, {0})"},
	{name: "maskneg", operands: 2, classes: most, only: "s", body: "(x >> {N-1}) & y"},
	{name: "mask01", operands: 2, classes: ints, body: "({A:0} - A(B(x < y))) & A(y)"},
	{name: "sign", operands: 1, classes: most, only: "s", body: "B(x > {0}) - B(x < {0})"},
	{name: "signor", operands: 1, classes: most, only: "s", body: "(x >> {N-1}) | T(K({A:0} - A(x)) >> {A:N-1})"},
	{name: "abs", operands: 1, classes: most, only: "s", body: "Q(x < {0}, T({A:0} - A(x)), x)"},
	{name: "absx", operands: 1, classes: most, only: "s", body: "A(x ^ (x >> {N-1})) - A(x >> {N-1})"},
	{name: "nabs", operands: 1, classes: most, only: "s", body: "Q(x > {0}, T({A:0} - A(x)), x)"},
	{name: "absdiff", operands: 2, classes: most, body: "QA(x < y, A(y) - A(x), A(x) - A(y))"},
	{name: "absdiffmm", operands: 2, classes: most, body: "A(Q(x < y, y, x)) - A(Q(x < y, x, y))"},
	{name: "absdiffw", operands: 2, classes: most, body: "d W = W(x) - W(y); QW(d < {W:0}, {W:0} - d, d)", only: "s"},
	{name: "blend", operands: 3, classes: most, body: "(x & z) | (y & ~z)"},
	{name: "blendx", operands: 3, classes: most, body: "((x ^ y) & z) ^ y"},
	{name: "andn", operands: 2, classes: most, body: "x & ~y"},
	{name: "orn", operands: 2, classes: most, body: "x | ~y"},
	{name: "xnor", operands: 2, classes: most, body: "~(x ^ y)"},
	{name: "nand", operands: 2, classes: most, body: "~(x & y)"},
	// Shifts and rotates.
	{name: "rotl", operands: 2, classes: most, body: "(A(x) << M(y)) | (A(x) >> M({A:0} - M(y)))"},
	{name: "rotr", operands: 2, classes: most, body: "(A(x) >> M(y)) | (A(x) << M({A:0} - M(y)))"},
	{name: "rotlraw", operands: 2, classes: ints, body: "(A(x) << A(y)) | (A(x) >> ({A:N} - A(y)))"},
	{name: "rotxor", operands: 2, classes: most, body: "(A(x) >> M(y)) ^ K(A(x) << M({A:0} - M(y)))"},
	{name: "rotadd", operands: 2, classes: most, body: "K(A(x) << M(y)) + (A(x) >> M({A:0} - M(y)))"},
	{name: "fshl", operands: 3, classes: most, body: "(A(x) << M(z)) | ((A(y) >> {A:1}) >> M(~A(z)))", only: "pow2"},
	{name: "fshr", operands: 3, classes: most, body: "(A(y) >> M(z)) | ((A(x) << {A:1}) << M(~A(z)))", only: "pow2"},
	{name: "shlsafe", operands: 2, classes: ints, body: "A(y) < {A:N} ? A(x) << M(y) : {A:0}"},
	{name: "shrsafe", operands: 2, classes: ints, body: "x >> P(QA(A(y) < {A:N}, M(y), {A:N-1}))"},
	{name: "sextn", operands: 2, classes: most, body: "S(T(A(x) << M(y))) >> S(M(y))"},
	{name: "zextn", operands: 2, classes: most, body: "K(A(x) << M(y)) >> M(y)"},
	{name: "shrshl", operands: 2, classes: most, body: "K(A(x) >> M(y)) << M(y)"},
	{name: "shrtrunc", operands: 2, classes: most, only: "even", result: "H", body: "H(x >> P(M(y)))"},
	{name: "sexthalf", operands: 1, classes: most, only: "even", body: "T(H(x))"},
	{name: "swaphalf", operands: 1, classes: most, only: "even", body: "(A(x) << {A:N/2}) | (A(x) >> {A:N/2})"},
	{name: "bittest", operands: 2, classes: most, body: "(A(x) >> M(y)) & {A:1}"},
	{name: "bitne", operands: 2, classes: most, result: "bool", body: "(A(x) & ({A:1} << M(y))) != {A:0}"},
	{name: "bitset", operands: 2, classes: most, body: "A(x) | ({A:1} << M(y))"},
	{name: "bitclear", operands: 2, classes: most, body: "A(x) & ~({A:1} << M(y))"},
	{name: "bitflip", operands: 2, classes: most, body: "A(x) ^ ({A:1} << M(y))"},
	{name: "masklow", operands: 2, classes: most, body: "A(x) & (({A:1} << M(y)) - {A:1})"},
	{name: "bfx", operands: 1, classes: most, only: "even", body: "(A(x) >> {A:N/4}) & {A:LOW}"},
	{name: "bfxs", operands: 1, classes: most, only: "even", body: "S(K(A(x) << {A:N/4})) >> {S:N/2}"},
	{name: "bfi", operands: 2, classes: most, only: "even", body: "(A(x) & ~{A:MID}) | ((A(y) & {A:LOW}) << {A:N/4})"},
	{name: "bfix", operands: 2, classes: most, only: "even", body: "A(x) ^ ((A(x) ^ (A(y) << {A:N/4})) & {A:MID})"},
	{name: "concat", operands: 2, classes: most, only: "even", body: "(A(x) << {A:N/2}) | (A(y) & {A:LOW})"},
	// Bits.
	{name: "lowbit", operands: 1, classes: most, body: "A(x) & ({A:0} - A(x))"},
	{name: "clearlow", operands: 1, classes: most, body: "A(x) & (A(x) - {A:1})"},
	{name: "uptolow", operands: 1, classes: most, body: "A(x) ^ (A(x) - {A:1})"},
	{name: "pow2", operands: 1, classes: most, result: "bool", body: "(A(x) & (A(x) - {A:1})) == {A:0}"},
	{name: "even", operands: 1, classes: most, result: "bool", body: "(x & {1}) == {0}"},
	{name: "popcount", operands: 1, classes: "i", result: "bool", body: "popcount(A(x))"},
	{name: "popswar", operands: 1, classes: "iv", only: "8 16 32 64", body: "t A = A(x) - ((A(x) >> {A:1}) & {A:P55}); t A = (t & {A:P33}) + ((t >> {A:2}) & {A:P33}); t A = (t + (t >> {A:4})) & {A:P0F}; K(t * {A:P01}) >> {A:N-8}"},
	{name: "parity", operands: 1, classes: "i", result: "bool", body: "parity(A(x))"},
	{name: "parityx", operands: 1, classes: "iv", only: "8 16 32 64", body: "t A = A(x) ^ (A(x) >> {A:N/2}); t A = t ^ (t >> {A:N/4}); t A = t ^ (t >> {A:N/8}); t & {A:1}"},
	{name: "clz", operands: 1, classes: "i", result: "bool", body: "clz(A(x))"},
	{name: "ctz", operands: 1, classes: "i", result: "bool", body: "ctz(A(x))"},
	{name: "clzsafe", operands: 1, classes: "i", result: "bool", body: "A(x) == {A:0} ? {i32:N} : clz(A(x))"},
	{name: "ctzsafe", operands: 1, classes: "i", result: "bool", body: "A(x) == {A:0} ? {i32:N} : ctz(A(x))"},
	{name: "ffs", operands: 1, classes: "i", result: "bool", body: "ffs(S(x))"},
	{name: "bswap", operands: 1, classes: "i", only: "32 64", body: "bswap(A(x))"},
	{name: "bswapsh", operands: 1, classes: "iv", only: "16", body: "(A(x) << {A:8}) | (A(x) >> {A:8})"},
	{name: "bswapsh", operands: 1, classes: "iv", only: "32", body: "(A(x) << {A:24}) | ((A(x) & {A:65280}) << {A:8}) | ((A(x) >> {A:8}) & {A:65280}) | (A(x) >> {A:24})"},
	{name: "bitrev", operands: 1, classes: "iv", only: "8 16 32 64", body: "t A = ((A(x) >> {A:1}) & {A:P55}) | ((A(x) & {A:P55}) << {A:1}); t A = ((t >> {A:2}) & {A:P33}) | ((t & {A:P33}) << {A:2}); ((t >> {A:4}) & {A:P0F}) | ((t & {A:P0F}) << {A:4})"},
	{name: "bytes2", operands: 1, classes: "i", only: "32 64", body: "((A(x) >> {A:8}) & {A:255}) | ((A(x) & {A:255}) << {A:8})"},
	{name: "absb", operands: 1, classes: "i", only: "s 32 64", body: "abs(x)"},
	// Arithmetic in other widths, and what saturates.
	{name: "avgfloor", operands: 2, classes: most, body: "(x & y) + ((x ^ y) >> {1})"},
	{name: "avgceil", operands: 2, classes: most, body: "(x | y) - ((x ^ y) >> {1})"},
	{name: "avgw", operands: 2, classes: most, body: "(W(x) + W(y)) >> {W:1}"},
	{name: "avgcw", operands: 2, classes: most, body: "(W(x) + W(y) + {W:1}) >> {W:1}"},
	{name: "avgsub", operands: 2, classes: most, body: "A(x) + (K(A(y) - A(x)) >> {A:1})"},
	{name: "mulhi", operands: 2, classes: most, body: "(W(x) * W(y)) >> {W:N}"},
	{name: "umulhi", operands: 2, classes: most, only: "s", body: "(V(x) * V(y)) >> {V:N}"},
	{name: "mulwide", operands: 2, classes: most, result: "W", body: "W(x) * W(y)"},
	{name: "umulwide", operands: 2, classes: most, only: "s", result: "V", body: "V(x) * V(y)"},
	{name: "mulround", operands: 2, classes: most, body: "(W(x) * W(y) + ({W:1} << {W:N-2})) >> {W:N-1}", only: "s"},
	{name: "mulhalf", operands: 2, classes: most, only: "even", body: "A(T(H(x))) * A(T(H(y)))"},
	{name: "uaddsat", operands: 2, classes: most, body: "t A = K(A(x) + A(y)); QA(t < A(x), {A:UMAX}, t)"},
	{name: "uaddsatmin", operands: 2, classes: most, body: "t A = K(~A(x)); A(x) + QA(t < A(y), t, A(y))"},
	{name: "usubsat", operands: 2, classes: most, body: "QA(A(x) < A(y), {A:0}, A(x) - A(y))"},
	{name: "usubsatmax", operands: 2, classes: most, body: "QA(A(x) > A(y), A(x), A(y)) - A(y)"},
	{name: "saddsat", operands: 2, classes: most, only: "s", body: "w W = W(x) + W(y); w W = QW(w > {W:MAX}, {W:MAX}, w); QW(w < {W:MIN}, {W:MIN}, w)"},
	{name: "ssubsat", operands: 2, classes: most, only: "s", body: "w W = W(x) - W(y); w W = QW(w > {W:MAX}, {W:MAX}, w); QW(w < {W:MIN}, {W:MIN}, w)"},
	{name: "saddsatx", operands: 2, classes: most, only: "s", body: "t A = K(A(x) + A(y)); u T = (T(t) ^ x) & (T(t) ^ y); Q(u < {0}, T(A(x >> {N-1}) ^ {A:SMAX}), T(t))"},
	{name: "smulsat", operands: 2, classes: most, only: "s", body: "w W = W(x) * W(y); w W = QW(w > {W:MAX}, {W:MAX}, w); QW(w < {W:MIN}, {W:MIN}, w)"},
	{name: "narrowsat", operands: 1, classes: most, only: "even s", result: "H", body: "t T = Q(x > {HMAX}, {HMAX}, x); Q(t < {HMIN}, {HMIN}, t)"},
	{name: "unarrowsat", operands: 1, classes: most, only: "even u", result: "H", body: "Q(x > {HMAX}, {HMAX}, x)"},
	{name: "carry", operands: 2, classes: most, result: "bool", body: "K(A(x) + A(y)) < A(x)"},
	{name: "carrynot", operands: 2, classes: most, result: "bool", body: "K(~A(x)) < A(y)"},
	{name: "addov", operands: 2, classes: "i", result: "bool", body: "t T c = add_overflow(x, y); c"},
	{name: "subov", operands: 2, classes: "i", result: "bool", body: "t T c = sub_overflow(x, y); c"},
	{name: "mulov", operands: 2, classes: "i", result: "bool", body: "t T c = mul_overflow(x, y); c"},
	{name: "addovsel", operands: 2, classes: "i", body: "t T c = add_overflow(x, y); c ? x : t"},
	{name: "subovsel", operands: 2, classes: "i", body: "t T c = sub_overflow(x, y); c ? y : t"},
	{name: "mulovsel", operands: 2, classes: "i", body: "t T c = mul_overflow(x, y); c ? {MAX} : t"},
	{name: "mulovdiv", operands: 2, classes: ints, only: "u", result: "bool", body: "x != {0} && T(A(x) * A(y)) / x != y"},
	{name: "adc", operands: 3, classes: most, body: "t A = K(A(x) + A(y)); u A = K(t + (A(z) & {A:1})); QA((t < A(x)) | (u < t), u ^ {A:UMAX}, u)"},
	{name: "mad", operands: 3, classes: most, body: "A(x) * A(y) + A(z)"},
	{name: "msub", operands: 3, classes: most, body: "A(z) - A(x) * A(y)"},
	{name: "madwide", operands: 3, classes: most, result: "W", only: "u", body: "W(x) * W(y) + W(z)"},
	{name: "add3", operands: 3, classes: most, body: "A(x) + A(y) + A(z)"},
	{name: "xor3", operands: 3, classes: most, body: "x ^ y ^ z"},
	{name: "maj", operands: 3, classes: most, body: "(x & y) | (x & z) | (y & z)"},
	// Division.
	{name: "divides", operands: 2, classes: most, result: "bool", body: "x % y == {0}"},
	{name: "divmul", operands: 2, classes: most, body: "x / y * y"},
	{name: "divrem", operands: 2, classes: most, body: "A(x / y) + A(x % y)"},
	{name: "modfloor", operands: 2, classes: ints, only: "s", body: "t T = x % y; t != {0} && ((t < {0}) != (y < {0})) ? t + y : t"},
	{name: "divceil", operands: 2, classes: most, only: "u", body: "x / y + (B(x % y != {0}) & {1})"},
	{name: "divround", operands: 2, classes: most, only: "u", body: "K(A(x) + (A(y) >> {A:1})) / A(y)"},
	{name: "udiv", operands: 2, classes: most, only: "s", body: "A(x) / A(y)"},
	{name: "urem", operands: 2, classes: most, only: "s", body: "A(x) % A(y)"},
	// Lanes.
	{name: "redadd", operands: 1, classes: "v", result: "elem", body: "reduce +"},
	{name: "redmul", operands: 1, classes: "v", result: "elem", body: "reduce *"},
	{name: "redand", operands: 1, classes: "v", result: "elem", body: "reduce &"},
	{name: "redor", operands: 1, classes: "v", result: "elem", body: "reduce |"},
	{name: "redxor", operands: 1, classes: "v", result: "elem", body: "reduce ^"},
	{name: "redmin", operands: 1, classes: "v", result: "elem", body: "reduce <"},
	{name: "redmax", operands: 1, classes: "v", result: "elem", body: "reduce >"},
	{name: "lanefirst", operands: 1, classes: "v", result: "elem", body: "%x[0]"},
	{name: "lanelast", operands: 1, classes: "v", result: "elem", body: "%x[-1]"},
	{name: "reverse", operands: 1, classes: "v", body: "shuffle reverse"},
	{name: "rotlanes", operands: 1, classes: "v", body: "shuffle rotate"},
	{name: "splatfirst", operands: 1, classes: "v", body: "shuffle first"},
	{name: "splatlast", operands: 1, classes: "v", body: "shuffle last"},
	{name: "swaplanes", operands: 1, classes: "v", body: "shuffle swap"},
	{name: "ziplow", operands: 2, classes: "v", body: "shuffle ziplow"},
	{name: "ziphigh", operands: 2, classes: "v", body: "shuffle ziphigh"},
	{name: "evens", operands: 2, classes: "v", body: "shuffle evens"},
	{name: "odds", operands: 2, classes: "v", body: "shuffle odds"},
	{name: "alternate", operands: 2, classes: "v", body: "shuffle alternate"},
	{name: "shiftin", operands: 2, classes: "v", body: "shuffle shiftin"},
	{name: "castnarrow", operands: 1, classes: "v", only: "16 32 64 pow2lanes", result: "castH", body: "cast"},
	{name: "castwide", operands: 1, classes: "v", only: "8 16 32 pow2lanes", result: "castW", body: "cast"},
}

// find returns the rows of a name, one for each kind of types that have their own.
func find(name string) (rows []operation) {
	for _, o := range operations {
		if o.name == name {
			rows = append(rows, o)
		}
	}
	return rows
}

// conditions returns the words of only.
func (o operation) conditions() []string { return strings.Fields(o.only) }
