#ifndef _REIFY_STDIO_H
#define _REIFY_STDIO_H
#include <stddef.h>
#define EOF (-1)
typedef struct _IO_FILE FILE;
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
int printf(const char *restrict, ...);
int fprintf(FILE *restrict, const char *restrict, ...);
int sprintf(char *restrict, const char *restrict, ...);
int snprintf(char *restrict, size_t, const char *restrict, ...);
int puts(const char *);
int putchar(int);
int putc(int, FILE *);
int fputs(const char *restrict, FILE *restrict);
int fputc(int, FILE *);
size_t fwrite(const void *restrict, size_t, size_t, FILE *restrict);
int fflush(FILE *);
int getchar(void);
int getc(FILE *);
int fgetc(FILE *);
int ungetc(int, FILE *);
char *fgets(char *restrict, int, FILE *restrict);
size_t fread(void *restrict, size_t, size_t, FILE *restrict);
int scanf(const char *restrict, ...);
int sscanf(const char *restrict, const char *restrict, ...);
int fscanf(FILE *restrict, const char *restrict, ...);
#endif
