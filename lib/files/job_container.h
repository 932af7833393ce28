/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/files/job_container.h - job_container.conf: folders of its own for each job
 *
 * JobContainerType=job_container/tmpfs.  Lines
 *   AutoBasePath=true  BasePath=/local/%n  Dirs=/tmp,/dev/shm  InitScript=/etc/init  Shared=true
 * are for all nodes, with NodeName=n[1-5] before them for these: there they count more.  %n is the
 * node's name. */
#pragma once

#include "lib/fail.h"
#include "lib/hostlist.h"

struct job_container {          /* of one line */
        struct hostlist *nodes; /* NULL: all */
        /* NULL: not said.  base "none": jobs of these nodes have none */
        char *base, *dirs, *init_script;
        bool auto_base_said, auto_base, shared_said, shared;
};

struct job_containers {
        struct job_container *list;
        size_t n;
};

/* name: as it stands in messages.  -EINVAL with fail: "FILE line N: ...". */
int job_containers_parse(const char *name, const char *text, size_t size,
                struct job_containers **ret, struct fail *fail);
/* The file; -ENOENT: there is none. */
int job_containers_read(const char *path, struct job_containers **ret, struct fail *fail);
struct job_containers *job_containers_free(struct job_containers *c); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct job_containers *, job_containers_free)

struct node_container {
        char *base;              /* NULL: none there; the caller frees */
        const char *dirs;        /* absolute paths, by commas */
        const char *init_script; /* NULL: none */
        bool auto_base, shared;
};

/* What is in force on a node. */
struct node_container job_containers_of(const struct job_containers *c, const char *node);
