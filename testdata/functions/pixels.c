/* Pictures in memory. */
#include <string.h>

typedef unsigned char byte;

/* Makes a pixel of three bytes in one of two rows lighter. Nothing keeps the second row
   inside of the picture. */
void whiten(byte *data, int x, int y, int stride)
{
	byte c[3], *at = data + (y & 1) * stride + (x & 7);
	int i;
	memcpy(c, at, 3);
	for (i = 0; i < 3; i++)
		c[i] = (byte)((c[i] + 255) / 2);
	memcpy(at, c, 3);
}
