package c

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
)

// Locals that are not automatic end with the function, and only those are moved that
// may be.
func TestStorage(t *testing.T) {
	p, err := ir.Parse(`
func @f(%a i32) i32 {
    struct s {x i32, y u8}
    local %s s = {1, 2}
    local %z [2]i32 = {0, 0}
    local %n i32 = 3
    local %p *s = &%s
    const local %c [2]i32 = {4, 5}
    volatile local %v [2]i32 = {6, 7}
    local %w [2]<4>i32 = {1, 2, 3, 4, 5, 6, 7, 8}
  entry:
    goto exit
  exit:
    %n = 4
    return %s.x + %z[1] + %p->x
}
case f(a = 1) = 2 path entry exit`)
	require.NoError(t, err)
	require.NoError(t, p.Check())
	for _, test := range []struct {
		storage   Storage
		has, none []string
	}{
		{Automatic, []string{"struct f_s s = {1, 2};", "return s.x"}, []string{"__builtin", "kept"}},
		{Heap, []string{
			"struct f_s *s = __builtin_malloc(sizeof(struct f_s));\n    __builtin_memcpy(s, &(struct f_s){1, 2}, sizeof(struct f_s));\n",
			"int (*z)[2] = __builtin_calloc(1, sizeof(int [2]));\n", "int n = 3;", "const int c[2]", "volatile int v[2]", "vec_i32x4 w[2]",
			"int kept = (*s).x + (*z)[1] + (*p).x;\n        __builtin_free(s);\n        __builtin_free(z);\n        return kept;",
		}, nil},
		{Alloca, []string{"struct f_s *s = __builtin_alloca(sizeof(struct f_s));", "__builtin_memcpy(z, &(int [2]){0, 0}, sizeof(int [2]));"}, []string{"free", "kept"}},
		{Realloc, []string{
			"struct f_s *s = __builtin_malloc(2 * sizeof(struct f_s));\n    __builtin_memcpy(s, &(struct f_s){1, 2}, sizeof(struct f_s));\n    s = __builtin_realloc(s, sizeof(struct f_s));\n",
			"int (*z)[2] = __builtin_malloc(sizeof(int [2]) / 2);\n    __builtin_memcpy(z, &(int [2]){0, 0}, sizeof(int [2]) / 2);\n    z = __builtin_realloc(z, sizeof(int [2]));\n" +
				"    __builtin_memcpy((char *)z + sizeof(int [2]) / 2, (char *)&(int [2]){0, 0} + sizeof(int [2]) / 2, sizeof(int [2]) - sizeof(int [2]) / 2);\n",
			"exit:\n    z = __builtin_realloc(z, 3 * sizeof(int [2]));\n",
			"__builtin_free(s);\n        __builtin_free(z);\n        return kept;",
		}, []string{"s = __builtin_realloc(s, 2"}},
		{VLA, []string{"struct f_s s[1 + 0 * a];", "int z[1 + 0 * a][2];", "return (*s).x"}, []string{"free", "kept"}},
	} {
		text := Emit([]Unit{{Claim: p.Claims[0], Style: Style{Storage: test.storage}}})
		for _, s := range test.has {
			assert.Contains(t, text, s, test.storage)
		}
		for _, s := range test.none {
			assert.NotContains(t, text, s, test.storage)
		}
	}
}
