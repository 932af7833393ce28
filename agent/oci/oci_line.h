/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/oci/oci_line.h - replaces the patterns (lib/files/oci.h) in a line of oci.conf; pure */
#pragma once

#include "lib/base.h"

struct oci_names {
        const char *bundle, *folder, *root, *env_file, *node, *user;
        char *const *arguments; /* ends with NULL */
        uint32_t job, task, uid, pid;
        const char *step;
};

/* Returns a command for /bin/sh, with users' texts quoted. The caller frees. */
char *oci_line(const char *pattern, const struct oci_names *names);
