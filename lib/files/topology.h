/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/files/topology.h - topology.conf: which switch leads to which nodes
 *
 * TopologyPlugin=topology/tree.  Lines
 *   SwitchName=s1 Nodes=n[1-16] LinkSpeed=100
 *   SwitchName=top Switches=s[1-4] */
#pragma once

#include "lib/fail.h"
#include "lib/hostlist.h"

#define TOPOLOGY_NONE SIZE_MAX

struct topology_switch {
        char *name, *link_speed;   /* the latter "1" where nothing is said */
        struct hostlist *nodes;    /* all below it */
        struct hostlist *switches; /* NULL: a leaf */
        uint32_t level;            /* 0: a leaf */
        size_t parent;             /* into list, or TOPOLOGY_NONE */
        unsigned line;
};

struct topology {
        struct topology_switch *list; /* as in the file */
        size_t n;
};

/* name: as it stands in messages.  -EINVAL with fail: "FILE line N: ...". */
int topology_parse(const char *name, const char *text, size_t size, struct topology **ret,
                struct fail *fail);
int topology_read(const char *path, struct topology **ret, struct fail *fail);
struct topology *topology_free(struct topology *t); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct topology *, topology_free)
/* Of a node on that leaf: "top.s1.n7" and "switch.switch.node"; TOPOLOGY_NONE: its name and "node".
   The caller frees both. */
char *topology_address(const struct topology *t, size_t leaf, const char *node, char **ret_pattern);
