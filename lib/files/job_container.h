/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/files/job_container.h - job_container.conf: private folders of each job
 *
 * JobContainerType=job_container/tmpfs. A line
 *   AutoBasePath=true BasePath=/local/%n Dirs=/tmp,/dev/shm InitScript=/etc/init Shared=true
 * applies to all nodes, or to the nodes of a NodeName=n[1-5] before it; values for named nodes
 * override values for all nodes. %n is the node's name. */
#pragma once

#include "lib/fail.h"
#include "lib/hostlist.h"

struct job_container {          /* one line */
        struct hostlist *nodes; /* NULL: all */
        /* NULL: unset. base "none": no private folders on these nodes. */
        char *base, *dirs, *init_script;
        bool auto_base_said, auto_base, shared_said, shared;
};

struct job_containers {
        struct job_container *list;
        size_t n;
};

/* Reads the file from memory; name for messages. -EINVAL with fail: "FILE line N: ...". */
int job_containers_parse(const char *name, const char *text, size_t size,
                struct job_containers **ret, struct fail *fail);
/* Reads the file; -ENOENT: no such file. */
int job_containers_read(const char *path, struct job_containers **ret, struct fail *fail);
struct job_containers *job_containers_free(struct job_containers *c); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct job_containers *, job_containers_free)

struct node_container {
        char *base;              /* NULL: no private folders; the caller frees */
        const char *dirs;        /* absolute paths, comma list */
        const char *init_script; /* NULL: none */
        bool auto_base, shared;
};

/* Returns the settings of a node. */
struct node_container job_containers_of(const struct job_containers *c, const char *node);
