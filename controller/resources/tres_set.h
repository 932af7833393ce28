/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/resources/tres_set.h - amounts of trackable resources (TRES):
 * "cpu=4,mem=8G,gres/gpu=2"
 *
 * cpu, mem, node and billing have fixed indexes in a set; struct tres_names assigns indexes to
 * generic resources and licenses. */
#pragma once

#include "lib/config/config.h"
#include "lib/fail.h"
#include "lib/strtab.h"

enum tres { /* trackable resources that can be limited, in the order of display */
        TRES_CPU,
        TRES_MEM, /* MB */
        TRES_NODE,
        TRES_BILLING, /* the cost of a job (billing.h) */
        TRES_NAMED,   /* first generic resource or license, by struct tres_names */
        TRES_MAX = TRES_NAMED + CONFIG_TRES_MAX,
};
#define TRES_NONE UINT64_MAX

struct tres_set {
        uint64_t of[TRES_MAX];
};

DECLARE_STRTAB_PARSE(tres_name); /* cpu, mem, node, billing */

/* The names of AccountingStorageTRES, present and former, because limits may still use former
   names: an index is fixed while slumberctld runs. */
struct tres_names {
        size_t n;
        struct tres_named {
                char *text; /* "gres/gpu:a100", "license/matlab" */
                bool license;
                char *name, *type; /* type NULL: any */
        } list[CONFIG_TRES_MAX];
};

/* Adds the new generic resources and licenses of "cpu,gres/gpu" or "cpu=4,gres/gpu=2".  -ENOSPC:
   the table is full. */
int tres_names_add(struct tres_names *names, const char *text, struct fail *fail);
/* Returns the index in a tres_set; -ENOENT. */
int tres_find(const struct tres_names *names, const char *text);
/* Removes the names from index n on, which are not in use yet. */
void tres_names_cut(struct tres_names *names, size_t n);
void tres_names_done(struct tres_names *names);

/* Changes the named entries of set: "cpu=4,mem=8G,node=-1" (-1: no limit); "-1" and "" clear all.
   Memory is in MB without a unit. */
int tres_parse(const struct tres_names *names, const char *text, struct tres_set *set,
                struct fail *fail);
/* Returns "cpu=4,mem=8G,gres/gpu=2", "" for an empty set; the caller frees. */
char *tres_text(const struct tres_names *names, const struct tres_set *set);
/* tres_text() for programs, with memory in MB without a unit.  used: "cpu=12(4),mem=N(1000)", with
   all entries, N for no limit.  The caller frees. */
char *tres_plain_text(const struct tres_names *names, const struct tres_set *set,
                const struct tres_set *used);
void tres_clear(struct tres_set *set);
