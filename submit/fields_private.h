/* SPDX-License-Identifier: GPL-3.0-or-later */
/* submit/fields_private.h - the list of fields, for fields.c and update.c */
#pragma once

#include "submit/fields.h"

#define FIELD_VALUE 3 /* stack index of the new value in set() */

/* Slurm adds this offset to numbers that may be negative. */
#define NICE_OFFSET INT64_C(0x80000000)

struct field {
        const char *name;
        /* Pushes the field's value; nil: not set. */
        void (*get)(lua_State *L, const struct request *r, const struct field *f);
        /* NULL: read only. */
        void (*set)(lua_State *L, struct request *r, const struct field *f);
        enum field_form {
                FORM_TEXT,
                FORM_NUMBER,
                FORM_MINUTES,
                FORM_DELAY,         /* like minutes, but the field is in seconds */
                FORM_CLOCK,         /* a time of day */
                FORM_CLOCK_OR_NONE, /* like FORM_CLOCK, or "0" */
                FORM_YES_NO,        /* yes, no, 1, 0 */
                FORM_OFFSET,        /* a number that may be negative */
                FORM_MAILS,
                FORM_NODES,    /* "2-4" */
                FORM_SWITCHES, /* "2@5:00" */
        } form;                /* the value's form in an update */
        size_t at;             /* offset in JobSpec */
        const char *key;       /* key of scontrol update; NULL: no update can change the field */
};
extern const struct field fields[];
extern const size_t n_fields;

const struct field *field_named(const char *name); /* NULL: no such field */
/* Returns whether the value at stack index `at` reads as a field that is not set. */
bool field_reads_unset(lua_State *L, int at, const struct field *f);
