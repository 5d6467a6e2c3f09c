/* Bits. */
#include <stdint.h>

static const uint32_t half_table[16] = {
	0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
	0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

uint32_t crc(uint32_t c, const uint8_t *p, int len)
{
	c = ~c;
	for (int i = 0; i < len; i++) {
		c = half_table[(c ^ p[i]) & 15] ^ c >> 4;
		c = half_table[(c ^ p[i] >> 4) & 15] ^ c >> 4;
	}
	return ~c;
}

uint32_t reverse_bits(uint32_t v)
{
	v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
	v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
	v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
	return v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24;
}

int ones(unsigned long long v)
{
	int n = 0;
	for (; v; v &= v - 1)
		n++;
	return n;
}

unsigned square_root(unsigned v)
{
	unsigned r = 0, bit = 1u << 30;
	while (bit > v)
		bit >>= 2;
	for (; bit; bit >>= 2) {
		if (v >= r + bit) {
			v -= r + bit;
			r = (r >> 1) + bit;
		} else
			r >>= 1;
	}
	return r;
}

uint64_t interleave(uint32_t x, uint32_t y)
{
	uint64_t r = 0;
	for (int i = 0; i < 32; i++)
		r |= (uint64_t)(x >> i & 1) << 2 * i | (uint64_t)(y >> i & 1) << (2 * i + 1);
	return r;
}

int rotate_distance(unsigned a, unsigned b)
{
	for (unsigned i = 0; i < 32; i++)
		if ((a << i | a >> ((32 - i) & 31)) == b)
			return (int)i;
	return -1;
}

/* Variable-length integers: seven bits a byte, the last without the high one. */
int put_varint(unsigned char *out, unsigned long long v)
{
	int n = 0;
	while (v >= 128 && n < 16) {
		out[n++] = (unsigned char)(v | 128);
		v >>= 7;
	}
	out[n++] = (unsigned char)v;
	return n;
}

unsigned gray(unsigned v) { return v ^ v >> 1; }
