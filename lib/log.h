/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/log.h - the daemons' log: the journal with fields where there is one, else stderr or a file
 *
 * Only main programs and daemons log; libraries return. */
#pragma once

#include "lib/base.h"

#include <syslog.h>

/* program: name in front of each line; path: a log file, NULL = journal if stderr is one's stream,
   else stderr.  Lines below level (LOG_DEBUG lowest) are dropped. */
int log_open(const char *program, const char *path, int level);
bool log_has_file(void); /* nothing of it reaches a terminal */
/* What would go to stderr, and not to a file by it, goes to the journal from now on, if there is
   one; false: stderr is still needed. */
bool log_leave_terminal(void);
/* what a child says there is in the log: to be duplicated; otherwise, if there is no such thing */
int log_stream(int otherwise);
int log_level_parse(const char *text); /* Slurm's "info", "debug2", "3"; -EINVAL */
int log_level(void);
void log_set_level(int level);
void log_reopen(void); /* after a rotation (SIGUSR2) */

/* A line that is written whatever the level is, and to stderr too where the log is a file: what the
   author of a changed configuration must see. */
void log_told(int level, const char *text);

/* r: a negative errno that %m in the format stands for, or 0. Returns r. */
#define log_full(level, r, ...) log_fields(level, r, 0, NULL, __VA_ARGS__)
#define log_error(r, ...)       log_full(LOG_ERR, r, __VA_ARGS__)
#define log_warning(r, ...)     log_full(LOG_WARNING, r, __VA_ARGS__)
#define log_info(...)           (void)log_full(LOG_INFO, 0, __VA_ARGS__)
#define log_debug(...)          (void)log_full(LOG_DEBUG, 0, __VA_ARGS__)
/* What strangers and users may cause as often as they like: of each place in the code no more than
   LOG_FOLD_LINES are written in LOG_FOLD_TIME, the others are counted, and their number is a line
   when that time is over and anything is logged. */
#define LOG_FOLD_LINES 10
#define LOG_FOLD_TIME  (10 * USEC_PER_SEC)
struct log_fold {
        usec_t since;           /* CLOCK_MONOTONIC, of the first line; 0: none is being counted */
        unsigned lines, folded; /* since then */
        int level;
        char last[128]; /* the beginning of the last one that was folded */
        struct log_fold *next;
};
/* true: the line is to be written. */
bool log_fold(struct log_fold *fold, int level, const char *format, ...) _printf_(3, 4);
#define log_warning_folded(...)                                                                    \
        do {                                                                                       \
                static struct log_fold fold_;                                                      \
                if (log_fold(&fold_, LOG_WARNING, __VA_ARGS__))                                    \
                        log_warning(0, __VA_ARGS__);                                               \
        } while (0)

/* With the journal's fields JOB_ID= and NODE= (job 0, node NULL: without). */
int log_fields(int level, int r, uint32_t job, const char *node, const char *format, ...)
                _printf_(5, 6);
