/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/agent.h - inside slumberd: the jobs on this node, their steps, the controller, local users */
#pragma once

#include "agent/hardware.h"
#include "agent/rendezvous.h"
#include "agent/spool.h"
#include "cgroup/freezer.h"
#include "cgroup/system.h"
#include "lib/config.h"
#include "lib/conn.h"
#include "lib/errors.h"
#include "lib/log.h"
#include "lib/pidfile.h"

#include <sys/queue.h>

#define HEARTBEAT_LAST (30 * USEC_PER_SEC) /* between two, unless the configuration says otherwise */

struct agent;
struct job;

struct stepd { /* a step daemon without a step */
        struct agent *agent;
        struct conn *conn; /* to it */
        char *socket;      /* where it listens */
        int fds[STEP_FDS]; /* of one that is not started yet; -1 */
        bool old;          /* idle since the heartbeat before */
        struct stepd *next;
};

struct step { /* one step of a job on this node */
        struct job *job;
        struct step_name name;
        struct cg *group;
        char *socket;      /* where its daemon listens, see rendezvous.h */
        struct conn *conn; /* to it; NULL: gone, or looked for */
        sd_event_source *again; /* looked for */
        bool launched;     /* the controller was told, or will be after a restart by Register */
        bool lost;         /* its step daemon died */
        bool acknowledged; /* the controller has the end */
        Slumber__StepEnded *ended; /* kept until then */
        struct step *next;
};

enum job_phase {
        JOB_PHASE_RUNNING,
        JOB_PHASE_THAWING, /* to be asked to end */
        JOB_PHASE_ASKED,   /* SIGTERM sent, KillWait runs */
        JOB_PHASE_KILLED,
        JOB_PHASE_UNKILLABLE, /* reported; may still end */
};

struct job {
        struct agent *agent;
        uint32_t id, restarts;
        uid_t uid;
        struct cg *group;
        struct cg_freezer *freezer;
        uint64_t serial; /* of the last FreezeJob */
        bool freeze_asked;
        bool told;              /* by SIGTSTP: it gets SIGCONT when it goes on */
        bool adopted;           /* what an earlier slumberd has told it is not known */
        sd_event_source *grace; /* after SIGTSTP, until it is frozen */
        struct reclaim *reclaim; /* its memory is being pushed out; NULL: it is not */
        enum job_phase phase;
        sd_event_source *timer; /* of the phase */
        sd_event_source *finish;
        sd_event_source *again; /* the same, a moment later: its group could not be read, or killed */
        bool kill_failed;
        struct step *steps;
        struct job *next;
};

struct bmc_work; /* a power operation of other nodes */

struct client { /* a local user's command */
        struct agent *agent;
        uint64_t id;
        uid_t uid;
        struct conn *conn;
        uint64_t *waiting; /* ids of its requests that have no answer yet */
        size_t n_waiting, waiting_allocated;
        TAILQ_ENTRY(client) next;
};

struct agent_options {
        const char *conf, *node, *conf_line, *conf_server, *instance_id, *instance_type, *extra;
        const char *key, *spool, *stepd, *socket, *log;
        bool foreground, forget, boot_now, print_hardware, dynamic, print_gres;
        unsigned verbose;
        const char *future; /* -F: the feature of the FUTURE node that it is to become, "" = any;
                               NULL: it is to become none */
};

struct agent {
        sd_event *event;
        struct agent_options options;
        struct config *config; /* slurm.conf of this node, if there is one */
        char *node, *stepd, *socket, *spool;
        char *machine; /* its name: the host's, or -N; the node's too, where slurm.conf has no other */
        char *controller_host;
        uint16_t controller_port;
        struct cluster_key *key;
        struct cg_system *cgroups;
        struct hardware hardware;
        struct helpers *helpers;     /* this node's part of helpers.conf, from the controller; NULL: not yet known */
        struct helpers *helpers_run; /* those that were run */
        char *features;              /* that they have reported */
        struct asking *asking;       /* they are being run; NULL */
        int64_t booted, started; /* CLOCK_BOOTTIME: a wall clock that is set does not move them */
        int64_t controller_ahead; /* the controller's clock minus CLOCK_BOOTTIME */
        bool clock_known;         /* ... it has said so */
        int lock;
        struct pidfile pidfile;
        int spawner; /* socket to the process that forks step daemons; -1: none */
        struct stepd *stepds; /* idle ones, the latest first */

