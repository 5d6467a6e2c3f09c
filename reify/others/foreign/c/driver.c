
/* What follows asks the functions above. It reads questions from the file named by its
   argument, and prints a line for each: its number, what became of it, the answer, the
   statements that were executed, and a hash of their set. */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

const char *__asan_default_options(void) { return "symbolize=0:detect_leaks=0:abort_on_error=0:handle_abort=0:"
	"detect_stack_use_after_return=1:min_uar_stack_size_log=16:max_uar_stack_size_log=16"; }
const char *__ubsan_default_options(void) { return "symbolize=0:print_stacktrace=0"; }
const char *__msan_default_options(void) { return "symbolize=0"; }

/* What became of a question. */
enum { REIFY_OPEN, REIFY_ANSWERED, REIFY_ENDLESS, REIFY_DIED, REIFY_SKIPPED };

struct reify_answer { unsigned long long want, visited; unsigned steps; int state; };

static struct reify_answer *reify_answers;
static volatile int *reify_at; /* the question that is being asked */
#ifdef REIFY_COUNT
static jmp_buf reify_out;
#endif

#ifdef __has_feature
#if __has_feature(memory_sanitizer)
void __msan_check_mem_is_initialized(const volatile void *, size_t);
#define REIFY_CHECK(p) __msan_check_mem_is_initialized(p, sizeof *(p))
#endif
#endif
#ifndef REIFY_CHECK
#define REIFY_CHECK(p)
#endif

#ifdef REIFY_GUARD
/* An access outside of an object of the proxy, at any offset of 32 bits, or of a local of the
   function, must not go unseen. So the objects of the proxy lie apart, each amid a span where
   nothing is mapped; the function has a stack of its own, which does, too; and whatever
   else is mapped is poisoned, but for the frames that live and the statics of the program.
   The functions of this file access what is poisoned, and are not instrumented. */
enum { REIFY_ROOM = 16384, REIFY_STACK = 1 << 20, REIFY_GAP = 1 << 16 };

void __asan_poison_memory_region(const volatile void *, size_t);
void __asan_unpoison_memory_region(const volatile void *, size_t);
extern char __executable_start[], end[];

static char *reify_arena, *reify_stack;
static size_t reify_span;
static unsigned char reify_used[REIFY_OBJECTS + 1];

