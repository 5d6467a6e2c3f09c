/* A priority queue, a string table and a state machine: what people write. */
#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 16
#define SWAP(a, b) do { item t = (a); (a) = (b); (b) = t; } while (0)

typedef struct item { int key; const char *name; struct { unsigned lo : 3, hi : 5; } bits; } item;
enum state { IDLE, WORD, NUMBER = 7, BAD };

static item heap[SIZE];
static size_t used;
static int verbose, errors;
static const char *const names[] = { "zero", "one", "two", "three" };

static bool push(item it)
{
	size_t i;
	if (used == SIZE) {
		errors++;
		if (verbose > 1) {
			fprintf(stderr, "full: %s\n", it.name);
			abort();
		} else
			return false;
	}
	i = used++;
	heap[i] = it;
	while (i > 0 && heap[(i - 1) / 2].key > heap[i].key) {
		SWAP(heap[i], heap[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
	return true;
}

static item pop(void)
{
	item top = heap[0];
	size_t i = 0;
	assert(used > 0);
	heap[0] = heap[--used];
	for (;;) {
		size_t small = i, l = 2 * i + 1, r = l + 1;
		if (l < used && heap[l].key < heap[small].key)
			small = l;
		if (r < used && heap[r].key < heap[small].key)
			small = r;
		if (small == i)
			break;
		SWAP(heap[i], heap[small]);
		i = small;
	}
	return top;
}

static enum state step(enum state s, char c)
{
	switch (s) {
	case IDLE:
		if (c >= 'a' && c <= 'z') return WORD;
		if (c >= '0' && c <= '9') return NUMBER;
		if (c == ' ') return IDLE;
		goto bad;
	case WORD:
		if (c == ' ')
			return IDLE;
		if (c < 'a' || c > 'z')
			goto bad;
		return WORD;
	case NUMBER:
		if (c == ' ')
			return IDLE;
		/* fall through */
	default:
		if (c < '0' || c > '9') {
		bad:
			errors += 2;
			return BAD;
		}
	}
	return s;
}

__attribute__((pure)) static unsigned hash(const char *s)
{
	unsigned h = 5381;
	if (!s)
		return 0;
	while (*s)
		h = h * 33 ^ (unsigned char)*s++;
	return h;
}

static long long sum(const int *v, int n)
{
	long long total = 0;
	int i;
	if (n < 0)
		return LLONG_MIN;
	for (i = 0; i < n; i++) {
		total += v[i];
		if (total > INT_MAX) {
			total = 0;
			verbose--;
		} else if (v[i] == 12345) {
			for (int k = 0; k < 3; k++)
				total ^= k;
		}
	}
	return total;
}

int main(void)
{
	const char *text = "abc 123 x9 7";
	enum state s = IDLE;
	int v[] = { 3, 1, 4, 1, 5, 9, 2, 6 };
	unsigned i;
	for (i = 0; i < sizeof v / sizeof v[0]; i++) {
		item it = { .key = v[i], .name = names[v[i] & 3], .bits = { 1, i } };
		if (!push(it))
			return 1;
	}
	while (used) {
		item it = pop();
		printf("%d %s %u\n", it.key, it.name, (unsigned)it.bits.hi);
	}
	for (; *text; text++)
		s = step(s, *text);
	printf("%d %d %u %lld\n", (int)s, errors, hash("hello"), sum(v, 8));
	printf("%d\n", ({ int q = errors; if (q > 100) q = 0; q + 1; }));
	if (errors > 50) {
		uint8_t last = (uint8_t)errors;
		printf("many: %u\n", (unsigned)last);
		exit(2);
	}
}
