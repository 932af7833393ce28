/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/oci/bundle.h - config.json of a task, made from its bundle's config.json; pure */
#pragma once

#include "lib/fail.h"

#include <sys/types.h>

#define BUNDLE_CONFIG_MAX ((size_t)1024 * 1024) /* maximum size of a bundle's config.json, bytes */

struct bundle_wish {
        const char *folder;     /* the bundle's folder; base of a relative root.path */
        char *const *arguments; /* ends with NULL */
        /* NAME=value lines, end with NULL: replace the bundle's variables. */
        char *const *environment;
        const char *work_dir; /* NULL: as in the bundle */
        /* Script on the node, and its path in the container; NULL: no script. */
        const char *script, *script_there;
        const char *disable_hooks; /* names of hooks, by commas; NULL: none */
        uid_t uid; /* if not 0, a user namespace is added unless the bundle maps users */
        gid_t gid;
};

/* Makes the new config.json. text[size] must be 0. *ret: its text, *ret_root: the container's
   root folder; the caller frees both. -EINVAL with fail set: text is not a valid config.json. */
int bundle_config(const char *text, size_t size, const struct bundle_wish *wish, char **ret,
                char **ret_root, struct fail *fail);

/* Reads a container's process id from the output of RunTimeQuery:
   {"status":"created","pid":7,...}. text[size] must be 0. -EINVAL with fail set: no valid
   output. */
int container_state_pid(const char *text, size_t size, pid_t *ret, struct fail *fail);
