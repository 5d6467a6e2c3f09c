package c

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestBodyLines(t *testing.T) {
	assert.Equal(t, 6, BodyLines(`int printf(const char *, ...);
static int g[2] = {1, 2};

__attribute__((noinline)) static int f(int a)
{
    int b = 1;

    do {
        b = b * 2;
    } while (b < a);
    return b;
}

static int one(void) { return 1; }

int main(void)
{
    if (f(7) != 8)
        __builtin_abort();
}
`))
	assert.Zero(t, BodyLines("int main(void) { return 0; }\n"))
}
