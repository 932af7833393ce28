/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/gres.h - lists of generic resources: a node's, a job's request, a job's allocation */
#pragma once

#include "lib/fail.h"

struct gres_item {
        char *name, *type; /* type: NULL = any, or untyped */
        uint64_t count;
        char *sockets; /* sockets of a node's item: "0-1"; NULL: any */
        /* Units of an allocated item, "0,2-3": indexes among the node's units of that name; NULL:
           counted only. */
        char *units;
        /* Allocated shards of each GPU for display, "2/4,0/4" (used/total); NULL: unknown. */
        char *of_gpus;
};

struct gres_list {
        size_t n; /* at least 1 */
        struct gres_item list[];
};

enum gres_text {
        GRES_CONFIGURED, /* "gpu:a100:4(S:0-1),craynic:2,disk:4G" */
        /* "gpu:a100:2,gres/craynic,gpu=1": the last count of a repeated name and type is used;
           count 0 removes the item. */
        GRES_ASKED,
        GRES_HELD, /* "gpu:a100:2(IDX:0,3),craynic:1" */
};

/* Reads a list; *ret is NULL for an empty list. -EINVAL: fail names the wrong word. */
int gres_list_parse(const char *text, enum gres_text kind, struct gres_list **ret,
                struct fail *fail);
/* Returns text that gres_list_parse() reads back; prefix ("gres/") goes before each name. "" for
   NULL; the caller frees. */
char *gres_list_text(const struct gres_list *g, const char *prefix);
/* Appends an item, taking ownership of its texts; *g may be NULL. Borrowed result. */
struct gres_item *gres_list_add(struct gres_list **g, struct gres_item item);
struct gres_list *gres_list_free(struct gres_list *g);
DEFINE_CLEANUP(struct gres_list *, gres_list_free)

/* True if name and type satisfy the request; a request without type takes any. */
static inline bool gres_is(const char *name, const char *type, const struct gres_item *asked) {
        return streq(name, asked->name) && (!asked->type || (type && streq(type, asked->type)));
}
