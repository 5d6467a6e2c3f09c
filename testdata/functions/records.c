/* Structs, and globals that live across calls. */
struct point { int x, y; };
struct ring { unsigned char data[8]; unsigned head : 3, tail : 3; int count; };

static int calls;
static int bias = 7;

/* Which quarter a point is in; how often it was called tells nothing. */
int quarter(const struct point *p)
{
	calls++;
	bias += calls;
	return (p->x < 0) + 2 * (p->y < 0) + bias;
}

/* Puts bytes into a ring while there is room. */
int fill(struct ring *r, const unsigned char *from, int n)
{
	int put = 0;
	r->count = 0;
	while (put < n && r->count < 8) {
		r->data[r->head++] = from[put++];
		r->count++;
	}
	return put;
}

struct point turned(struct point p, int quarters)
{
	struct point q = { p.x >> 4, p.y >> 4 };
	for (quarters &= 3; quarters > 0; quarters--) {
		int t = q.x;
		q.x = -q.y;
		q.y = t;
	}
	return q;
}
