#ifndef _REIFY_STDDEF_H
#define _REIFY_STDDEF_H
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
#if defined __need_wint_t && !defined _REIFY_WINT_T
#define _REIFY_WINT_T
typedef unsigned int wint_t;
#endif
