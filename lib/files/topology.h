/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/files/topology.h - which switch leads to which nodes
 *
 * topology.yaml has any number of topologies, each with a name, a tree of switches or flat;
 * topology.conf (TopologyPlugin=topology/tree) is one, by the name of "default":
 *   SwitchName=s1 Nodes=n[1-16] LinkSpeed=100
 *   SwitchName=top Switches=s[1-4]
 * Topology= of a NodeName line puts a node elsewhere than these files. */
#pragma once

#include "lib/fail.h"
#include "lib/hostlist.h"

#define TOPOLOGY_NONE     SIZE_MAX
#define TOPOLOGY_SWITCHES 4096 /* a thousand leaves of 96 ports are 100,000 nodes */
#define TOPOLOGY_DEPTH    16   /* switches in a path of Topology= */
#define TOPOLOGY_BROUGHT  256  /* switches of a topology that no file has, if agents bring more */
#define TOPOLOGIES_MAX    64
#define TOPOLOGY_USUAL    "default" /* the name of topology.conf's */

struct topology_switch {
        char *name, *link_speed;   /* the latter "1" where nothing is said */
        struct hostlist *nodes;    /* all below it */
        struct hostlist *switches; /* NULL: a leaf */
        uint32_t level;            /* 0: a leaf */
        size_t parent;             /* into list, or TOPOLOGY_NONE */
        unsigned line, column;     /* of the file; column 0: topology.conf has none */
        bool both;                 /* topology.yaml names children, too: nodes count */
        bool made;                 /* by Topology= of a node, not by a file */
};

struct topology {
        char *name;
        struct topology_switch *list; /* as in the file */
        size_t n;                     /* 0: flat */
        size_t tops;                  /* switches that are below none */
        size_t index;                 /* its place among the topologies */
        unsigned line;                /* of topology.yaml; 0 */
        const char *missing;          /* "block" ...: of a kind that there is not; NULL */
        bool by_name;                 /* alpha_step_rank */
};

struct topologies {
        struct topology **list;
        size_t n;
        size_t usual; /* of partitions without Topology= */
};

/* name: as it stands in messages.  -EINVAL with fail: "FILE line N: ...". */
int topology_parse(const char *name, const char *text, size_t size, struct topology **ret,
                struct fail *fail);
int topology_read(const char *path, struct topology **ret, struct fail *fail);
struct topology *topology_free(struct topology *t); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct topology *, topology_free)
/* Of a node on that leaf: "top.s1.n7" and "switch.switch.node"; TOPOLOGY_NONE: its name and "node",
   then t may be NULL.  The caller frees both. */
char *topology_address(const struct topology *t, size_t leaf, const char *node, char **ret_pattern);

/* ---- what makes one ---- */

/* Takes what s owns.  -EEXIST, -E2BIG with fail, without a place. */
int topology_add(struct topology *t, struct topology_switch *s, struct fail *fail);
/* Parents, levels, the nodes of upper switches, when all switches are there.  file: as it stands in
   messages. */
int topology_settle(struct topology *t, const char *file, struct fail *fail);
size_t topology_find(const struct topology *t,
                const char *name); /* TOPOLOGY_NONE: no such switch */

/* ---- several of them ---- */

struct topologies *topologies_new(void);
struct topologies *topologies_free(struct topologies *t); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct topologies *, topologies_free)
void topologies_push(struct topologies *to, struct topology *t); /* takes t */
/* NULL: there is none of that name. */
const struct topology *topologies_find(const struct topologies *t, const char *name);
struct topologies *topologies_copy(const struct topologies *from);

/* topology.yaml.  -EINVAL with fail: "FILE line N column M: ...".  Kinds that there are not are
   taken as flat, with missing set. */
int topologies_parse(const char *name, const char *text, size_t size, struct topologies **ret,
                struct fail *fail);

/* The same file again, with what nodes have brought; the caller frees. */
char *topologies_text(const struct topologies *t);

struct topology_place { /* Topology= of a node */
        const char *node;
        /* "tree1:leaf,tree2:top:middle:leaf": out of all other topologies, "": out of all.  A path
           may name switches that no file has, a leaf by itself is one of a file. */
        const char *text;
};

/* A copy of from with these nodes there, and only there.  One whose place cannot be is -EINVAL with
   fail, and nothing is made; with skip it is in no topology, *ret is made all the same, and result
   and fail are those of the first such node. */
int topologies_place(const struct topologies *from, const struct topology_place *places, size_t n,
                bool skip, struct topologies **ret, struct fail *fail);

/* Before an agent's text is believed: whoever is root there may not fill a topology with switches.
   may_make: of a node that brings switches, up to TOPOLOGY_BROUGHT in a topology; else all of a
   path is there already, as all says.  -EINVAL, -EPERM or -E2BIG with fail. */
int topologies_check_brought(const struct topologies *all, const struct topology_place *p,
                bool may_make, struct fail *fail);
