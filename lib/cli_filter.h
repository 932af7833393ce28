/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/cli_filter.h - CliFilterPlugins: a host's daemon passes the setting to commands as the target
 * of a symbolic link beside its socket */
#pragma once

#include "lib/fail.h"

enum cli_filter_kind {
        FILTER_LUA,
        FILTER_USER_DEFAULTS,
        FILTER_SYSLOG,
        FILTER_KINDS,
};

struct cli_filter {
        enum cli_filter_kind kinds[FILTER_KINDS]; /* in configured order, without duplicates */
        size_t n;
        char *cluster; /* ClusterName; "" if lua is the only filter (the link has no name then) */
        char *script;  /* cli_filter.lua; "" without lua */
};

/* Reads words as slurm.conf has them, "cli_filter/lua,user_defaults"; ignores unknown words. */
void cli_filter_words(struct cli_filter *f, const char *words);
/* Returns the target of the link; NULL: no filter. The caller frees. */
char *cli_filter_text(const struct cli_filter *f, const char *cluster, const char *script);
/* Reads the target of the link. -EINVAL: written by an earlier or later version. */
int cli_filter_parse(const char *text, struct cli_filter *ret);
void cli_filter_done(struct cli_filter *f);
