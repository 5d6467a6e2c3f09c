#ifndef _REIFY_STDINT_H
#define _REIFY_STDINT_H
typedef __INT8_TYPE__ int8_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __INT16_TYPE__ int16_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __INT32_TYPE__ int32_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __INT8_TYPE__ int_least8_t;
typedef __UINT8_TYPE__ uint_least8_t;
typedef __INT16_TYPE__ int_least16_t;
typedef __UINT16_TYPE__ uint_least16_t;
typedef __INT32_TYPE__ int_least32_t;
typedef __UINT32_TYPE__ uint_least32_t;
typedef __INT64_TYPE__ int_least64_t;
typedef __UINT64_TYPE__ uint_least64_t;
typedef __INT8_TYPE__ int_fast8_t;
typedef __UINT8_TYPE__ uint_fast8_t;
typedef __INTPTR_TYPE__ int_fast16_t;
typedef __UINTPTR_TYPE__ uint_fast16_t;
typedef __INTPTR_TYPE__ int_fast32_t;
typedef __UINTPTR_TYPE__ uint_fast32_t;
typedef __INT64_TYPE__ int_fast64_t;
typedef __UINT64_TYPE__ uint_fast64_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __INTMAX_TYPE__ intmax_t;
typedef __UINTMAX_TYPE__ uintmax_t;
#define INT8_MIN (-128)
#define INT16_MIN (-32767 - 1)
#define INT32_MIN (-2147483647 - 1)
#define INT64_MIN (-__INT64_MAX__ - 1)
#define INT8_MAX 127
#define INT16_MAX 32767
#define INT32_MAX 2147483647
#define INT64_MAX __INT64_MAX__
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX __UINT64_MAX__
#define INTPTR_MIN (-__PTRDIFF_MAX__ - 1)
#define INTPTR_MAX __PTRDIFF_MAX__
#define UINTPTR_MAX __SIZE_MAX__
#define INTMAX_MIN (-__INT64_MAX__ - 1)
#define INTMAX_MAX __INT64_MAX__
#define UINTMAX_MAX __UINT64_MAX__
#define PTRDIFF_MIN (-__PTRDIFF_MAX__ - 1)
#define PTRDIFF_MAX __PTRDIFF_MAX__
#define SIZE_MAX __SIZE_MAX__
#define INT8_C(c) c
#define INT16_C(c) c
#define INT32_C(c) c
#define INT64_C(c) __INT64_C(c)
#define UINT8_C(c) c
#define UINT16_C(c) c
#define UINT32_C(c) c ## U
#define UINT64_C(c) __UINT64_C(c)
#define INTMAX_C(c) __INT64_C(c)
#define UINTMAX_C(c) __UINT64_C(c)
#endif
