/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/log.h - the daemons' log: the journal with fields if available, else stderr or a file
 *
 * Only main programs and daemons log; libraries return errors. */
#pragma once

#include "lib/base.h"

#include <syslog.h>

/* program: name at the start of each line; path: log file, NULL = journal if stderr is the
   journal's stream, else stderr. Lines less severe than level (LOG_DEBUG is the lowest) are
   dropped. */
int log_open(const char *program, const char *path, int level);
/* Lines that would go to a terminal or pipe on stderr go to the journal from now on, if the journal
   exists. false: stderr is still needed. */
bool log_leave_terminal(void);
/* Returns the descriptor to duplicate as a child's stderr, or otherwise if the log has none. */
int log_stream(int otherwise);
int log_level_parse(const char *text); /* Slurm's "info", "debug2", "3"; -EINVAL: unknown */
int log_level(void);
void log_set_level(int level);
void log_reopen(void); /* after a rotation (SIGUSR2) */

/* Writes a line whatever the level, and also to stderr if the log is a file: results that the
   author of a changed configuration must see. */
void log_told(int level, const char *text);

/* r: negative errno for %m in the format, or 0. Returns r. */
#define log_full(level, r, ...) log_fields(level, r, 0, NULL, __VA_ARGS__)
#define log_error(r, ...)       log_full(LOG_ERR, r, __VA_ARGS__)
#define log_warning(r, ...)     log_full(LOG_WARNING, r, __VA_ARGS__)
#define log_info(...)           (void)log_full(LOG_INFO, 0, __VA_ARGS__)
#define log_debug(...)          (void)log_full(LOG_DEBUG, 0, __VA_ARGS__)
/* Logs events that users and strangers can cause any number of times. Each place in the code writes
   at most LOG_FOLD_LINES within LOG_FOLD_TIME and counts the rest; the count is logged with the
   next line after LOG_FOLD_TIME. */
#define LOG_FOLD_LINES 10
#define LOG_FOLD_TIME  (10 * USEC_PER_SEC)
struct log_fold {
        usec_t since;           /* CLOCK_MONOTONIC, of the first line; 0: not counting */
        unsigned lines, folded; /* since then */
        int level;
        char last[128]; /* beginning of the last folded line */
        struct log_fold *next;
};
/* Returns true if the caller has to write the line. */
bool log_fold(struct log_fold *fold, int level, const char *format, ...) _printf_(3, 4);
#define log_warning_folded(...)                                                                    \
        do {                                                                                       \
                static struct log_fold fold_;                                                      \
                if (log_fold(&fold_, LOG_WARNING, __VA_ARGS__))                                    \
                        log_warning(0, __VA_ARGS__);                                               \
        } while (0)

/* Logs with the journal's fields JOB_ID= and NODE= (job 0, node NULL: omitted). */
int log_fields(int level, int r, uint32_t job, const char *node, const char *format, ...)
                _printf_(5, 6);
