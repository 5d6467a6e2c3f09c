#ifndef _REIFY_ASSERT_H
#define _REIFY_ASSERT_H
void abort(void);
#define static_assert _Static_assert
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
#define assert(e) ((e) ? (void)0 : abort())
#endif
#endif
