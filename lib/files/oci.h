/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/files/oci.h - oci.conf: commands that run containers
 *
 * The commands are lines for /bin/sh, with replacements:
 *   %%  a percent sign                %n  node name
 *   %@  command and arguments         %p  process ID of the task
 *   %b  folder of the bundle          %r  root folder of the container
 *   %e  file of CreateEnvFile         %s  step ID
 *   %j  job ID                        %t  task's rank in the step
 *   %m  private folder of the task    %u  user name
 *                                     %U  user ID */
#pragma once

#include "lib/fail.h"

#define OCI_LETTERS     "%@bejmnprstuU"
#define OCI_MOUNT_SPOOL "/run/slurm" /* default of MountSpoolDir */

/* Error for a request with a container if the file is missing. */
#define NO_OCI_CONF "--container: there is no oci.conf beside slurm.conf"

struct oci_config { /* NULL: unset; patterns are not expanded */
        char *run;  /* run, or create and start with query */
        char *create, *start;
        char *query, *kill, *delete_it;
        char *mount_spool_dir;
        char *env_exclude, *runtime_env_exclude; /* valid extended regular expressions */
        char *disable_hooks;                     /* comma list */
        char *env_file;                          /* "newline" or "null" */
        bool ignore_config;
};

/* Reads the file; -ENOENT: no such file. fail names file, line and key. */
int oci_config_read(const char *path, struct oci_config **ret, struct fail *fail);
/* Reads the file from memory; name for messages. */
int oci_config_parse(const char *name, const char *text, size_t size, struct oci_config **ret,
                struct fail *fail);
struct oci_config *oci_config_free(struct oci_config *c); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct oci_config *, oci_config_free)
