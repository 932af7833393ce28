/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/files/topology.h - topologies: trees of switches leading to nodes
 *
 * topology.yaml has any number of named topologies, each a tree of switches or flat. topology.conf
 * (TopologyPlugin=topology/tree) has one, called "default":
 *   SwitchName=s1 Nodes=n[1-16] LinkSpeed=100
 *   SwitchName=top Switches=s[1-4]
 * Topology= of a NodeName line overrides the files for its node. */
#pragma once

#include "lib/fail.h"
#include "lib/hostlist.h"

#define TOPOLOGY_NONE     SIZE_MAX
#define TOPOLOGY_SWITCHES 4096 /* a thousand leaves of 96 ports are 100,000 nodes */
#define TOPOLOGY_DEPTH    16   /* switches in a path of Topology= */
#define TOPOLOGY_BROUGHT  256  /* switches of a topology that slumberds may add by Topology= */
#define TOPOLOGIES_MAX    64
#define TOPOLOGY_USUAL    "default" /* name of topology.conf's topology */

struct topology_switch {
        char *name, *link_speed;   /* link_speed: "1" if unset */
        struct hostlist *nodes;    /* all nodes below */
        struct hostlist *switches; /* NULL: a leaf */
        uint32_t level;            /* 0: a leaf */
        size_t parent;             /* index in list, or TOPOLOGY_NONE */
        unsigned line, column;     /* position in the file; column 0: topology.conf */
        bool both;                 /* topology.yaml has nodes and children: nodes are used */
        bool made;                 /* created by a node's Topology=, absent from files */
};

struct topology {
        char *name;
        struct topology_switch *list; /* in file order */
        size_t n;                     /* 0: flat */
        size_t tops;                  /* number of switches without parent */
        size_t index;                 /* index among the topologies */
        unsigned line;                /* in topology.yaml; 0: topology.conf */
        const char *missing;          /* unsupported kind, "block" and others; NULL: supported */
        bool by_name;                 /* alpha_step_rank is set */
};

struct topologies {
        struct topology **list;
        size_t n;
        size_t usual; /* index of the topology of partitions without Topology= */
};

/* Reads topology.conf from memory; name for messages. -EINVAL with fail: "FILE line N: ...". */
int topology_parse(const char *name, const char *text, size_t size, struct topology **ret,
                struct fail *fail);
int topology_read(const char *path, struct topology **ret, struct fail *fail);
struct topology *topology_free(struct topology *t); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct topology *, topology_free)
/* Returns the address of a node on a leaf, "top.s1.n7", and the pattern "switch.switch.node". leaf
   TOPOLOGY_NONE: the node's name and "node"; t may be NULL then. The caller frees both. */
char *topology_address(const struct topology *t, size_t leaf, const char *node, char **ret_pattern);

/* ---- construction ---- */

/* Adds a switch, taking ownership of its contents. -EEXIST, -E2BIG with fail, which does not name
   the line. */
int topology_add(struct topology *t, struct topology_switch *s, struct fail *fail);
/* Computes parents, levels and the nodes of upper switches after all switches were added. file:
   name for messages. */
int topology_settle(struct topology *t, const char *file, struct fail *fail);
size_t topology_find(const struct topology *t,
                const char *name); /* TOPOLOGY_NONE: no such switch */

/* ---- several topologies ---- */

struct topologies *topologies_new(void);
struct topologies *topologies_free(struct topologies *t); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct topologies *, topologies_free)
void topologies_push(struct topologies *to, struct topology *t); /* takes ownership of t */
/* Returns the topology; NULL: no such name. */
const struct topology *topologies_find(const struct topologies *t, const char *name);

/* Reads topology.yaml. -EINVAL with fail: "FILE line N column M: ...". Unsupported kinds are flat,
   with missing set. */
int topologies_parse(const char *name, const char *text, size_t size, struct topologies **ret,
                struct fail *fail);

/* Returns the text of topology.yaml, with nodes' places included; the caller frees. */
char *topologies_text(const struct topologies *t);

struct topology_place { /* Topology= of a node */
        const char *node;
        /* "tree1:leaf,tree2:top:middle:leaf": in these topologies only; "": in none. A path may
           have switches absent from files; a leaf without a path must be in a file. */
        const char *text;
};

/* Copies from, moving nodes to their places. An invalid place is -EINVAL with fail and no result;
   with skip its node is in no topology, *ret is made, and the result and fail describe the first
   such node. */
int topologies_place(const struct topologies *from, const struct topology_place *places, size_t n,
                bool skip, struct topologies **ret, struct fail *fail);

/* Checks the place sent by a slumberd before use: root on a node must not be able to fill a
   topology with switches. may_make: the node may add switches, up to TOPOLOGY_BROUGHT per topology;
   otherwise the whole path must exist in all. -EINVAL, -EPERM or -E2BIG with fail. */
int topologies_check_brought(const struct topologies *all, const struct topology_place *p,
                bool may_make, struct fail *fail);
