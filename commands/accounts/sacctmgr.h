/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/accounts/sacctmgr.h - what the files of sacctmgr share */
#pragma once

#include "commands/command.h"
#include "commands/table.h"

struct sacctmgr {
        bool no_header, parsable, parsable2, json, immediate, quiet, with_assoc;
        const struct clusters *sites; /* of cluster=; NULL: this one */
        size_t site;                  /* the one of them that is asked */
};

/* "sacctmgr: error: ..."; returns EXIT_FAILURE */
int sacctmgr_complain(const char *format, ...) _printf_(1, 2);
/* An empty table in the style that options ask for. */
struct table sacctmgr_table(const struct sacctmgr *s);

/* Before one of several clusters is asked: rows that have its name in a column of theirs stand in
   one table, others below its head.  true: nothing is to be said above the rows any more. */
bool sacctmgr_begin(const struct sacctmgr *s, const struct table *t, bool has_column);

/* A request that is answered by AcctReply: told, asked for (unless --immediate), done. Returns an
   exit code. */
struct sacctmgr_change {
        Envelope *request;
        protobuf_c_boolean *commit; /* of its body */
        const char *nothing;        /* printed when there is nothing to do... */
        int nothing_code;           /* ... and the exit code then */
        /* says it; returns an exit code */
        int (*refused)(const void *user, uint32_t code, const char *why);
        const void *user;
};
int sacctmgr_commit(const struct sacctmgr *s, const struct sacctmgr_change *c);

/* sacctmgr_file.c: argv[0] is the verb. */
int sacctmgr_dump(const struct sacctmgr *s, int argc, char **argv);
int sacctmgr_load(const struct sacctmgr *s, int argc, char **argv);
/* sacctmgr_acct.c: QOS, accounts, users, associations, the cluster.  argv: what stands behind the
   entity; entity: its number on the wire. */
int sacctmgr_acct_show(const struct sacctmgr *s, int entity, int argc, char **argv);
int sacctmgr_acct_change(const struct sacctmgr *s, int verb, int entity, int argc, char **argv);
/* sacctmgr_tres.c: argv as above. */
int sacctmgr_show_tres(const struct sacctmgr *s, int argc, char **argv);
