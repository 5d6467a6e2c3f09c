/* Jumps of all kinds, shadowed names, locals of a type of their own. */
extern int printf(const char *, ...);
extern void exit(int);

int x = 1, y;
static unsigned char small = 200;
union u { int i; float f; } value;

static int duff(int n)
{
	int count = (n + 3) / 4, done = 0;
	switch (n % 4) {
	case 0: do { done++;
	case 3:      done++;
	case 2:      done++;
	case 1:      done++;
	        } while (--count > 0);
	}
	return done;
}

static int computed(int n)
{
	static const void *const table[] = { &&a, &&b, &&c };
	int r = 0;
	goto *table[n];
a:	r += 1;
b:	r += 10;
	if (n == 5) {
		r = 77;
		goto c;
	}
c:	r += 100;
	return r;
}

static int shadow(int x)
{
	struct local { int x; } s = { x };
	if (x > 10) {
		int x = s.x * 2;
		y = x;
		{
			int y = x + 1;
			return y;
		}
	}
	if (x == -1)
		goto out;
	for (int x = 0; x < 3; x++)
		s.x += x;
out:
	return s.x;
}

static int vla(int n)
{
	int i = 0;
	if (n > 100)
		goto end;
	{
		int a[n + 1];
		for (; i <= n; i++)
			a[i] = i;
		if (n == 99) {
		inside:
			a[0] = 5;
		}
		if (a[0] == 6)
			goto inside;
		i = a[n];
	}
end:
	return i;
}

static int a = 7;

static int old(a, b)
	int a;
	short b;
{
	if (a < b)
		return a;
	else if (a == 1000) {
		b = 0;
		return b;
	} else
		return b;
}

int main(int argc, char **argv)
{
	int i, total = 0;
	for (i = 0; i < 9; i++)
		total += duff(i + 1) * i;
	if (argc > 50)
		return argv[0][0];
	printf("%d %d %d %d\n", total, computed(0), computed(1), computed(2));
	printf("%d %d %d\n", shadow(11), shadow(3), shadow(-1));
	printf("%d %d %d %d\n", a, vla(4), old(3, 9), old(7, 2));
	small += 100;
	if (small == 44)
		y += small;
	else
		value.i = 3;
	do {
		if (y > 1000)
			continue;
		y += 300;
	} while (y < 900);
	printf("%d %d %u\n", x, y, (unsigned)small);
	exit(0);
}
