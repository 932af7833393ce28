/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/environment.h - a program's environment: lines NAME=value, each name once */
#pragma once

#include "lib/base.h"

struct environment;

struct environment *environment_new(void);
struct environment *environment_copy(struct environment *e);
struct environment *environment_free(struct environment *e); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct environment *, environment_free)
/* Adds or replaces "NAME=value"; ignores a line without a name or "=". */
void environment_put(struct environment *e, const char *line);
/* Appends a line with a "=" whose name the environment does not have yet; not checked, thus
   faster. */
void environment_add(struct environment *e, const char *line);
void environment_set(struct environment *e, const char *name, const char *format, ...)
                _printf_(3, 4);
/* Sets name only if unset. */
void environment_default(struct environment *e, const char *name, const char *value);
void environment_unset(struct environment *e, const char *name);            /* no-op if unset */
const char *environment_get(const struct environment *e, const char *name); /* NULL: unset */
/* Returns all lines, NULL-terminated; borrowed until the next change. */
char **environment_vector(struct environment *e);
size_t environment_count(const struct environment *e);
