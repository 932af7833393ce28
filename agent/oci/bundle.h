/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/oci/bundle.h - config.json of one task, made of its bundle's; pure */
#pragma once

#include "lib/fail.h"

#include <sys/types.h>

#define BUNDLE_CONFIG_MAX ((size_t)1024 * 1024) /* bytes of a bundle's config.json */

struct bundle_wish {
        const char *folder;     /* of the bundle: where root.path counts from */
        char *const *arguments; /* NULL behind the last */
        /* NAME=value, NULL behind the last: put over the bundle's own */
        char *const *environment;
        const char *work_dir; /* NULL: the bundle's */
        /* files of the node that are to be read in the container; NULL: none */
        const char *script, *script_there;
        const char *disable_hooks; /* by commas; NULL: none */
        uid_t uid;                 /* 0: without a user namespace of its own, if it names none */
        gid_t gid;
};

/* text has a zero byte behind size.  *ret: the text of the new one, *ret_root: the container's root
   folder; the caller frees both. -EINVAL with fail: text is not a config.json. */
int bundle_config(const char *text, size_t size, const struct bundle_wish *wish, char **ret,
                char **ret_root, struct fail *fail);

/* The process of a container, as RunTimeQuery prints it: {"status":"created","pid":7,...}. -EINVAL
   with fail: text (a zero byte behind size) is something else. */
int container_state_pid(const char *text, size_t size, pid_t *ret, struct fail *fail);
