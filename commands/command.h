/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/command.h - functions shared by all user commands, which are names of one binary */
#pragma once

#include "lib/fail.h"
#include "lib/wire.h"

/* The commands' main functions: return the exit code; argv[0] is the command's name. */
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

/* Prints "squeue: error: ..." on stderr. */
void command_error(const char *program, const char *format, ...) _printf_(2, 3);
/* Returns Slurm's sentence for a refusal (enum slumber_error). A more specific text of the
   Error, if any, is printed before as a line of its own ("sbatch: error: invalid partition
   specified: nope"). */
const char *command_refusal(const char *program, uint32_t code, const char *text);
/* Prints messages of the site's submit rules on stderr, a line each; error: as errors of a
   refusal. */
void command_told(const char *program, bool error, const char *lines);
/* Prints the line of --test-only on stderr: "sbatch: Job 8 to start at ..."; cluster: name to
   show, or NULL. */
void command_estimate(const char *program, const Slumber__SubmitReply *reply, const char *cluster);
/* Must be called before connecting by commands with streams of steps: on the controller's host
   these use a slumberd, if present. All other commands use slumberctld there, whatever the state
   of that slumberd. */
void command_has_streams(void);
/* Returns the path of the socket of this host's daemon, valid until the process ends. NULL with
   fail set: the configuration cannot be read. */
const char *command_socket(struct fail *fail);
/* Connects to the daemon of this host. Waits for a restarting daemon: 10 s if the socket refuses
   (as after a kill), 1 s if the socket is missing but its folder exists. */
int command_connect(struct wire **ret, struct fail *fail);
/* Connects without waiting. */
int command_connect_now(struct wire **ret, struct fail *fail);
/* Evaluates --clusters (NULL: SLURM_CLUSTERS) of a command that works in this cluster only.
   *ret: name of this cluster, NULL if not given. Any other cluster is refused with a message on
   stderr. */
int command_cluster(const char *program, const char *list, char **ret);
/* Evaluates --clusters of a command that works in other clusters, too. Names are in order,
   without duplicates; "all" begins with this cluster. If not given: a single name NULL, this
   cluster. Clusters not in slumber.yaml are refused with a message on stderr. */
struct clusters {
        char **names;
        size_t n;
        char *own;     /* name of this cluster; NULL: --clusters not given */
        char *unknown; /* first unknown name, or NULL */
};
int command_clusters(const char *program, const char *list, struct clusters *ret);
/* Variant for commands that only show: unknown clusters are reported on stderr, and the known
   shown; refused if none is known. */
int command_clusters_to_show(const char *program, const char *list, struct clusters *ret);
/* Variant for sacct, whose accounts may have jobs of clusters no longer known: returns the known
   names without a message. */
int command_known_clusters(const char *program, const char *list, struct clusters *ret);
void command_clusters_done(struct clusters *c);
/* Calls run() for each cluster in turn, also after a failure. Returns the worst exit code. */
int command_each_cluster(const char *program, const char *list, int (*run)(void *user, size_t at),
                void *user);
/* Calls run() for all clusters at a time, in child processes if several, so that changes of
   variables by run() are lost; output comes in the order of the clusters. Returns the worst exit
   code. */
int command_at_once(const struct clusters *c, int (*run)(void *user, size_t at), void *user);
/* Called before several clusters are asked in turn: contacts all at a time, so that the
   controller knows unreachable clusters and refuses further requests to these at once. */
void command_greet(const struct clusters *c);
/* Prints "CLUSTER: NAME", after an empty line except for the first cluster; nothing if
   --clusters was not given. */
void command_cluster_heading(const struct clusters *c, size_t at);
/* New connections are for this cluster from now on. */
void command_use_cluster(const struct clusters *c, size_t at);
/* Returns this cluster's name; the caller frees. */
int command_cluster_name(struct wire *w, char **ret, struct fail *fail);
/* Fetches a batch job's script or its environment (NAME=value lines); the caller frees *ret.
   -EREMOTE: refused, *ret_code has the reason. */
int command_script(struct wire *w, Slumber__ScriptQuery *query, char **ret, size_t *ret_size,
                uint32_t *ret_code, struct fail *fail);
/* For requests answered only after a write to disk: tells the user about a long wait, as with a
   full disk. */
void command_say_when_slow(struct wire *w, const char *program);
/* Looks up a user name or uid at the controller. -ENOENT: unknown, fail is not set. ret_name may
   be NULL. */
int command_user(const char *user, uid_t *ret_uid, char **ret_name, struct fail *fail);
/* Returns command and arguments as a line for records: cut if long, control characters as \x1b;
   the caller frees. */
char *command_line_text(int argc, char *const *argv);
/* Exit code of srun and salloc after their own errors: SLURM_EXIT_ERROR, or 1. */
int command_exit_error(void);
int command_exit_immediate(void); /* after --immediate failed: SLURM_EXIT_IMMEDIATE, or 1 */
/* Runs --iterate: calls report() once, or every so many seconds until an error or until the
   output is closed. */
int command_repeat(uint32_t seconds, int (*report)(const void *user), const void *user);
bool command_env_set(const char *name); /* set and not empty */

/* Prints the time in the form of Slurm's reports, as in "Tue Dec 01 04:00:07 2026". */
void command_print_date(void);
