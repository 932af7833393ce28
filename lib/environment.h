/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/environment.h - the variables that a program is to find: NAME=value, each name once */
#pragma once

#include "lib/base.h"

struct environment;

struct environment *environment_new(void);
struct environment *environment_copy(struct environment *e);
struct environment *environment_free(struct environment *e); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct environment *, environment_free)
/* "NAME=value", which replaces what NAME was; a line that is not one is left out. */
void environment_put(struct environment *e, const char *line);
/* The same of a line that has a "=", with a name that is not there yet, which is not looked for. */
void environment_add(struct environment *e, const char *line);
void environment_set(struct environment *e, const char *name, const char *format, ...)
                _printf_(3, 4);
/* Only if NAME is not there. */
void environment_default(struct environment *e, const char *name, const char *value);
void environment_unset(struct environment *e, const char *name); /* nothing if it is not there */
const char *environment_get(const struct environment *e, const char *name); /* NULL: not there */
/* All lines, with a NULL behind them; borrowed until the next change. */
char **environment_vector(struct environment *e);
size_t environment_count(const struct environment *e);
