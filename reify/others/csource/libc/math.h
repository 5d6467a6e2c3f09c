#ifndef _REIFY_MATH_H
#define _REIFY_MATH_H
/* Only what needs no library of its own. */
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_huge_val()
double fabs(double);
float fabsf(float);
double ldexp(double, int);
double frexp(double, int *);
double modf(double, double *);
double copysign(double, double);
#endif
