/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/base.h - the few words that every file uses: cleanup, allocation, durations, arrays */
#pragma once

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Microseconds.  Which clock is said where it matters; core's "now" is CLOCK_REALTIME. */
typedef uint64_t usec_t;
#define USEC_PER_SEC  ((usec_t)1000000)
#define USEC_PER_MSEC ((usec_t)1000)
#define USEC_INFINITY ((usec_t)UINT64_MAX)
#define NO_LIMIT      UINT64_MAX /* the same on the wire */
/* tasks on a core: any number, whatever CR_ONE_TASK_PER_CORE says; the same on the wire */
#define TASKS_PER_CORE_ANY 65533u

#define ELEMENTSOF(x) (sizeof(x) / sizeof((x)[0]))
/* of any n: users name the largest there is */
#define DIV_ROUND_UP(n, by) ((n) / (by) + ((n) % (by) != 0))
#define MAX(a, b)           ((a) > (b) ? (a) : (b))
#define MIN(a, b)           ((a) < (b) ? (a) : (b))
#define _printf_(a, b)      __attribute__((format(printf, a, b)))
#define _unused_            __attribute__((unused))

/* Allocation that fails ends the process with a message (docs/architecture.md, "Memory,
   errors"). */
void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xrealloc_array(void *p, size_t n, size_t size);
char *xstrdup(const char *s); /* NULL stays NULL */
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *format, ...) _printf_(1, 2);
char *xvasprintf(const char *format, va_list ap) _printf_(1, 0);
/* A stream whose text is *text, NUL-terminated and of *size bytes, once it is closed; the caller
   frees it. It can be written and has a position (ftell). */
FILE *memstream_open(char **text, size_t *size);
void memstream_close(FILE *f);
/* Ends the process with a message; also for what a library could not make. */
void out_of_memory(void) __attribute__((noreturn));
#define xnew(type, n)  ((type *)xrealloc_array(NULL, (n), sizeof(type)))
#define xnew0(type, n) ((type *)xcalloc((n), sizeof(type)))
#define xrenew(p, n)   ((__typeof__(p))xrealloc_array((p), (n), sizeof(*(p))))

/* Makes room for one more element: grow(&array, &allocated, used). */
#define GROW(array, allocated, used)                                                               \
        do {                                                                                       \
                if ((used) >= (allocated)) {                                                       \
                        (allocated) = (allocated) ? (allocated)*2 : 8;                             \
                        (array) = xrenew((array), (allocated));                                    \
                }                                                                                  \
        } while (0)

/* Hands a pointer over: the variable is NULL afterwards. */
#define TAKE(p)                                                                                    \
        ({                                                                                         \
                __typeof__(p) *_pp = &(p);                                                         \
                __typeof__(p) _v = *_pp;                                                           \
                *_pp = NULL;                                                                       \
                _v;                                                                                \
        })
#define TAKE_FD(fd)                                                                                \
        ({                                                                                         \
                int *_fdp = &(fd);                                                                 \
                int _f = *_fdp;                                                                    \
                *_fdp = -1;                                                                        \
                _f;                                                                                \
        })

#define _cleanup_(f) __attribute__((cleanup(f)))
/* For void or pointer destructors that take NULL: defines FUNCp for _cleanup_(FUNCp). */
#define DEFINE_CLEANUP(type, func)                                                                 \
        static inline _unused_ void func##p(type *p) {                                             \
                if (*p)                                                                            \
                        func(*p);                                                                  \
        }
static inline void freep(void *p) {
        free(*(void **)p);
}
static inline void closep(int *fd) {
        if (*fd >= 0)
                close(*fd);
}
static inline void fclosep(FILE **f) {
        if (*f)
                fclose(*f);
}
#define _cleanup_free_   _cleanup_(freep)
#define _cleanup_close_  _cleanup_(closep)
#define _cleanup_fclose_ _cleanup_(fclosep)

static inline bool streq(const char *a, const char *b) {
        return strcmp(a, b) == 0;
}
static inline bool isempty(const char *s) {
        return !s || !*s;
}
static inline const char *strempty(const char *s) {
        return s ? s : "";
}
static inline const char *strna(const char *s) { /* Slurm's word for nothing */
        return isempty(s) ? "(null)" : s;
}
/* Of places 0 to n - 1, first those where before holds, then those where not: the first of the
   latter, n if there is none. before is an expression with i. */
#define FIRST_NOT(n, i, before)                                                                    \
        ({                                                                                         \
                size_t low_ = 0, high_ = (n);                                                      \
                while (low_ < high_) {                                                             \
                        size_t i = low_ + (high_ - low_) / 2;                                      \
                        if (before)                                                                \
                                low_ = i + 1;                                                      \
                        else                                                                       \
                                high_ = i;                                                         \
                }                                                                                  \
                low_;                                                                              \
        })

/* qsort() and bsearch() of a list that may be NULL where it is empty, which those do not allow. */
static inline void list_sort(void *list, size_t n, size_t size,
                int (*compare)(const void *, const void *)) {
        if (n > 1)
                qsort(list, n, size, compare);
}
static inline void *list_search(const void *key, const void *list, size_t n, size_t size,
                int (*compare)(const void *, const void *)) {
        return n > 0 ? bsearch(key, list, n, size, compare) : NULL;
}

/* Replaces *p by a copy of s (NULL clears). */
void free_and_strdup(char **p, const char *s);

/* However often write() is interrupted or takes a part of it. -ENOSPC: it takes nothing more; else
   what write() says. */
int fd_write(int fd, const void *data, size_t size);

/* The first thing that main() of a program does: /dev/null becomes each of descriptors 0 to 2 that
   the program was started without, or a file or socket of its own would be its standard stream. */
void standard_streams_open(void);

/* Of this boot, from the kernel; "unknown" where it does not say. */
#define BOOT_ID_SIZE 64
void boot_id(char ret[static BOOT_ID_SIZE]);

/* A file, or a link, also one that leads nowhere. */
bool path_is_there(const char *path);

usec_t now_realtime(void);
usec_t now_monotonic(void);
usec_t now_boottime(void); /* CLOCK_BOOTTIME */
