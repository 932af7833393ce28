/* SPDX-License-Identifier: GPL-3.0-or-later */
/* submit/fields.h - the fields of a job as job_submit.lua sees them: job_desc and job_rec
 *
 * fields.c lists the fields, a row each. A text not set is nil; a number not set is NO_VAL,
 * NO_VAL16 or NO_VAL64, depending on the field's width. */
#pragma once

#include "proto/slumber.pb-c.h"

#include <lua.h>

#include "lib/base.h"

#define LUA_NO_VAL   UINT32_C(0xfffffffe)
#define LUA_NO_VAL16 UINT32_C(0xfffe)
#define LUA_NO_VAL64 UINT64_C(0xfffffffffffffffe)
#define LUA_INFINITE UINT32_C(0xffffffff)

/* Bits of job_desc.bitflags, as in Slurm */
#define LUA_KILL_INV_DEP      UINT64_C(0x1)
#define LUA_NO_KILL_INV_DEP   UINT64_C(0x2)
#define LUA_GRES_ENFORCE_BIND UINT64_C(0x10)
#define LUA_SPREAD_JOB        UINT64_C(0x100)
#define LUA_USE_MIN_NODES     UINT64_C(0x200)
#define LUA_GRES_DISABLE_BIND UINT64_C(0x80000)

/* Bits of job_desc.mail_type: Slurm's bit, Slumber's bit, and the name of the Lua constant. */
struct mail_bit {
        uint32_t slurm, ours;
        const char *name;
};
extern const struct mail_bit mail_bits[];
extern const size_t n_mail_bits;

/* The job behind job_desc or job_rec. spec is, for a submission, part of the submission's
   message; for an update, the fields the update names; for job_rec, the stored job's. */
struct request {
        Slumber__JobSpec *spec;
        Slumber__JobScript *script;        /* NULL: no batch job */
        Slumber__SubmitRequest *submit;    /* NULL: no submission */
        const Slumber__Job *job;           /* of job_rec; NULL: job_desc */
        const Slumber__RuleRequest *about; /* the sender, as seen by the controller */
        const char *name;                  /* "job_desc" or "job_rec" */
        bool fixed;                        /* read only */
        bool new_script;                   /* the script or environment was changed */
        /* for updates only */
        Slumber__JobUpdate *update; /* NULL: no update */
        enum field_change {
                FIELD_AS_IT_WAS,
                FIELD_CHANGED,
                FIELD_EMPTIED, /* by "" */
        } *
                        changed; /* by field of the list */
        struct field_said {
                enum { SAID_AS_STORED, SAID_NO_TEXT, SAID_NUMBER } kind;
                int64_t number;
        } * said; /* rows by field: values of the update that JobSpec stores as not set */
        usec_t end_time;
        int32_t site_factor;
        uint32_t num_cpus;
        char *admin_comment; /* owned */
};

/* Pushes the table by which a script reads and changes r; r must outlive the table. */
void fields_push(lua_State *L, struct request *r);
/* Sets the fields of r->spec from the settings of r->update, both of unpacked messages. Returns
   the first setting whose value no field can show to the script, even if the controller would
   accept the value; NULL: none. */
const Slumber__KeyValue *update_begin(lua_State *L, struct request *r);
/* Adds the fields changed by the script to the settings of r->update, in place of former values. */
void update_end(lua_State *L, struct request *r);
