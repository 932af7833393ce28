/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/files/helpers.h - helpers.conf: changeable features of nodes, and the programs that report
 * them
 *
 * NodeFeaturesPlugins=node_features/helpers (power-saving guide, "node features"). Lines:
 *   NodeName=cloud[1-5] Feature=f1,f2 Helper=/bin/true   without NodeName: all nodes
 *   MutuallyExclusive=f1,f2
 *   AllowUserBoot=root,1000    users whose jobs may reboot nodes
 *   ExecTime=10                seconds
 *   BootTime=300               seconds; unused, with a warning */
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
        char **exclusive; /* comma lists of features */
        size_t n_exclusive;
        usec_t exec_time;      /* maximum run time of a helper program */
        bool boot_time;        /* BootTime is set, but not used */
        char *allow_user_boot; /* comma list of names and IDs; NULL: all users */
};

/* Reads helpers.conf from memory; name for messages. -EINVAL with fail: "FILE line N: ...". */
int helpers_parse(const char *name, const char *text, size_t size, struct helpers **ret,
                struct fail *fail);
/* Reads the file; -ENOENT: no such file. */
int helpers_read(const char *path, struct helpers **ret, struct fail *fail);
struct helpers *helpers_free(struct helpers *h); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct helpers *, helpers_free)

/* True if a job of the user may reboot an idle node for a feature. */
bool helpers_allow(const struct helpers *h, const char *user, uid_t uid);
/* Returns the helper of a node's feature; NULL: the feature cannot change. */
const struct helper *helpers_find(const struct helpers *h, const char *node, const char *feature,
                size_t length);
