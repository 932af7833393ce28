/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/cli_filter.h - CliFilterPlugins, as the daemon of a host tells its commands: the target of a
 * link beside its socket */
#pragma once

#include "lib/fail.h"

enum cli_filter_kind {
        FILTER_LUA,
        FILTER_USER_DEFAULTS,
        FILTER_SYSLOG,
        FILTER_KINDS,
};

struct cli_filter {
        enum cli_filter_kind kinds[FILTER_KINDS]; /* in their order, each once */
        size_t n;
        char *cluster; /* ClusterName; "": not told, as lua is all */
        char *script;  /* cli_filter.lua; "": without lua */
};

/* words: "cli_filter/lua,user_defaults", as slurm.conf has it; others are passed over. */
void cli_filter_words(struct cli_filter *f, const char *words);
/* What the link says; NULL: there is no filter.  The caller frees. */
char *cli_filter_text(const struct cli_filter *f, const char *cluster, const char *script);
/* What it has said.  -EINVAL: an earlier or later version has. */
int cli_filter_parse(const char *text, struct cli_filter *ret);
void cli_filter_done(struct cli_filter *f);