/* spans returns a number of spans, as large as they fit, where nothing can be accessed. */
REIFY_PLAIN static char *reify_spans(int n)
{
	for (reify_span = sizeof(void *) == 8 ? (size_t)1 << 36 : 1 << 26; reify_span >= 1 << 20; reify_span /= 2) {
		void *p = mmap(0, n * reify_span, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (p != MAP_FAILED)
			return p;
	}
	return 0;
}

/* The order of objects differs between the families, and what is in them at first. */
#ifdef __clang__
#define REIFY_RANK(i) ((i) + 1)
#define REIFY_LITTER 0xa5
#else
#define REIFY_RANK(i) (REIFY_OBJECTS - (i))
#define REIFY_LITTER 0x3c
#endif

REIFY_PLAIN static char *reify_room(int i) { return reify_arena + REIFY_RANK(i) * reify_span + reify_span / 2; }

/* place returns the memory of object i of the proxy. */
REIFY_PLAIN static void *reify_place(int i, size_t size, size_t align)
{
	char *p = reify_room(i) + 4096;
	size_t k;
#ifdef __clang__
	p += 2 * (align < 8 ? 8 : align); /* to the byte: the sanitizer keeps books of 8 bytes */
#else
	p += align < 8 ? 8 + align : align; /* and not aligned better than the type is */
#endif
	if (i < 0 || i >= REIFY_OBJECTS || size + 2 * align + 4096 + 16 > REIFY_ROOM)
		__builtin_abort();
	for (k = 0; k < size; k++)
		p[k] = REIFY_LITTER;
	__asan_unpoison_memory_region(p, size);
	reify_used[i] = 1;
	return p;
}

/* Makes the stack, in the first span, and the arena. */
REIFY_PLAIN static int reify_reserve(void)
{
	int i;
	reify_arena = reify_spans(REIFY_OBJECTS + 1);
	if (!reify_arena)
		return 0;
	reify_stack = reify_arena + reify_span / 2;
	for (i = 0; i < REIFY_OBJECTS; i++)
		if (mprotect(reify_room(i), REIFY_ROOM, PROT_READ | PROT_WRITE))
			return 0;
	return !mprotect(reify_stack, REIFY_STACK, PROT_READ | PROT_WRITE);
}

/* Poisons what is mapped, also the sanitizer's frames, of which none lives. */
REIFY_PLAIN static int reify_poison(void)
{
	static char maps[1 << 18];
	size_t n = 0;
	ssize_t got;
	int f = open("/proc/self/maps", O_RDONLY);
	char *line, *next;
	if (f < 0)
		return 0;
	while (n < sizeof maps - 1 && (got = read(f, maps + n, sizeof maps - 1 - n)) > 0)
		n += got;
	close(f);
	for (line = maps; (next = strchr(line, '\n')); line = next + 1) {
		char *rest;
		unsigned long long from = strtoull(line, &rest, 16), to = strtoull(rest + 1, &rest, 16);
		int mapped = rest[1] == 'r' || rest[2] == 'w';
		/* but for the program, and the sanitizer's shadow of all the others */
		if (!mapped || (from < (size_t)end && to > (size_t)__executable_start) || to - from >= 1u << 30)
			continue;
		if (sizeof(void *) == 8 ? from < 0x10007fff8000 || to > 0x7fffffffffff : from < 0x40000000 && to > 0x20000000)
			continue;
		__asan_poison_memory_region((void *)(size_t)from, to - from);
	}
	return 1;
}

/* Has the sanitizer make its memory for frames. */
__attribute__((noinline)) static int reify_frame(volatile char *p)
{
	volatile char a[64];
	volatile char *q = p ? p : a;
	q[8] = 1;
	return a == q || reify_frame(a);
}
#endif

REIFY_PLAIN static void reify_ask(int function, const long long *a, struct reify_answer *r)
{
#ifdef REIFY_GUARD
	{
		int i;
		for (i = 0; i < REIFY_OBJECTS; i++)
			if (reify_used[i]) {
				__asan_poison_memory_region(reify_room(i), REIFY_ROOM);
				reify_used[i] = 0;
			}
	}
#endif
#ifdef REIFY_COUNT
	reify_first = reify_ranges[function];
	reify_end = reify_ranges[function + 1];
	reify_steps = 0;
	memset(reify_seen + reify_first, 0, reify_end - reify_first);
	if (setjmp(reify_out)) {
		r->state = REIFY_ENDLESS;
#ifdef REIFY_GUARD
		__asan_poison_memory_region(reify_stack, REIFY_STACK);
#endif
		return;
	}
#endif
	r->want = reify_call(function, a);
	REIFY_CHECK(&r->want);
#ifdef REIFY_COUNT
	{
		unsigned long long h = 14695981039346656037ULL;
		int i;
		for (i = reify_first; i < reify_end; i++)
			h = (h ^ reify_seen[i]) * 1099511628211ULL;
		r->visited = h;
		r->steps = reify_steps;
	}
#endif
	r->state = REIFY_ANSWERED;
}

#ifdef REIFY_COUNT
REIFY_PLAIN static void reify_stop(void)
{
#ifdef REIFY_GUARD
	__asan_unpoison_memory_region(reify_stack, REIFY_STACK); /* jumps write there */
#endif
	longjmp(reify_out, 1);
}
#endif

#ifndef REIFY_GUARD
/* Leaves bytes on the stack that differ between runs. */
static unsigned char reify_pattern;
static void reify_litter(unsigned k)
{
	unsigned char a[1 << 15];
	memset(a, (int)((reify_pattern + k) % 256), sizeof a);
	__asm__ volatile("" : : "r"(a) : "memory");
}
#endif

/* Asks about one function, and ends. */
REIFY_PLAIN static void reify_child(int function, const long long *q, int from, int to)
{
	static const struct rlimit none; /* not on the stack, which is poisoned */
	int k;
	setrlimit(RLIMIT_DATA, &none); /* no more memory than there is, and nothing into files */
	setrlimit(RLIMIT_FSIZE, &none);
	setrlimit(RLIMIT_CORE, &none);
	for (k = from; k < to; k++) {
		*reify_at = k;
#ifndef REIFY_GUARD
		reify_litter(k);
#endif
		reify_ask(function, q + k * (REIFY_PARAMS + 1) + 1, &reify_answers[k]);
	}
	*reify_at = to;
	_exit(0);
}

/* Asks all questions, in a child for each function, and in another after each death. */
REIFY_PLAIN static int reify_all(const long long *q, long long n)
{
	static int status; /* not on the stack, which may be poisoned */
	int i, k;
	for (i = 0; i < n;) {
		long long function = q[i * (REIFY_PARAMS + 1)];
		int end = i, deaths = 0, answers = 0, first = i;
		while (end < n && q[end * (REIFY_PARAMS + 1)] == function)
			end++;
		while (i < end) {
			pid_t child;
			*reify_at = i;
			child = fork();
			if (child < 0)
				return 3;
			if (child == 0) {
				for (k = 0; k < 32; k++)
					signal(k, SIG_DFL);
				alarm(2);
				reify_child((int)function, q, i, end);
			}
			if (waitpid(child, &status, 0) != child)
				return 3;
			k = *reify_at;
			if (k < i || k > end) /* it wrote there */
				k = i;
			if (k < end) {
				reify_answers[k].state = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? REIFY_ENDLESS : REIFY_DIED;
				deaths++;
			}
			i = k + 1;
			for (answers = 0, k = first; k < i && k < end; k++)
				answers += reify_answers[k].state == REIFY_ANSWERED;
			if (REIFY_DEATHS && (deaths >= REIFY_DEATHS || (deaths * 4 >= REIFY_DEATHS && !answers)))
				while (i < end)
					reify_answers[i++].state = REIFY_SKIPPED;
		}
		if (i > end)
			i = end;
	}
	return 0;
}

static const long long *reify_questions;
static long long reify_number;
static int reify_status;

#ifdef REIFY_GUARD
REIFY_PLAIN static void *reify_thread(void *unused)
{
	volatile char *gap = __builtin_alloca(2 * REIFY_GAP); /* between the frames here and the function's */
	gap[0] = 0;
	reify_frame(0);
	reify_status = 2;
	if (!mprotect((void *)(((size_t)gap + REIFY_GAP / 2) / 4096 * 4096), REIFY_GAP, PROT_NONE) && reify_poison())
		reify_status = reify_all(reify_questions, reify_number);
	__asan_unpoison_memory_region(reify_stack, REIFY_STACK); /* threads end on their stack */
	return unused;
}
#endif

/* The first argument is a file, the second the number of the run. The file has, in bytes of
   this machine: the number of questions, and of each its function and REIFY_PARAMS
   arguments, all of 8 bytes. */
REIFY_PLAIN int main(int argc, char **argv)
{
	FILE *f = argc > 1 ? fopen(argv[1], "rb") : 0;
	long long n = 0, *q;
	int i;
	if (!f || fread(&n, sizeof n, 1, f) != 1 || n < 0 || n > 100000000)
		return 2;
	q = malloc((n + 1) * (REIFY_PARAMS + 1) * sizeof *q);
	if (!q || fread(q, (REIFY_PARAMS + 1) * sizeof *q, n, f) != (size_t)n)
		return 2;
	dup2(fileno(f), 2); /* nothing can be written there: reports would be long */
	reify_answers = mmap(0, (n + 1) * sizeof *reify_answers, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	reify_at = mmap(0, sizeof *reify_at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (reify_answers == MAP_FAILED || reify_at == MAP_FAILED)
		return 2;
	reify_questions = q;
	reify_number = n;
#ifdef REIFY_GUARD
	{
		static pthread_t thread;
		static pthread_attr_t attr;
		if (!reify_reserve() || pthread_attr_init(&attr) || pthread_attr_setstack(&attr, reify_stack, REIFY_STACK) ||
			pthread_create(&thread, &attr, reify_thread, 0) || pthread_join(thread, 0))
			return 2;
	}
#else
	reify_pattern = argc > 2 ? (unsigned char)(0x5b * atoi(argv[2])) : 0;
	reify_status = reify_all(q, n);
#endif
	if (reify_status)
		return reify_status;
	for (i = 0; i < n; i++)
		printf("%d %lld %u %llx\n", reify_answers[i].state, (long long)reify_answers[i].want, reify_answers[i].steps, reify_answers[i].visited);
	return 0;
}
