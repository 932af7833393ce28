/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/oci/oci_line.h - a line of oci.conf with its patterns (lib/files/oci.h) replaced; pure */
#pragma once

#include "lib/base.h"

struct oci_names {
        const char *bundle, *folder, *root, *env_file, *node, *user;
        char *const *arguments; /* NULL behind the last */
        uint32_t job, task, uid, pid;
        const char *step;
};

/* For /bin/sh: what a user has given is quoted.  The caller frees. */
char *oci_line(const char *pattern, const struct oci_names *names);
