/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/gres.h - lists of generic resources: what nodes have, what jobs ask for, what jobs hold */
#pragma once

#include "lib/fail.h"

struct gres_item {
        char *name, *type; /* type: NULL = any, or none */
        uint64_t count;
        char *sockets; /* of what a node has: "0-1", NULL = not said */
        /* of what a job holds: "0,2-3", the node's units of that name from 0 on; NULL = they are
           only counted */
        char *units;
        /* of shards that are held, for display: "2/4,0/4", those of each GPU; NULL: not said */
        char *of_gpus;
};

struct gres_list {
        size_t n; /* at least 1 */
        struct gres_item list[];
};

enum gres_text {
        GRES_CONFIGURED, /* "gpu:a100:4(S:0-1),craynic:2,disk:4G" */
        /* "gpu:a100:2,gres/craynic,gpu=1": of a name and type that stand twice the last counts, 0
           is nothing */
        GRES_ASKED,
        GRES_HELD, /* "gpu:a100:2(IDX:0,3),craynic:1" */
};

/* *ret NULL: nothing is left.  -EINVAL says what is wrong with which word. */
int gres_list_parse(const char *text, enum gres_text kind, struct gres_list **ret,
                struct fail *fail);
/* What was read, so that it would be read again; prefix ("gres/") goes before each name. "" for
   NULL; the caller frees. */
char *gres_list_text(const struct gres_list *g, const char *prefix);
/* Appends an item (its texts are taken over); *g may be NULL. */
struct gres_item *gres_list_add(struct gres_list **g, struct gres_item item);
struct gres_list *gres_list_free(struct gres_list *g);
DEFINE_CLEANUP(struct gres_list *, gres_list_free)

/* type NULL of what is asked for is any. */
static inline bool gres_is(const char *name, const char *type, const struct gres_item *asked) {
        return streq(name, asked->name) && (!asked->type || (type && streq(type, asked->type)));
}
