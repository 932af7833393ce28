/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/updates/job_update_private.h - what job_update.c and job_keys.c share */
#pragma once

#include "controller/updates/job_update.h"

/* What a job is to ask for, by all settings of the update together. */
struct job_request {
        struct job_spec spec;        /* own */
        struct partition *partition; /* the first of the list */
        struct resv *resv;           /* the first of spec.reservation, where that is new */
        uint32_t num_cpus;
        unsigned ordered;                  /* enum ordered: what the update names of these */
        struct countlist *licenses, *hres; /* own: the new ones, where it names some */
        struct countlist *held;            /* own: what a running job would hold of these */
        /* NumNodes, NodeList of a running job; NULL: not named */
        const char *keep_count, *keep_nodes;
        struct bitset *keep; /* own: places of the nodes that it keeps then; NULL: all */
        /* what the update names */
        bool any, new_partition, new_account, new_qos, new_resv, new_licenses, new_count, new_cpus;
};

/* One setting of an update. */
struct job_change {
        struct cluster *c;
        struct job *j;
        const struct updater *by;
        const struct job_key *key;
        const char *value; /* with the sign of its key: "+5" */
        usec_t now;
        struct job_request *request;
        struct fail *fail;
        /* What key->read() has read, for key->set(). */
        int64_t number;
        usec_t time;
        struct dependencies *depends; /* own */
        char *relative;               /* own: value, where the key has a sign */
};

/* A row of the table of keys.  Each setting is read first, which changes nothing of the job; what
   it asks for of nodes, partitions, accounts goes into the request.  When nothing is refused, what
   the job asks for is put in force by job_respec(), and the rest by set(). */
struct job_key {
        const char *name;
        size_t least; /* so many letters of it will do */
        enum {
                KEY_ALIVE = 0,    /* until the job is over */
                KEY_WAITS = 1,    /* while it waits */
                KEY_OPERATOR = 2, /* for operators */
                /* it is of what enum ordered says, of the user that has set it last */
                KEY_TIME = 4,
                KEY_CPUS = 8,
                KEY_MEMORY = 16,
                KEY_NODES = 32, /* a running job gives nodes back by it */
                KEY_ASKED = 64, /* what the job asks for has changed when it is set */
                KEY_HELD = 128, /* of a running job operators may change what it holds by it */
        } flags;
        enum slumber_error (*read)(struct job_change *ch);
        void (*set)(struct job_change *ch); /* NULL: job_respec() does it */
        size_t field;                       /* of struct job_spec; of AdminComment: not used */
};

/* The row of "TimeLimit", "timel", "TimeLimit+"; NULL: there is none. */
const struct job_key *job_key_named(const char *word);
/* Both set the same: "Name" and "JobName". */
bool job_key_sets_same(const struct job_key *a, const struct job_key *b);
/* The '+' or '-' at the end of a key; 0: it has none. */
char job_key_sign(const char *word);
/* Why there is no row of that word. */
enum slumber_error job_key_refuse(const char *word, const char *value, struct fail *fail);
/* Reads ch->value; of a running job NumNodes and NodeList are noted for the nodes that it keeps. */
enum slumber_error job_key_read(struct job_change *ch);
/* Does what has been read, where job_respec() has not done it. */
void job_key_set(struct job_change *ch);