        struct conn *controller; /* NULL: away */
        bool ready, welcome;     /* TLS is through; registered */
        usec_t backoff;
        unsigned refused;        /* in a row, because another slumberd is connected as this node */
        uint64_t instance;       /* of this process, random */
        sd_event_source *retry, *beat;
        uint8_t *credential_key;
        size_t credential_key_size;
        usec_t kill_wait, slurmd_timeout, heartbeat, unkillable_timeout,
                        freeze_timeout, suspend_grace; /* in force */
        char *cluster_name;
        char *task_prolog, *task_epilog; /* of slurm.conf; "" or NULL: none */
        bool constrain_memory, constrain_swap, constrain_cores, constrain_devices;
        uint32_t allowed_swap; /* percent of the memory of a job */
        bool task_affinity, task_verbose; /* TaskPlugin, TaskPluginParam */
        char *task_bind, *task_autobind;  /* "" or NULL: none is said */
        uint32_t units;                   /* cores, as credentials number them */
        struct cpu_map *cpus;             /* NULL: not asked for yet, or not known */
        usec_t memory_watch; /* how often step daemons look at the memory of theirs; 0: not at all */
        uint32_t memory_watched; /* what counts of it, as AgentConfig has it */
        Slumber__GresDevice **gres; /* its part of gres.conf, with the files that were found */
        size_t n_gres;
        struct gpus_known *gpus; /* what a vendor's library has found; NULL: it has not been asked */
        struct gpus_asking *gpus_asking; /* it is being asked; NULL */

        struct veto *veto; /* NULL until the controller has said what to look at */
        struct job *jobs;
        struct user_groups *groups; /* newest first */
        struct conn_server *relay;
        TAILQ_HEAD(clients, client) clients; /* the one heard longest ago first */
        uint64_t next_client;
        struct bmc_work *bmc_works;

        struct {
                struct conn *conn; /* to its reader; NULL: none */
                char *address, *mac; /* NULL: not known */
                uint64_t watts;
                bool has_watts;
        } in_band; /* the machine's own BMC */

        int swaps; /* /proc/swaps, which tells of changes; -1: it is not there */
        sd_event_source *swaps_source;

        int wake_timer;              /* a descriptor that tells of jumps of the wall clock */
        sd_event_source *wake_source;
        usec_t asleep;               /* so long in all, since the machine was started */
        struct sd_bus *wake_bus;     /* to logind, since a sleep was wanted; NULL */
        bool sleep_wanted;           /* the controller has asked for it */
};

/* ---- upstream.c: the controller ---- */
int upstream_init(struct agent *a); /* its timers, once */
void upstream_connect(struct agent *a);
void upstream_reconnect(struct agent *a); /* drops the connection and starts anew at once */
bool upstream_up(const struct agent *a);  /* requests can be sent */
/* Sends if the node is registered; what must not be lost is kept by the caller. */
void upstream_send(struct agent *a, Envelope *env);
/* More waits than it takes: nothing is read from the sources that make it grow, until relay_go_on() and steps_go_on(). */
bool upstream_full(const struct agent *a);
/* What the helpers say or what GPUs there are is known: the node registers if nothing else is asked. */
void upstream_prepared(struct agent *a);
/* A heartbeat, with what there is to say; reply_to: of the controller's question, 0 = nothing was asked. */
void upstream_beat(struct agent *a, uint64_t reply_to);
void upstream_done(struct agent *a);
usec_t upstream_now(const struct agent *a); /* the controller's clock, or ours until it has told it */

/* ---- launch.c ---- */
void launch_step(struct agent *a, const Slumber__LaunchStep *launch);
bool launch_knows_cpus(struct agent *a); /* which CPUs of the machine are the cores of slurm.conf */

