/* SPDX-License-Identifier: GPL-3.0-or-later */
/* submit/script.h - loads, limits and calls a Lua script (job_submit.lua or cli_filter.lua)
 *
 * A script may use all of Lua's libraries, and modules in the script's folder. A call fails after
 * SCRIPT_INSTRUCTIONS Lua instructions or when the script uses more than SCRIPT_MEMORY bytes. The
 * caller's process limits the time. */
#pragma once

#include "proto/slumber.pb-c.h"

#include "lib/fail.h"

#define SCRIPT_INSTRUCTIONS 20000000
#define SCRIPT_MEMORY       ((size_t)256 << 20)
#define SCRIPT_SIZE_MAX     ((size_t)4 << 20)
/* Limit of log lines and of lines for the user in one call; more are dropped */
#define SCRIPT_LINES_MAX 1000

/* The output of one call of a script. */
struct script_said {
        Slumber__RuleLine **lines; /* log lines */
        size_t n_lines, a_lines;
        char *told; /* lines for the user; NULL: none */
        size_t n_told;
};
void script_said_done(struct script_said *said);
void script_say_log(struct script_said *said, int level, const char *format, ...) _printf_(3, 4);

struct lua_State;
struct script;

/* A kind of script, with the functions that a script must define. */
struct script_kind {
        const char *functions[3];
        size_t n_functions;
};
/* Reads a file that only root, this process's user or owner may write. The caller frees *ret.
   -EACCES: no regular file; -EPERM: writable by somebody else; -EFBIG; other errors of open();
   fail has the path. */
int script_read(const char *path, uid_t owner, char **ret, size_t *ret_size, struct fail *fail);
/* Runs the text, which must define the kind's functions; said gets the log lines. The caller
   frees *ret by script_free(). Text and said are needed only during the call. */
int script_load(const struct script_kind *kind, const char *path, const char *text, size_t size,
                struct script_said *said, struct script **ret, struct fail *fail);
struct script *script_free(struct script *s); /* accepts NULL; returns NULL */
/* Pushes the named function onto an empty stack. */
struct lua_State *script_begin(struct script *s, const char *function);
/* Calls the function pushed by script_begin() with n_arguments values pushed since; *ret is the
   returned number, 0 if the function returned no number. -EIO: an error in the script. */
int script_call(struct script *s, int n_arguments, struct script_said *said, int64_t *ret,
                struct fail *fail);
/* Sets slurm.NAME to the value on top of the stack, and pops the value. */
void script_set(struct script *s, const char *name);
