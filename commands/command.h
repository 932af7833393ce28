/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/command.h - one binary, many names: what a user command is and what all of them share */
#pragma once

#include "lib/fail.h"
#include "lib/wire.h"

/* They return the exit code; argv[0] is the command's name. */
int salloc_main(int argc, char **argv);
int sattach_main(int argc, char **argv);
int sbcast_main(int argc, char **argv);
int sbatch_main(int argc, char **argv);
int srun_main(int argc, char **argv);
int scancel_main(int argc, char **argv);
int sprio_main(int argc, char **argv);
int sshare_main(int argc, char **argv);
int squeue_main(int argc, char **argv);
int sinfo_main(int argc, char **argv);
int sacct_main(int argc, char **argv);
int sacctmgr_main(int argc, char **argv);
int sstat_main(int argc, char **argv);
int sdiag_main(int argc, char **argv);
int scontrol_main(int argc, char **argv);
int strigger_main(int argc, char **argv);

/* "squeue: error: ..." on stderr. */
void command_error(const char *program, const char *format, ...) _printf_(2, 3);
/* The words for a refusal (enum slumber_error; text as the Error has it, may be ""): Slurm's
   sentence, after a line of its own with what more there is to say ("sbatch: error: invalid
   partition specified: nope"). */
const char *command_refusal(const char *program, uint32_t code, const char *text);
/* What the site's submit rules tell the user, on stderr: a line each; error: of a refusal. */
void command_told(const char *program, bool error, const char *lines);
/* What --test-only prints, on stderr: "sbatch: Job 8 to start at ..."; cluster: in which, NULL:
   that is not said. */
void command_estimate(const char *program, const Slumber__SubmitReply *reply, const char *cluster);
/* Before anything is asked: the command has to do with streams of steps, so on the controller's
   host it asks a slumberd, where one is.  All others ask slumberctld there, whatever that slumberd
   does. */
void command_has_streams(void);
/* Where the daemon of this host listens; lives until the end of the process.  NULL with fail: the
   configuration that would say so cannot be read. */
const char *command_socket(struct fail *fail);
/* The daemon of this host.  One that is just being restarted is waited for: 10 s where its socket
   refuses, as that of a killed one does, 1 s where there is none in its folder. */
int command_connect(struct wire **ret, struct fail *fail);
/* ... is not waited for. */
int command_connect_now(struct wire **ret, struct fail *fail);
/* --clusters of a command that works in this cluster alone, or, where nothing is said (NULL),
   SLURM_CLUSTERS: *ret becomes the name of this cluster, NULL where none is meant.  Any other
   cluster is refused, in words on stderr. */
int command_cluster(const char *program, const char *list, char **ret);
/* --clusters of a command that works in others, too: their names, in order, each once; all: this
   one first.  Where nothing is said there is one, NULL: this one.  A cluster that slumber.yaml does
   not name is refused, in words on stderr. */
struct clusters {
        char **names;
        size_t n;
        char *own;     /* the name of this one; NULL: nothing was said */
        char *unknown; /* the first that is none; NULL */
};
int command_clusters(const char *program, const char *list, struct clusters *ret);
/* ... of a command that only shows: a cluster that is not there is told on stderr, and the rest is
   shown; refused where none of the list is there. */
int command_clusters_to_show(const char *program, const char *list, struct clusters *ret);
/* ... of sacct, whose accounts may have jobs of a name that no cluster has today: those that there
   are of them. */
int command_known_clusters(const char *program, const char *list, struct clusters *ret);
void command_clusters_done(struct clusters *c);
/* run() for each of them, one after the other: what asks its user. One that fails holds up no
   other: the exit code is the worst. */
int command_each_cluster(const char *program, const char *list, int (*run)(void *user, size_t at),
                void *user);
/* ... for all at once, each in a process of its own where there are several, so that nothing that
   run() remembers is kept; what they print comes in the order of the clusters. */
int command_at_once(const struct clusters *c, int (*run)(void *user, size_t at), void *user);
/* Before several are asked one after the other: asks all at once whether they are there, so that
   the controller knows of those that are away, and refuses what they are asked at once. */
void command_greet(const struct clusters *c);
/* "CLUSTER: NAME", below an empty line where another one stands above; nothing where --clusters was
   not said. */
void command_cluster_heading(const struct clusters *c, size_t at);
/* Connections that are made from now on are for that one of them. */
void command_use_cluster(const struct clusters *c, size_t at);
/* This cluster's name. */
int command_cluster_name(struct wire *w, char **ret, struct fail *fail);
/* A batch job's script or its environment (NAME=value by line), which the caller frees; -EREMOTE:
   refused, *ret_code says why. */
int command_script(struct wire *w, Slumber__ScriptQuery *query, char **ret, size_t *ret_size,
                uint32_t *ret_code, struct fail *fail);
/* For requests that are answered when they are on disk: tells the user if that takes long, as where
   the disk is full. */
void command_say_when_slow(struct wire *w, const char *program);
/* The user of that name, or of that uid where it is a number, as the controller knows them;
   -ENOENT: there is none, and fail is not set.  ret_name may be NULL. */
int command_user(const char *user, uid_t *ret_uid, char **ret_name, struct fail *fail);
/* A command and its arguments in one line for a record: the beginning of a long one, control
   characters as \x1b; the caller's. */
char *command_line_text(int argc, char *const *argv);
/* How srun and salloc end when they fail themselves: SLURM_EXIT_ERROR, or 1. */
int command_exit_error(void);
int command_exit_immediate(void); /* --immediate was in vain: SLURM_EXIT_IMMEDIATE, or 1 */
/* --iterate: report() once, or every so many seconds until it fails or its output is not read any
   more. */
int command_repeat(uint32_t seconds, int (*report)(const void *user), const void *user);
bool command_env_set(const char *name); /* in the environment and not empty */
