/* Switches, and machines made of them. */
enum state { START, WORD, SPACE, QUOTE, ESCAPE, END };

/* How many words a text has, of which quotes make one. */
int words(const char *s)
{
	enum state state = START;
	int n = 0;
	for (;; s++) {
		switch (state) {
		case START:
		case SPACE:
			if (*s == 0)
				state = END;
			else if (*s == '"')
				state = QUOTE, n++;
			else if (*s != ' ')
				state = WORD, n++;
			break;
		case WORD:
			if (*s == 0)
				state = END;
			else if (*s == ' ')
				state = SPACE;
			break;
		case QUOTE:
			state = *s == 0 ? END : *s == '"' ? SPACE : *s == '\\' ? ESCAPE : QUOTE;
			break;
		case ESCAPE:
			state = *s == 0 ? END : QUOTE;
			break;
		default:
			return n;
		}
		if (state == END)
			return n;
	}
}

int days(int month, int year)
{
	switch (month) {
	case 4: case 6: case 9: case 11:
		return 30;
	case 2:
		return 28 + (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
	case 1: case 3: case 5: case 7: case 8: case 10: case 12:
		return 31;
	}
	return -1;
}

/* A machine with a stack of four numbers. */
unsigned run(const unsigned char *code, int n)
{
	unsigned s[4] = { 1, 2, 3, 5 };
	for (int i = 0; i < n; i++) {
		unsigned t;
		switch (code[i] & 7) {
		case 0: s[0] += s[1]; break;
		case 1: s[0] *= s[1]; break;
		case 2: s[0] ^= s[2] << 3; break;
		case 3: t = s[0]; s[0] = s[1]; s[1] = s[2]; s[2] = s[3]; s[3] = t; break;
		case 4: s[1] = code[i] >> 3; break;
		case 5: if (s[0] & 1) s[2]++; break;
		case 6: if (i + 1 < n) i += code[i + 1] & 3; break;
		default: return s[0] ^ s[3];
		}
	}
	return s[0] + s[1] + s[2] + s[3];
}

static int precedence(int c)
{
	switch (c) {
	case '*': case '/': case '%': return 5;
	case '+': case '-': return 4;
	case '<': case '>': return 3;
	case '&': return 2;
	case '|': return 1;
	default: return 0;
	}
}

/* The operator of least precedence in a text, where it stands last; -1 if there is none. */
int weakest(const char *s)
{
	int at = -1, least = 9, depth = 0;
	for (int i = 0; s[i]; i++) {
		int p = precedence(s[i]);
		if (s[i] == '(')
			depth++;
		else if (s[i] == ')' && depth)
			depth--;
		else if (p && !depth && p <= least)
			least = p, at = i;
	}
	return at;
}

/* How many bytes a character of UTF-8 takes that begins so, 0 if none does. */
int utf8_length(unsigned char c)
{
	switch (c >> 4) {
	case 0 ... 7: return 1;
	case 12: case 13: return 2;
	case 14: return 3;
	case 15: return c < 0xf8 ? 4 : 0;
	}
	return 0;
}
