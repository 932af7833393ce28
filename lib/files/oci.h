/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/files/oci.h - oci.conf: how containers are run
 *
 * The lines are for /bin/sh, with these in them:
 *   %%  a percent sign              %n  name of the node
 *   %@  command and arguments       %p  process id of the task
 *   %b  folder of the bundle        %r  root folder of the container
 *   %e  file of CreateEnvFile       %s  step id
 *   %j  job id                      %t  number of the task in its step
 *   %m  folder of the task's own    %u  name of the user      %U  its number */
#pragma once

#include "lib/fail.h"

#define OCI_LETTERS     "%@bejmnprstuU"
#define OCI_MOUNT_SPOOL "/run/slurm" /* MountSpoolDir's default */

/* What a request with a container is told without the file. */
#define NO_OCI_CONF "--container: there is no oci.conf beside slurm.conf"

struct oci_config { /* NULL: not given; patterns are not expanded */
        char *run;  /* or these two, with query */
        char *create, *start;
        char *query, *kill, *delete_it;
        char *mount_spool_dir;
        char *env_exclude, *runtime_env_exclude; /* extended regular expressions, sound */
        char *disable_hooks;                     /* by commas */
        char *env_file;                          /* "newline" or "null" */
        bool ignore_config;
};

/* The file; -ENOENT: there is none.  fail names file, line and key. */
int oci_config_read(const char *path, struct oci_config **ret, struct fail *fail);
/* name: as it stands in messages. */
int oci_config_parse(const char *name, const char *text, size_t size, struct oci_config **ret,
                struct fail *fail);
struct oci_config *oci_config_free(struct oci_config *c); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct oci_config *, oci_config_free)
