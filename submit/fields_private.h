/* SPDX-License-Identifier: GPL-3.0-or-later */
/* submit/fields_private.h - the list of fields, for fields.c and update.c */
#pragma once

#include "submit/fields.h"

#define FIELD_VALUE 3 /* where set() finds its value on the stack */

/* Slurm adds this to what may be negative. */
#define NICE_OFFSET INT64_C(0x80000000)

struct field {
        const char *name;
        /* Pushes its value; nil: it is not set. */
        void (*get)(lua_State *L, const struct request *r, const struct field *f);
        /* NULL: it can be read only. */
        void (*set)(lua_State *L, struct request *r, const struct field *f);
        size_t at;       /* in JobSpec */
        const char *key; /* of scontrol update; NULL: that cannot change it */
};
extern const struct field fields[];
extern const size_t n_fields;

const struct field *field_named(const char *name); /* NULL: there is none */
/* Would a script take the value at that place of the stack for one of a field that is not set? */
bool field_reads_unset(lua_State *L, int at, const struct field *f);
