/* SPDX-License-Identifier: GPL-3.0-or-later */
/* submit/script.h - job_submit.lua in force: loaded, limited, called
 *
 * A script has all of Lua's libraries, and modules beside it.  A call of it is ended by an error
 * behind SCRIPT_INSTRUCTIONS of Lua's instructions, or with SCRIPT_MEMORY bytes; its time is
 * limited by the process that asks. */
#pragma once

#include "proto/slumber.pb-c.h"

#include "lib/fail.h"

#define SCRIPT_INSTRUCTIONS 20000000
#define SCRIPT_MEMORY       ((size_t)256 << 20)
#define SCRIPT_SIZE_MAX     ((size_t)4 << 20)
#define SCRIPT_LINES_MAX    1000 /* of its log, and for the user, in one call; more are dropped */

/* What a call of the script says. */
struct script_said {
        Slumber__RuleLine **lines; /* of its log */
        size_t n_lines, a_lines;
        char *told; /* for the user, in lines; NULL: nothing */
        size_t n_told;
};
void script_said_done(struct script_said *said);
void script_say_log(struct script_said *said, int level, const char *format, ...) _printf_(3, 4);

struct lua_State;
struct script;

/* What a script is for: the functions that it has to define. */
struct script_kind {
        const char *functions[3];
        size_t n_functions;
};
/* The text of a file that only root, this process's user and owner may change; -ENOENT... with the
   path in fail. */
int script_read(const char *path, uid_t owner, char **ret, size_t *ret_size, struct fail *fail);
/* Runs the text, which has to define the kind's functions.  said: what it has logged meanwhile. */
int script_load(const struct script_kind *kind, const char *path, const char *text, size_t size,
                struct script_said *said, struct script **ret, struct fail *fail);
struct script *script_free(struct script *s); /* takes NULL, returns NULL */
/* Pushes the function of that name. */
struct lua_State *script_begin(struct script *s, const char *function);
/* Calls it with what was pushed since: the number that it has returned.  -EIO: an error of the
   script's. */
int script_call(struct script *s, int n_arguments, struct script_said *said, int64_t *ret,
                struct fail *fail);
/* slurm.NAME is the value on top, which is popped. */
void script_set(struct script *s, const char *name);
