/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/updates/job_update_private.h - shared by job_update.c and job_keys.c */
#pragma once

#include "controller/updates/job_update.h"

/* The new request of a job, from all settings of the update together. */
struct job_request {
        struct job_spec spec;        /* owned */
        struct partition *partition; /* first of the list */
        struct resv *resv;           /* first of spec.reservation, if changed */
        uint32_t num_cpus;
        unsigned ordered;                  /* enum ordered: values that the update sets */
        struct countlist *licenses, *hres; /* owned: newly requested, if named */
        struct countlist *held;            /* owned: what a running job would hold */
        /* NumNodes, NodeList of a running job; NULL: not named */
        const char *keep_count, *keep_nodes;
        struct bitset *keep; /* owned: places of the nodes to keep; NULL: all */
        /* what the update changes */
        bool any, new_partition, new_account, new_qos, new_resv, new_licenses, new_count, new_cpus;
};

/* A setting of an update. */
struct job_change {
        struct cluster *c;
        struct job *j;
        const struct updater *by;
        const struct job_key *key;
        const char *value; /* including the sign of the key: "+5" */
        usec_t now;
        struct job_request *request;
        struct fail *fail;
        /* Results of key->read() for key->set(). */
        int64_t number;
        usec_t time;
        struct dependencies *depends; /* owned */
        char *relative;               /* owned: value, if the key has a sign */
};

/* A row of the table of keys.  All settings are read first, without changing the job; changes of
   nodes, partitions and accounts are collected in the request.  If all settings are accepted,
   job_respec() applies the request, and set() applies the remaining settings. */
struct job_key {
        const char *name;
        size_t least; /* minimum number of letters */
        enum {
                KEY_ALIVE = 0,    /* until the job is over */
                KEY_WAITS = 1,    /* while the job is pending */
                KEY_OPERATOR = 2, /* operators only */
                /* bits of enum ordered: limits do not apply to a value last set by an
                   operator */
                KEY_TIME = 4,
                KEY_CPUS = 8,
                KEY_MEMORY = 16,
                KEY_NODES = 32, /* a running job gives nodes back */
                KEY_ASKED = 64, /* changes the request of the job */
                KEY_HELD = 128, /* operators may change what a running job holds */
        } flags;
        enum slumber_error (*read)(struct job_change *ch);
        void (*set)(struct job_change *ch); /* NULL: job_respec() applies the value */
        size_t field;                       /* offset in struct job_spec; unused for AdminComment */
};

/* Returns the row of "TimeLimit", "timel", "TimeLimit+"; NULL if unknown. */
const struct job_key *job_key_named(const char *word);
/* Returns whether both keys have the same effect, like "Name" and "JobName". */
bool job_key_sets_same(const struct job_key *a, const struct job_key *b);
/* Returns the '+' or '-' at the end of a key; 0: none. */
char job_key_sign(const char *word);
/* Returns why the word is no key. */
enum slumber_error job_key_refuse(const char *word, const char *value, struct fail *fail);
/* Reads ch->value; NumNodes and NodeList of a running job are noted for the nodes to keep. */
enum slumber_error job_key_read(struct job_change *ch);
/* Applies the value, unless job_respec() does. */
void job_key_set(struct job_change *ch);
