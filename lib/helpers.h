/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/helpers.h - helpers.conf: which features of which nodes can change, and who reports them
 *
 * NodeFeaturesPlugins=node_features/helpers (power-saving guide, "node features").  Lines
 *   NodeName=cloud[1-5] Feature=f1,f2 Helper=/bin/true     (NodeName may be left out: all nodes)
 *   MutuallyExclusive=f1,f2
 *   ExecTime=10   BootTime=300   AllowUserBoot=root        (seconds; the last two are not used) */
#pragma once

#include "lib/fail.h"
#include "lib/hostlist.h"

struct helper {
        char *feature, *program;
        struct hostlist *nodes; /* NULL: all */
};

struct helpers {
        struct helper *list;
        size_t n;
        char **exclusive; /* comma lists */
        size_t n_exclusive;
        usec_t exec_time; /* a program may take so long */
};

/* name: as it stands in messages.  -EINVAL with fail: "FILE line N: ...". */
int helpers_parse(const char *name, const char *text, size_t size, struct helpers **ret, struct fail *fail);
/* The file; -ENOENT: there is none. */
int helpers_read(const char *path, struct helpers **ret, struct fail *fail);
struct helpers *helpers_free(struct helpers *h); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct helpers *, helpers_free)

/* The helper of a node's feature; NULL: it cannot change. */
const struct helper *helpers_find(const struct helpers *h, const char *node, const char *feature, size_t length);
