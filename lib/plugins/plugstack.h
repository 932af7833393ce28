/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/plugins/plugstack.h - plugstack.conf: plug-ins that take part in launches
 *
 *     required|optional PATH [ARGUMENT...]     relative PATH: in PluginDir (folders joined by ":")
 *     include GLOB                             relative to the including file's folder
 *     # comment to the end of the line
 *
 * The step daemon reads the file at each launch, as root. Therefore each file, included file and
 * plug-in must belong to root or the reading user, and nobody else may have permission to write the
 * file or a folder of its path. */
#pragma once

#include "lib/fail.h"

#include <sys/types.h>

struct plugstack_entry {
        bool required;
        char *path;  /* absolute */
        char **argv; /* NULL-terminated */
        int argc;
        char *file; /* plugstack.conf or an included file */
        unsigned line;
};

struct plugstack {
        struct plugstack_entry *list;
        size_t n, allocated;
};

/* Adds the plug-ins of an included pattern to p. */
typedef int plugstack_include_t(struct plugstack *p, const char *pattern, void *user,
                struct fail *fail);

/* Adds the plug-ins of text to p. file: name for messages; dir: PluginDir; include NULL: refuse
   includes. -EINVAL or -E2BIG with fail: "FILE line N: ...". */
int plugstack_parse(struct plugstack *p, const char *file, const char *text, size_t size,
                const char *dir, plugstack_include_t *include, void *user, struct fail *fail);
/* Adds the plug-ins of a file to p. owner: user trusted like root, or 0. -ENOENT: no such file;
   -EPERM with fail: other users can change a file. */
int plugstack_read(struct plugstack *p, const char *path, const char *dir, uid_t owner,
                struct fail *fail);
void plugstack_done(struct plugstack *p);

/* Checks that only root, the process's user and owner can change a file. -EPERM with fail: another
   user owns, or may write, the file or a folder of its path. */
int plugstack_check_file(const char *path, uid_t owner, struct fail *fail);

/* Publishes plugstack.conf, PluginDir and the filters (lib/cli_filter.h; NULL or "": none) to the
   commands of the host, as links beside the daemon's socket: commands need no slurm.conf, and one
   look-up each if nothing is published. Called by the daemon; errors are in fail. */
int plugstack_publish(const char *socket, const char *path, const char *dir, const char *filter,
                struct fail *fail);
char *plugstack_link(const char *socket);     /* link to plugstack.conf; the caller frees */
char *plugstack_dir_link(const char *socket); /* link to PluginDir; the caller frees */
/* Link whose target is the filters' text; the caller frees. */
char *cli_filter_link(const char *socket);
