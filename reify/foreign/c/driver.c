
/* What follows asks the functions above. It reads questions from the file named by its
   argument, and prints a line for each: its number, what became of it, the answer, the
   statements that were executed, and a hash of their set. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

const char *__asan_default_options(void) { return "symbolize=0:detect_leaks=0:abort_on_error=0:handle_abort=0"; }
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

static void reify_ask(int function, const long long *a, struct reify_answer *r)
{
#ifdef REIFY_COUNT
	reify_first = reify_ranges[function];
	reify_end = reify_ranges[function + 1];
	reify_steps = 0;
	memset(reify_seen + reify_first, 0, reify_end - reify_first);
	if (setjmp(reify_out)) {
		r->state = REIFY_ENDLESS;
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
static void reify_stop(void) { longjmp(reify_out, 1); }
#endif

/* The file has, in bytes of this machine: the number of questions, and of each its
   function and REIFY_PARAMS arguments, all of 8 bytes. */
int main(int argc, char **argv)
{
	const struct rlimit none = { 0, 0 };
	FILE *f = argc > 1 ? fopen(argv[1], "rb") : 0;
	long long n = 0, *q;
	int i, k;
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
	/* A child for each function, and another for each death. */
	for (i = 0; i < n;) {
		long long function = q[i * (REIFY_PARAMS + 1)];
		int end = i, deaths = 0, answers = 0, first = i;
		while (end < n && q[end * (REIFY_PARAMS + 1)] == function)
			end++;
		while (i < end) {
			int status = 0;
			pid_t child;
			*reify_at = i;
			child = fork();
			if (child < 0)
				return 3;
			if (child == 0) {
				for (k = 0; k < 32; k++)
					signal(k, SIG_DFL);
				alarm(2);
				setrlimit(RLIMIT_DATA, &none); /* no more memory than there is, and nothing into files */
				setrlimit(RLIMIT_FSIZE, &none);
				setrlimit(RLIMIT_CORE, &none);
				for (k = i; k < end; k++) {
					*reify_at = k;
					reify_ask((int)function, q + k * (REIFY_PARAMS + 1) + 1, &reify_answers[k]);
				}
				*reify_at = end;
				_exit(0);
			}
			if (waitpid(child, &status, 0) != child)
				return 3;
			k = *reify_at;
			if (k < i || k > end)
				return 4;
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
	for (i = 0; i < n; i++)
		printf("%d %lld %u %llx\n", reify_answers[i].state, (long long)reify_answers[i].want, reify_answers[i].steps, reify_answers[i].visited);
	return 0;
}
