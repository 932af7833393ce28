/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/files/helpers.h - helpers.conf: which features of which nodes can change, and which program
 * reports them
 *
 * NodeFeaturesPlugins=node_features/helpers (power-saving guide, "node features").  Lines
 *   NodeName=cloud[1-5] Feature=f1,f2 Helper=/bin/true     (NodeName may be left out: all nodes)
 *   MutuallyExclusive=f1,f2
 *   AllowUserBoot=root,1000         users with jobs that may have nodes rebooted
 *   ExecTime=10   BootTime=300      (seconds; the latter is not used, which is a warning) */
#pragma once

#include "lib/fail.h"
#include "lib/hostlist.h"

#include <sys/types.h>

struct helper {
        char *feature, *program;
        struct hostlist *nodes; /* NULL: all */
};

struct helpers {
        struct helper *list;
        size_t n;
        char **exclusive; /* comma lists */
        size_t n_exclusive;
        usec_t exec_time;      /* a program may take so long */
        bool boot_time;        /* BootTime stands there, which is not used */
        char *allow_user_boot; /* comma list of names and ids; NULL: all users */
};

/* name: as it stands in messages.  -EINVAL with fail: "FILE line N: ...". */
int helpers_parse(const char *name, const char *text, size_t size, struct helpers **ret,
                struct fail *fail);
/* The file; -ENOENT: there is none. */
int helpers_read(const char *path, struct helpers **ret, struct fail *fail);
struct helpers *helpers_free(struct helpers *h); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct helpers *, helpers_free)

/* May a job of this user have an idle node rebooted for a feature? */
bool helpers_allow(const struct helpers *h, const char *user, uid_t uid);
/* The helper of a node's feature; NULL: it cannot change. */
const struct helper *helpers_find(const struct helpers *h, const char *node, const char *feature,
                size_t length);
