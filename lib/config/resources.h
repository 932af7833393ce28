/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/config/resources.h - resources.yaml: hierarchical resources (guide hierarchical-resources)
 *
 * A list of resources.  Each has a name, a mode, and layers: sets of nodes with a count of their
 * own.  MODE_3 has variables, names for counts that a job may ask for, and layers that are a tree;
 * what base lists of a layer is in use in any case, there and in all layers around it. */
#pragma once

#include "lib/bitset.h"
#include "lib/fail.h"

/* One charge for a job: in one layer that its nodes touch; in all of them; for each of its nodes in
   all of them. */
enum resource_mode { RESOURCE_MODE_1 = 1, RESOURCE_MODE_2, RESOURCE_MODE_3 };

#define RESOURCES_MAX       64
#define RESOURCE_LAYERS_MAX 4096 /* of all resources */
#define RESOURCE_DEPTH_MAX  16   /* layers around a node, MODE_3 */
#define RESOURCE_COUNT_MAX  INT32_MAX

struct resource_layer {
        struct bitset *nodes; /* by their places in the configuration; at least one */
        char *text;           /* the same as a list of hosts */
        uint32_t count;       /* without what base takes of it; infinite: 0 */
        bool infinite;
        size_t line, column;
};

struct resource {
        char *name;
        enum resource_mode mode;
        struct resource_layer *layers; /* as in the file */
        size_t n_layers;
        struct resource_variable {
                char *name;
                uint32_t value;
        } * variables;
        size_t n_variables;
        size_t line, column;
};

struct resources {
        struct resource *list; /* as in the file */
        size_t n;
};

/* What the file may name. */
struct resource_names {
        size_t n_nodes;
        /* A node's place, less than n_nodes; SIZE_MAX: there is none. */
        size_t (*node)(const char *name, const void *user);
        bool (*license)(const char *name, const void *user); /* slurm.conf has one of that name */
        const void *user;
};

/* name stands in messages.  *ret NULL: the text has no resource.  A failure names the line, the
   column and what was expected. */
int resources_parse(const char *name, const char *text, size_t size,
                const struct resource_names *names, struct resources **ret, struct fail *fail);
struct resources *resources_free(struct resources *r); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct resources *, resources_free)
