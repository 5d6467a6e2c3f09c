int a[100], b[100];
static int g(int x, int y) { return x > 3 ? x * y / 4 : x + y; }
int f(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++) {
		s += a[i] * i;
		b[i] = g(i, 8);
	}
	return s;
}
