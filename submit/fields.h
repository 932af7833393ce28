/* SPDX-License-Identifier: GPL-3.0-or-later */
/* submit/fields.h - what a job asks for, as job_submit.lua knows it: job_desc and job_rec
 *
 * One list, a row for each field (fields.c).  A text that is not set is nil, a number NO_VAL,
 * NO_VAL16 or NO_VAL64, by its width. */
#pragma once

#include "proto/slumber.pb-c.h"

#include <lua.h>

#include "lib/base.h"

#define LUA_NO_VAL   UINT32_C(0xfffffffe)
#define LUA_NO_VAL16 UINT32_C(0xfffe)
#define LUA_NO_VAL64 UINT64_C(0xfffffffffffffffe)
#define LUA_INFINITE UINT32_C(0xffffffff)

/* bits of job_desc.bitflags: Slurm's */
#define LUA_KILL_INV_DEP      UINT64_C(0x1)
#define LUA_NO_KILL_INV_DEP   UINT64_C(0x2)
#define LUA_GRES_ENFORCE_BIND UINT64_C(0x10)
#define LUA_SPREAD_JOB        UINT64_C(0x100)
#define LUA_USE_MIN_NODES     UINT64_C(0x200)
#define LUA_GRES_DISABLE_BIND UINT64_C(0x80000)

/* job_desc.mail_type: Slurm's bit, ours, and the name of the constant. */
struct mail_bit {
        uint32_t slurm, ours;
        const char *name;
};
extern const struct mail_bit mail_bits[];
extern const size_t n_mail_bits;

/* What is asked for: of a submission the message itself, of an update what it changes, of job_rec
   what the job has. */
struct request {
        Slumber__JobSpec *spec;
        Slumber__JobScript *script;        /* NULL: not a batch job */
        Slumber__SubmitRequest *submit;    /* NULL: not a submission */
        const Slumber__Job *job;           /* NULL: there is none yet */
        const Slumber__RuleRequest *about; /* its sender */
        const char *name;                  /* "job_desc" */
        bool fixed;                        /* it can be read only */
        bool new_script;                   /* script was changed */
        /* of an update */
        Slumber__JobUpdate *update; /* NULL: it is none */
        enum field_change {
                FIELD_AS_IT_WAS,
                FIELD_CHANGED,
                FIELD_EMPTIED, /* by "" */
        } *
                        changed; /* for each row of the list of fields */
        struct field_said {
                enum { SAID_AS_STORED, SAID_NO_TEXT, SAID_NUMBER } kind;
                int64_t number;
        } * said; /* likewise: what is said, where it is stored as a field that is not set */
        usec_t end_time;
        int32_t site_factor;
        uint32_t num_cpus;
        char *admin_comment; /* own */
};

/* Pushes the table by which a script reads and changes r, which must outlive its use. */
void fields_push(lua_State *L, struct request *r);
/* The settings of r->update become fields of r->spec, of a message that was unpacked.  The first
   one whose value the script cannot be told, if the controller takes it or not; NULL: none. */
const Slumber__KeyValue *update_begin(lua_State *L, struct request *r);
/* What the script has changed is in r->update, too. */
void update_end(lua_State *L, struct request *r);
/* Replaces a text of a message that was unpacked. */
void message_text_set(char **text, const char *value);
