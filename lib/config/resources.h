/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/config/resources.h - resources.yaml: hierarchical resources (guide hierarchical-resources)
 *
 * A list of resources, each with a name, a mode, and layers: sets of nodes with a count each.
 * MODE_3 has variables (names for counts that jobs may request) and layers forming a tree. A
 * layer's base is permanently in use, in the layer and in all layers around it. */
#pragma once

#include "lib/bitset.h"
#include "lib/fail.h"

/* A job's request is charged in one layer of its nodes (1), in all layers of its nodes (2), or for
   each of its nodes in all its layers (3). */
enum resource_mode { RESOURCE_MODE_1 = 1, RESOURCE_MODE_2, RESOURCE_MODE_3 };

#define RESOURCES_MAX       64
#define RESOURCE_LAYERS_MAX 4096 /* in all resources */
#define RESOURCE_DEPTH_MAX  16   /* nested layers around a node, MODE_3 */
#define RESOURCE_COUNT_MAX  INT32_MAX

struct resource_layer {
        struct bitset *nodes; /* indexes in the configuration; at least one node */
        char *text;           /* nodes as a host list */
        uint32_t count;       /* available count, without base; 0 if infinite */
        bool infinite;
        uint32_t line, column;
};

struct resource {
        char *name;
        enum resource_mode mode;
        struct resource_layer *layers; /* in file order */
        size_t n_layers;
        struct resource_variable {
                char *name;
                uint32_t value;
        } * variables;
        size_t n_variables;
        uint32_t line, column;
};

struct resources {
        struct resource *list; /* in file order */
        size_t n;
};

/* Names that the file may use. */
struct resource_names {
        size_t n_nodes;
        /* Returns a node's index, less than n_nodes; SIZE_MAX: unknown. */
        size_t (*node)(const char *name, const void *user);
        bool (*license)(const char *name, const void *user); /* true: slurm.conf has the license */
        const void *user;
};

/* Reads resources.yaml from memory; name for messages. *ret is NULL if the text has no resource. A
   failure names line, column and expectation. */
int resources_parse(const char *name, const char *text, size_t size,
                const struct resource_names *names, struct resources **ret, struct fail *fail);
struct resources *resources_free(struct resources *r); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct resources *, resources_free)