/* ---- spawn.c: the process that becomes step daemons ---- */
int spawner_start(struct agent *a, struct fail *fail);
void spawner_stop(struct agent *a); /* none there: nothing */
/* A step daemon with copies of these descriptors; starts another spawner if there is none. */
int spawner_ask(struct agent *a, const int fds[STEP_FDS], struct fail *fail);

/* ---- stepds.c: step daemons without a step ---- */
/* An idle one, or one that is to be started when it has been told its step.  The caller may take conn and socket out of it. */
int stepd_get(struct agent *a, struct stepd **ret, struct fail *fail);
int stepd_start(struct stepd *d, struct fail *fail); /* an idle one: nothing */
struct stepd *stepd_free(struct stepd *d); /* with what it still has */
DEFINE_CLEANUP(struct stepd *, stepd_free)
bool stepds_wanted(const struct agent *a); /* idle ones, for later */
void stepd_idle(struct agent *a, struct conn *conn, char *socket); /* it has become so; both are taken over */
void stepds_beat(struct agent *a); /* those that have been idle since the last one go */
void stepds_done(struct agent *a);

/* ---- groups.c: the groups of users, as step daemons have looked them up ---- */
void groups_remember(struct agent *a, const Slumber__StepdHello *hello);
void groups_fill(struct agent *a, Slumber__CredentialBody *body); /* none: the step daemon looks them up */
void groups_forget(struct agent *a);

/* ---- steps.c: step daemons ---- */
/* group and socket are taken over. */
struct step *step_new(struct job *j, const struct step_name *name, struct cg *group, char *socket);
void step_free(struct step *s);
struct step *job_find_step(struct job *j, uint32_t step);
void step_take_line(struct step *s, struct conn *conn); /* to its daemon; what it says comes as events */
void step_send(struct step *s, Envelope *env);
void step_acknowledged(struct step *s);   /* may free s and its job */
void steps_resend_ended(struct agent *a); /* after each registration */
void steps_go_on(struct agent *a);        /* their output is read again */
/* Finds the steps that an earlier slumberd left, and ends what belongs to none. */
void steps_adopt(struct agent *a);

/* ---- job.c ---- */
struct job *job_find(struct agent *a, uint32_t id);
struct job *job_find_exactly(struct agent *a, uint32_t id, uint32_t restarts);
int job_get(struct agent *a, uint32_t id, uint32_t restarts, struct job **ret, struct fail *fail);
void job_put(struct job *j); /* frees it if nothing of it is left to care for */
void job_freeze(struct agent *a, const Slumber__FreezeJob *m);
/* A freeze under way is not any more: a controller that hears that the job runs may not want the freeze now. */
void job_take_back(struct job *j);
/* What an earlier slumberd has told by SIGTSTP, and not frozen, goes on: the controller says again what is to stop. */
void jobs_forget_grace(struct agent *a);
void job_terminate(struct agent *a, const Slumber__TerminateJob *m);
void job_signal(struct agent *a, const Slumber__SignalJob *m);
/* A step has ended or lost its daemon: a terminating job may be through. */
void job_step_ended(struct job *j);
bool job_terminating(const struct job *j);
struct job *job_free(struct job *j); /* forgets; processes are left alone */

/* ---- reclaim.c ---- */
void job_reclaim(struct agent *a, const Slumber__ReclaimJob *m);
void reclaim_stop(struct job *j); /* nothing more of it is pushed out, and nothing said of it; none under way: nothing */
void reclaim_answer(struct job *j); /* how far it is counts; likewise */

/* ---- gres.c ---- */
/* What the controller says of this node's generic resources; it is told how many of each there are. */
void gres_apply(struct agent *a, const Slumber__AgentConfig *config);
/* Device files of the node's resources that are not among these ("gpu:2(IDX:0-1)"); the caller frees. */
struct cg_device *devices_not_of(const struct agent *a, const char *step_gres, size_t *ret_n);
void gres_done(struct agent *a);

/* ---- gpus_known.c: AutoDetect of gres.conf ---- */
/* Has the library of "nvml" or "rsmi" asked once while slumberd runs, beside the loop and for 20 s at
   most; then upstream_prepared().  Nothing is done for "", for what is known or is being asked. */
