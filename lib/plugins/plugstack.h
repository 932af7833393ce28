/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/plugins/plugstack.h - plugstack.conf: which plug-ins are part of a launch
 *
 *     required|optional PATH [ARGUMENT...]     a relative PATH is in PluginDir, folders by ":"
 *     include GLOB                             relative to the folder of the file that says it
 *     # to the end of the line
 *
 * It is read at each launch, by the step daemon as root.  So each file that it is made of, and each
 * plug-in, belongs to root or to the user that reads it, and nobody else may write it or a folder
 * on its way. */
#pragma once

#include "lib/fail.h"

#include <sys/types.h>

struct plugstack_entry {
        bool required;
        char *path;  /* absolute */
        char **argv; /* NULL behind the last */
        int argc;
        char *file; /* where it stands */
        unsigned line;
};

struct plugstack {
        struct plugstack_entry *list;
        size_t n, allocated;
};

/* Takes the plug-ins of an included pattern into p. */
typedef int plugstack_include_t(struct plugstack *p, const char *pattern, void *user,
                struct fail *fail);

/* Adds what text says to p.  file: as it stands in messages; dir: PluginDir; include: NULL refuses
   it.  -EINVAL or -E2BIG with fail: "FILE line N: ...". */
int plugstack_parse(struct plugstack *p, const char *file, const char *text, size_t size,
                const char *dir, plugstack_include_t *include, void *user, struct fail *fail);
/* Adds the file's.  owner: a user that is trusted like root, or 0.  -ENOENT: there is none;
   -EPERM: others could change it; fail says so. */
int plugstack_read(struct plugstack *p, const char *path, const char *dir, uid_t owner,
                struct fail *fail);
void plugstack_done(struct plugstack *p);

/* May what is in this file be trusted?  -EPERM with fail: it or a folder on its way belongs to, or
   may be written by, a user other than root, this process's and owner. */
int plugstack_check_file(const char *path, uid_t owner, struct fail *fail);

/* Where the commands of a host find it, and their filters (lib/cli_filter.h; NULL or "": there are
   none): links beside the daemon's socket, so that they need neither slurm.conf nor more than one
   look each when there are none.  They are made by the daemon; what fails is said in fail. */
int plugstack_publish(const char *socket, const char *path, const char *dir, const char *filter,
                struct fail *fail);
char *plugstack_link(const char *socket);     /* to plugstack.conf; the caller frees */
char *plugstack_dir_link(const char *socket); /* to PluginDir */
char *cli_filter_link(const char *socket);    /* what it points to is a text */
