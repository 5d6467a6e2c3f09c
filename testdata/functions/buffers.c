/* Loops over buffers. */
#include <stddef.h>
#include <string.h>

typedef unsigned char byte;

/* The checksum of Fletcher, of sums modulo 255. */
unsigned fletcher(const byte *p, size_t len)
{
	unsigned a = 0, b = 0;
	while (len--) {
		a = (a + *p++) % 255;
		b = (b + a) % 255;
	}
	return b << 8 | a;
}

/* Run lengths: pairs of a count and a byte; how many bytes are written. */
int run_lengths(const byte *in, int n, byte *out)
{
	int i = 0, o = 0;
	while (i < n && o + 2 <= 16) {
		int k = 1;
		while (i + k < n && in[i + k] == in[i] && k < 255)
			k++;
		out[o++] = (byte)k;
		out[o++] = in[i];
		i += k;
	}
	return o;
}

void reverse(int *a, int n)
{
	int i, j;
	for (i = 0, j = n - 1; i < j; i++, j--) {
		int t = a[i];
		a[i] = a[j];
		a[j] = t;
	}
}

/* Insertion sort; how many elements were moved. */
int insertion_sort(short *a, int n)
{
	int moved = 0;
	for (int i = 1; i < n; i++) {
		short v = a[i];
		int j = i;
		for (; j > 0 && a[j - 1] > v; j--, moved++)
			a[j] = a[j - 1];
		a[j] = v;
	}
	return moved;
}

/* Where needle begins in text, or null. */
const char *find(const char *text, const char *needle)
{
	size_t n = strlen(needle);
	for (; *text; text++)
		if (strncmp(text, needle, n) == 0)
			return text;
	return 0;
}

/* How long the longest stretch that does not fall is. */
int longest_rise(const int *a, int count)
{
	int best = 0, now = 0;
	for (int i = 0; i < count; i++) {
		now = i && a[i] >= a[i - 1] ? now + 1 : 1;
		if (now > best)
			best = now;
	}
	return best;
}

/* A number in decimal, with a sign, to what is no digit. */
int parse_decimal(const char *s)
{
	int sign = 1;
	unsigned v = 0;
	if (*s == '-' || *s == '+')
		sign = *s++ == '-' ? -1 : 1;
	for (; *s >= '0' && *s <= '9'; s++) {
		if (v > 99999999)
			return -1;
		v = v * 10 + (unsigned)(*s - '0');
	}
	return sign * (int)v;
}

/* The next word of a text, after which the cursor stands; its length. */
int next_word(const char **cursor)
{
	const char *s = *cursor;
	int n = 0;
	while (*s == ' ' || *s == '.')
		s++;
	while (s[n] && s[n] != ' ' && s[n] != '.')
		n++;
	*cursor = s + n;
	return n;
}
