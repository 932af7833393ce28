/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/resources/tres_set.h - numbers of trackable resources (TRES):
 * "cpu=4,mem=8G,gres/gpu=2"
 *
 * cpu, mem, node and billing have fixed places in a set; generic resources and licenses have those
 * that struct tres_names gives them. */
#pragma once

#include "lib/config/config.h"
#include "lib/fail.h"
#include "lib/strtab.h"

enum tres { /* trackable resources that can be limited; the order in which they are shown */
        TRES_CPU,
        TRES_MEM, /* MB */
        TRES_NODE,
        TRES_BILLING, /* what a job costs (billing.h) */
        TRES_NAMED,   /* from here on: generic resources and licenses, by struct tres_names */
        TRES_MAX = TRES_NAMED + CONFIG_TRES_MAX,
};
#define TRES_NONE UINT64_MAX

struct tres_set {
        uint64_t of[TRES_MAX];
};

DECLARE_STRTAB(tres_name); /* cpu, mem, node, billing */

/* What AccountingStorageTRES names, and limits that were made when it did: each keeps its place
   while the controller runs. */
struct tres_names {
        size_t n;
        struct tres_named {
                char *text; /* "gres/gpu:a100", "license/matlab" */
                bool license;
                char *name, *type; /* type NULL: of any */
        } list[CONFIG_TRES_MAX];
};

/* Those of "cpu,gres/gpu" or "cpu=4,gres/gpu=2" that are generic resources or licenses, and new.
   -ENOSPC: there is no place left. */
int tres_names_add(struct tres_names *names, const char *text, struct fail *fail);
/* The place of one of them in a tres_set; -ENOENT. */
int tres_find(const struct tres_names *names, const char *text);
/* Forgets those from the place n on, which nothing counts yet. */
void tres_names_cut(struct tres_names *names, size_t n);
void tres_names_done(struct tres_names *names);

/* "cpu=4,mem=8G,node=-1" changes what it names (-1: no limit); "-1" and "" clear all. MB without a
   unit. */
int tres_parse(const struct tres_names *names, const char *text, struct tres_set *set,
                struct fail *fail);
/* "cpu=4,mem=8G,gres/gpu=2", "" for nothing; the caller frees. */
char *tres_text(const struct tres_names *names, const struct tres_set *set);
/* The same for programs, memory in MB without a unit. used: of all, "cpu=12(4),mem=N(1000)", N for
   no limit. The caller frees. */
char *tres_plain_text(const struct tres_names *names, const struct tres_set *set,
                const struct tres_set *used);
void tres_clear(struct tres_set *set);