void gpus_ask(struct agent *a, const char *how);
/* What there is to be known by "nvml" or "rsmi" is known; always true of "". */
bool gpus_asked(const struct agent *a, const char *how);
const char *gpus_way(const struct agent *a); /* how it is known: "nvml"; "": nothing is */
/* Puts the files of the GPUs that were found into a->gres; where these have files only such stay that
   were found.  For what has been asked only.  report: cores and what is wrong, which is a's. */
void gpus_find(struct agent *a, Slumber__GresReport *report);
/* slumberd -G: what each library finds, and on standard error what is wrong with it. */
void gpus_print(FILE *out);
/* slumberd -C: all that is found, as Gres= of slurm.conf has it, "" for nothing; the caller frees. */
char *gpus_gres_text(void);
void gpus_known_done(struct agent *a);

/* ---- program.c ---- */
#define PROGRAM_OUTPUT_MAX 4096
struct program;
struct program_wish {
        const char *path;
        char *argument, *variable; /* NULL: none; variable: NAME=VALUE */
        bool listen, heard, alone; /* its output is read; its complaints are in the log; what it leaves running is killed */
        int last_good;             /* up to this its exit status is no failure */
        usec_t limit;              /* then it is killed; 0: it may take for ever */
        const char *limit_name;    /* for why; static */
        /* output: so much of it; why: what is against it (NULL: it has succeeded), to be said after its name.  The program is
         * gone then. */
        void (*ended)(void *user, char *output, int status, const char *why);
        void *user;
};
/* NULL with fail: it cannot be started.  path, argument and variable are not looked at any more. */
struct program *program_start(struct agent *a, const struct program_wish *w, struct fail *fail);
struct program *program_free(struct program *p); /* one that runs is killed, and nothing is told; NULL: nothing */
/* A child whose end is heard by its socket: the loop only reaps it.  Negative errno with fail: that is not possible; pid has been
 * killed and reaped. */
int program_reap(struct agent *a, pid_t pid, struct fail *fail);

/* ---- features.c ---- */
/* What the controller says of this node's helpers. */
void features_apply(struct agent *a, const Slumber__AgentConfig *config);
/* Runs them unless they have been run, each for ExecTime at most; then upstream_prepared(): a->features is
   what they report. */
void features_run(struct agent *a, const Slumber__AgentConfig *config);
/* Into a registration; the caller frees its list with features_done_message(). */
void features_fill_message(const struct agent *a, Slumber__Register *m);
void features_done_message(Slumber__Register *m);
void features_done(struct agent *a);

/* ---- reboot.c ---- */
void agent_reboot(struct agent *a, const Slumber__RebootNode *m);

/* ---- bmc.c: power operations that the controller asks of this host ---- */
void bmc_request(struct agent *a, Envelope *env); /* the id of env names the request; env stays the caller's */
void bmc_stop(struct agent *a, uint64_t id);      /* nothing if it is not known (any more) */
void bmc_stop_all(struct agent *a);

char *agent_power_program(void); /* slumber-power's path; the caller frees */

/* ---- in_band.c: the machine's own BMC ---- */
void in_band_start(struct agent *a); /* nothing where there is no device */
void in_band_beat(struct agent *a);  /* has it read again */
void in_band_done(struct agent *a);

/* ---- swap.c ---- */
void swap_watch(struct agent *a); /* from then on: the controller hears at once when swap is switched on or off */
void swap_done(struct agent *a);

/* ---- wake.c: after the machine has slept ---- */
void wake_watch(struct agent *a); /* from then on; registers again after each sleep */
void wake_expect(struct agent *a); /* the controller wants the machine to sleep */
void wake_done(struct agent *a);

/* ---- relay.c: local users ---- */
int relay_open(struct agent *a, const char *path, struct fail *fail);
void relay_close(struct agent *a);
bool relay_deliver(struct agent *a, Envelope *env); /* true: it was for a local client */
void relay_controller_away(struct agent *a);
void relay_go_on(struct agent *a); /* requests are read again */

/* ---- pids.c: which processes belong to which job and step ---- */
void pids_answer(struct agent *a, struct conn *conn, const Envelope *env, uid_t uid);

void set_error(Slumber__Error *e, int code, const char *text);
