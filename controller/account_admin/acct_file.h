/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/account_admin/acct_file.h - accounts as a file in Slurm's form: sacctmgr dump and load
 *
 *   Cluster - 'c':Fairshare=1:QOS='normal'
 *   Parent - 'root'
 *   Account - 'physics':Description='dept of physics':Organization='science':Fairshare=10
 *   Parent - 'physics'
 *   User - 'alice':DefaultAccount='physics':Fairshare=1
 *
 * Accounts and users are below the account named by the last Parent line, or below root.  Texts may
 * be quoted by ' or "; "#" begins a comment.  The file has no QOS. */
#pragma once

#include "controller/account_admin/acct_change.h"
#include "controller/model/cluster.h"

struct acct_line {
        unsigned number;         /* line number */
        enum acct_entity entity; /* ENTITY_CLUSTER, ENTITY_ACCOUNT, ENTITY_USER */
        char *name, *parent;     /* parent: an account; NULL for the cluster */
        struct acct_word *words; /* settings; texts are owned by the line */
        size_t n;
};

struct acct_file {
        struct acct_line *lines; /* the cluster's line first */
        size_t n, allocated;
};

/* Returns -EINVAL with fail naming the line; acct_file_done() must be called in any case. */
int acct_file_parse(const char *text, size_t size, struct acct_file *ret, struct fail *fail);
void acct_file_done(struct acct_file *f);

/* The accounts, users and associations of the cluster entered (acct_enter(), default this cluster)
   with their own settings; the caller frees the text. */
char *acct_dump(const struct cluster *c);

struct acct_import {
        const char *text;
        size_t size;
        /* Cluster to load the file for, whatever the file names; NULL: the cluster named in the
           file. */
        const char *cluster;
        /* Objects missing in the file are deleted, and settings missing in the file are unset. */
        bool clean;
        bool commit;      /* make the changes; false: preview */
        const char *user; /* the requesting user */
        enum admin_level level;
};

/* Creates and changes the objects in the file, all or none.  *ret_text: the changes, line by line;
   the caller frees, also on error.  Returns 0: changes made, or possible; 1: no changes; errors as
   acct_change(), with the line. */
int acct_import(struct cluster *c, const struct acct_import *import, char **ret_text,
                struct fail *fail);
