/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/accounts/sacctmgr.h - shared by the files of sacctmgr */
#pragma once

#include "commands/command.h"
#include "commands/table.h"

struct sacctmgr {
        bool no_header, parsable, parsable2, json, immediate, quiet, with_assoc;
        const struct clusters *sites; /* clusters of cluster=; NULL: this cluster */
        size_t site;                  /* index of the cluster asked */
};

/* Prints "sacctmgr: error: ..."; returns EXIT_FAILURE. */
int sacctmgr_complain(const char *format, ...) _printf_(1, 2);
/* Returns an empty table in the style of the options. */
struct table sacctmgr_table(const struct sacctmgr *s);

/* Called before a cluster of several is asked: rows with a cluster column share a table, others
   follow a heading with the cluster's name. true: the caller must not print a heading. */
bool sacctmgr_begin(const struct sacctmgr *s, const struct table *t, bool has_column);

/* Makes a change answered by AcctReply: preview, question to the user (unless --immediate),
   commit. Returns an exit code. */
struct sacctmgr_change {
        Envelope *request;
        protobuf_c_boolean *commit; /* member of the request's body */
        const char *nothing;        /* message if there is no change... */
        int nothing_code;           /* ... and the exit code then */
        /* prints a refusal; returns an exit code */
        int (*refused)(const void *user, uint32_t code, const char *why);
        const void *user;
};
int sacctmgr_commit(const struct sacctmgr *s, const struct sacctmgr_change *c);

/* sacctmgr_file.c: argv[0] is the verb. */
int sacctmgr_dump(const struct sacctmgr *s, int argc, char **argv);
int sacctmgr_load(const struct sacctmgr *s, int argc, char **argv);
/* sacctmgr_acct.c: QOS, accounts, users, associations, the cluster. argv: words after the
   entity; entity: enum AcctEntity. */
int sacctmgr_acct_show(const struct sacctmgr *s, int entity, int argc, char **argv);
int sacctmgr_acct_change(const struct sacctmgr *s, int verb, int entity, int argc, char **argv);
/* sacctmgr_tres.c: argv as above. */
int sacctmgr_show_tres(const struct sacctmgr *s, int argc, char **argv);
