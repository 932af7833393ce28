/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/base.h - basics used by every file: cleanup, allocation, durations, arrays */
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

/* Microseconds. The comment of a variable names the clock; "now" in the core is CLOCK_REALTIME. */
typedef uint64_t usec_t;
#define USEC_PER_SEC  ((usec_t)1000000)
#define USEC_PER_MSEC ((usec_t)1000)
#define USEC_INFINITY ((usec_t)UINT64_MAX)
#define NO_LIMIT      UINT64_MAX /* equal value on the wire */
/* Tasks per core: any number, whatever CR_ONE_TASK_PER_CORE says. Equal value on the wire. */
#define TASKS_PER_CORE_ANY 65533u

#define ELEMENTSOF(x) (sizeof(x) / sizeof((x)[0]))
/* Correct for any n, even UINT64_MAX: users may enter the largest number. */
#define DIV_ROUND_UP(n, by) ((n) / (by) + ((n) % (by) != 0))
#define MAX(a, b)           ((a) > (b) ? (a) : (b))
#define MIN(a, b)           ((a) < (b) ? (a) : (b))
#define _printf_(a, b)      __attribute__((format(printf, a, b)))
#define _unused_            __attribute__((unused))

/* Failing allocations end the process with a message (docs/architecture.md, "Memory, errors"). */
void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xrealloc_array(void *p, size_t n, size_t size);
char *xstrdup(const char *s); /* returns NULL for NULL */
char *xstrndup(const char *s, size_t n);
char *text_copy_or_null(const char *s); /* NULL for an empty text, too */
/* Frees the n texts of a list and the list; accepts NULL with any n. */
void texts_free(char **texts, size_t n);
/* Frees the texts of a list and replaces them by copies; NULL with n_from = 0. */
void texts_set(char ***texts, size_t *n, char *const *from, size_t n_from);
char *xasprintf(const char *format, ...) _printf_(1, 2);
char *xvasprintf(const char *format, va_list ap) _printf_(1, 0);
/* Returns a writable stream with a position (ftell). After memstream_close() *text has the text,
   NUL-terminated and of *size bytes; the caller frees *text. */
FILE *memstream_open(char **text, size_t *size);
void memstream_close(FILE *f);
/* Ends the process with a message; also for objects that a library failed to allocate. */
void out_of_memory(void) __attribute__((noreturn));
#define xnew(type, n)  ((type *)xrealloc_array(NULL, (n), sizeof(type)))
#define xnew0(type, n) ((type *)xcalloc((n), sizeof(type)))
#define xrenew(p, n)   ((__typeof__(p))xrealloc_array((p), (n), sizeof(*(p))))

/* Makes room for one more element: GROW(array, allocated, used). */
#define GROW(array, allocated, used)                                                               \
        do {                                                                                       \
                if ((used) >= (allocated)) {                                                       \
                        (allocated) = (allocated) ? (allocated)*2 : 8;                             \
                        (array) = xrenew((array), (allocated));                                    \
                }                                                                                  \
        } while (0)

/* Hands a pointer over: returns the value and sets the variable to NULL. */
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
/* Defines FUNCp, for _cleanup_(FUNCp), of a void or pointer destructor that takes NULL. */
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

/* Returns from + duration, USEC_INFINITY at most. */
static inline usec_t usec_after(usec_t from, usec_t duration) {
        return duration > USEC_INFINITY - from ? USEC_INFINITY : from + duration;
}
static inline bool streq(const char *a, const char *b) {
        return strcmp(a, b) == 0;
}
/* Returns the part of path behind the last slash. */
static inline const char *path_base(const char *path) {
        const char *slash = strrchr(path, '/');

        return slash ? slash + 1 : path;
}
static inline bool isempty(const char *s) {
        return !s || !*s;
}
static inline const char *strempty(const char *s) {
        return s ? s : "";
}
/* The text of a field of a message, which is never NULL, and not freed with the message. */
static inline char *message_text(const char *s) {
        return (char *)(uintptr_t)strempty(s);
}
/* Returns whether the texts are equal, NULL as an empty one. */
static inline bool texts_equal(const char *a, const char *b) {
        return streq(strempty(a), strempty(b));
}
static inline const char *strna(const char *s) { /* Slurm's text for an empty value */
        return isempty(s) ? "(null)" : s;
}
/* Binary search in places 0 to n - 1: the first place where the expression before (using i) is
   false, or n. Invariant: before is true in the first places and false in the rest. */
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

/* qsort() and bsearch() that also take NULL for an empty list. */
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

/* Writes all bytes, also after EINTR and partial writes. -ENOSPC: write() returned 0; otherwise the
   negative errno of write(). */
int fd_write(int fd, const void *data, size_t size);

/* Opens /dev/null for each of descriptors 0 to 2 that is closed, or exits. main() calls this first:
   otherwise a file or socket of the program could become a standard stream. */
void standard_streams_open(void);

/* Sets ret to the kernel's ID of the current boot, or "unknown". */
#define BOOT_ID_SIZE 64
void boot_id(char ret[static BOOT_ID_SIZE]);

/* True also for a dangling symbolic link. */
bool path_is_there(const char *path);

usec_t now_realtime(void);
usec_t now_monotonic(void);
usec_t now_boottime(void);
