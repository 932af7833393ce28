/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/account_admin/acct_file.h - accounts as a file, in Slurm's form: sacctmgr dump and
 * load
 *
 *   Cluster - 'c':Fairshare=1:QOS='normal'
 *   Parent - 'root'
 *   Account - 'physics':Description='dept of physics':Organization='science':Fairshare=10
 *   Parent - 'physics'
 *   User - 'alice':DefaultAccount='physics':Fairshare=1
 *
 * Accounts and users stand below the account that the last Parent named (root).  Texts may be
 * quoted by ' or ", "#" begins a comment.  QOS are not in it. */
#pragma once

#include "controller/account_admin/acct_change.h"
#include "controller/model/cluster.h"

struct acct_line {
        unsigned number;         /* in the file */
        enum acct_entity entity; /* ENTITY_CLUSTER, ENTITY_ACCOUNT, ENTITY_USER */
        char *name, *parent;     /* parent: an account; NULL: of the cluster */
        struct acct_word *words; /* its settings; the texts are the line's own */
        size_t n;
};

struct acct_file {
        struct acct_line *lines; /* the cluster's first */
        size_t n, allocated;
};

/* -EINVAL: what is wrong in which line; ret is to be ended all the same. */
int acct_file_parse(const char *text, size_t size, struct acct_file *ret, struct fail *fail);
void acct_file_done(struct acct_file *f);

/* All of the cluster's accounts, users and associations with what they set themselves, or of that
   which is entered (acct_enter()); the caller frees. */
char *acct_dump(const struct cluster *c);

struct acct_import {
        const char *text;
        size_t size;
        /* the file is meant for that one, whatever it names; NULL: for the one that it names */
        const char *cluster;
        /* what the file does not name goes, and what it does not set is not set */
        bool clean;
        bool commit;      /* do it; else only look */
        const char *user; /* that asks */
        enum admin_level level;
};

/* Makes and changes what the file says, all of it or nothing.  *ret_text: what is (to be) done,
   line by line; the caller frees, also on failure.  0: done, or to be done.  1: there is nothing to
   do.  Else as acct_change(), with the line. */
int acct_import(struct cluster *c, const struct acct_import *import, char **ret_text,
                struct fail *fail);
