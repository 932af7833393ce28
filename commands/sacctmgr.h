/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/sacctmgr.h - what the files of sacctmgr share */
#pragma once

#include "commands/command.h"
#include "commands/table.h"

struct sacctmgr {
        bool no_header, parsable, parsable2, json, immediate, quiet, with_assoc;
};

int sacctmgr_complain(const char *format, ...) _printf_(1, 2); /* "sacctmgr: error: ..."; returns EXIT_FAILURE */
/* An empty table in the style that options ask for. */
struct table sacctmgr_table(const struct sacctmgr *s);

/* sacctmgr_acct.c: QOS, accounts, users, associations, the cluster.  argv: what stands behind the entity; entity: its
   number on the wire. */
int sacctmgr_acct_show(const struct sacctmgr *s, int entity, int argc, char **argv);
int sacctmgr_acct_change(const struct sacctmgr *s, int verb, int entity, int argc, char **argv);
/* sacctmgr_tres.c: argv as above. */
int sacctmgr_show_tres(const struct sacctmgr *s, int argc, char **argv);
