/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/state/agent.h - inside slumberd: the jobs on this node, their steps, the controller, local
   users
 *
 * What all its rooms share, and the functions of this one; the others' are in their own headers. */
#pragma once

#include "agent/common/rendezvous.h"
#include "agent/common/spool.h"
#include "agent/common/state_seen.h"
#include "agent/hardware/hardware.h"
#include "agent/peers/gate.h"
#include "agent/peers/had.h"
#include "agent/peers/route.h"
#include "cgroup/freezer.h"
#include "cgroup/memory_rules.h"
#include "cgroup/system.h"
#include "lib/config/config.h"
#include "lib/conn/conn.h"
#include "lib/errors.h"
#include "lib/log.h"
#include "lib/pidfile.h"
#include "lib/tree_rows.h"

#include <sys/queue.h>

/* longest pause between two without another setting */
#define HEARTBEAT_LAST (30 * USEC_PER_SEC)

struct agent;
struct hooks;
struct job;
struct maker;
struct launch;
struct launch_queue;
struct queued_launch;

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
        /* By what its other nodes and its srun's host name it: of a step over several components of
           a heterogeneous job by the leader's. */
        struct step_name known;
        struct cg *group;
        char *socket;           /* where its daemon listens, see rendezvous.h */
        struct conn *conn;      /* to its daemon; NULL: gone, or being looked for */
        sd_event_source *again; /* looks for the daemon again */
        uint64_t tree;          /* id of the message that it came with; 0: from the controller */
        bool launched;          /* reported to the controller, or after a restart by Register */
        bool lost;              /* its step daemon died */
        bool acknowledged;      /* the controller has the end */
        bool kept; /* the end is in the record; the daemon was released and may run another step */
        Slumber__StepEnded *ended; /* kept until acknowledged */
        /* this node's number among the step's nodes; of no nodes: its daemon has yet to say it */
        uint32_t node_rank, n_nodes;
        struct peer **peers; /* of each node: on which it was heard last, or NULL; NULL: of none */
        /* of each node, where these know this slumberd at a port that it does not have any more;
           NULL: they know the right one */
        struct addresses *elsewhere;
        uint32_t width; /* likewise: of the tree of nodes */
        /* of each node, as the controller has said when one was not reached; NULL: it has not */
        struct addresses *listening;
        usec_t listening_asked; /* CLOCK_MONOTONIC: when it was asked; 0: never */
        struct {
                uint64_t token; /* 0: they go by the controller */
                char *home;     /* where the slumberd of its srun's host listens; "": likewise */
                struct route route;       /* to that, or to the next slumberd on the way there */
                struct stream_tree *tree; /* NULL: no slumberd is between */
                sd_event_source *timer;
                bool refused_said;
                struct had signals; /* of srun */
                struct gate gate;   /* to its daemon */
        } streams;
        struct {                /* what its daemon was told: the StepdSpec, packed... */
                uint8_t *frame; /* NULL: it has said something since, or is an earlier slumberd's */
                size_t size;
                uint64_t sent;    /* ... and how many messages had gone by its line then */
                unsigned daemons; /* that were told it before this one */
        } told;
        bool unborn; /* its daemon has been asked of the spawner, and has said nothing yet */
        struct {     /* what its containers have left is deleted (clean.c) */
                struct conn *conn; /* to the step daemon that does so; NULL: none does */
                struct cg *group;
                unsigned daemons; /* that were told so before this one */
        } cleaning;
        char *maker; /* HOST:PORT of the slumberd that has made it; NULL: none other has */
        struct peer *maker_peer; /* on which that was heard last; NULL: not */
        usec_t told_at;          /* when that was told of it, CLOCK_MONOTONIC */
        struct step *next;
};

enum job_phase {
        JOB_PHASE_RUNNING,
        JOB_PHASE_THAWING, /* before SIGTERM */
        JOB_PHASE_ASKED,   /* SIGTERM sent, KillWait runs */
        JOB_PHASE_KILLED,
        JOB_PHASE_UNKILLABLE, /* reported; it may still end */
        JOB_PHASE_PROLOG,     /* nothing of it runs; its prolog is waited for */
        JOB_PHASE_EPILOG,     /* ... its epilog runs */
        JOB_PHASE_GONE,       /* reported, until the controller has acknowledged that */
};

struct job {
        struct agent *agent;
        uint32_t id, restarts;
        uid_t uid;
        struct cg *group;
        struct cg_freezer *freezer;
        uint64_t serial; /* of the last FreezeJob */
        bool freeze_asked;
        bool told; /* SIGTSTP was sent: it gets SIGCONT when it resumes */
        /* From an earlier slumberd: it is not known whether SIGTSTP was sent. */
        bool adopted;
        sd_event_source *grace;  /* after SIGTSTP, until it is frozen */
        struct reclaim *reclaim; /* pushes its memory out; NULL: none */
        enum job_phase phase;
        sd_event_source *timer; /* deadline of the phase */
        sd_event_source *finish;
        sd_event_source *again; /* retry: its group could not be read, or killed */
        bool kill_failed;
        bool over; /* it has been ended: its group goes with the last step */
        struct step *steps;
        struct queued_launch *queued; /* its script waits for a step daemon; NULL: it does not */
        struct hooks *hooks;          /* NULL: it has none here */
        /* DISPLAY and XAUTHORITY of its tasks, as its extern step says; NULL: they have none */
        struct maker *maker; /* this node makes its steps; NULL: the controller does */
        /* this node made them, but what was in its spool is lost or cannot be read */
        bool steps_unread;
        char *display, *xauthority;
        char *x11_fault; /* likewise: why its steps cannot have X11, for which it has asked; NULL */
        struct job *next;
};

struct bmc_work; /* a power operation of other nodes */

/* A command whose steps another slumberd makes, or, there, a command of another host. */
struct visit {
        struct peer *peer; /* by which they speak; NULL: it was lost */
        uint32_t job, restarts;
        uint64_t token;    /* that both show */
        char *stream_home; /* at the home: where the slumberd of the command's host listens */
        uint64_t attach;   /* at a sattach: its request, which the home has; 0: it is none */
        char *home;        /* likewise: the node that this is */
        bool certain; /* at the command: that the home is right; the controller has just said so */
        /* at the home: fires where the other end has missed something */
        sd_event_source *again;
};

struct client { /* a local user's command */
        struct agent *agent;
        uint64_t id;
        uid_t uid;
        bool asked; /* the controller has heard of it */
        bool holds; /* it has asked for an allocation, which ends without it */
        struct conn *conn;
        uint64_t *waiting; /* ids of its unanswered requests */
        size_t n_waiting, waiting_allocated;
        struct srun_streams *streams; /* of the step that it has; NULL: by the controller */
        struct attached *attached;    /* sattach's step; NULL: it is none */
        struct visit *visit;       /* its step is made elsewhere; without conn: it is elsewhere */
        struct adoption *adoption; /* a session that waits for another node; NULL: none */
        /* root's, and nothing has gone to the controller yet: only large requests are paused */
        bool unasked;
        TAILQ_ENTRY(client) next;
};

struct agent_options {
        const char *conf, *node, *conf_line, *conf_server, *instance_id, *instance_type, *extra;
        const char *key, *spool, *stepd, *socket, *log;
        bool login; /* the host is no node, see login.c */
        bool foreground, forget, boot_now, print_hardware, dynamic, print_gres;
        unsigned verbose;
        const char *future; /* -F: the feature of the FUTURE node that it is to become, "" = any;
                               NULL: it is to become none */
};

/* What rooms below agent/jobs/ ask of it. */
struct job_orders {
        void (*signal)(struct agent *a, const Slumber__SignalJob *m);       /* job_signal() */
        void (*launch)(struct agent *a, Slumber__LaunchStep *message);      /* launch_step_here() */
        bool (*launch_waits)(struct job *j, uint32_t step, uint64_t token); /* launch_waits() */
        void (*step_acknowledged)(struct step *s);
        void (*step_ended)(struct job *j); /* job_step_ended() */
};

struct agent {
        sd_event *event;
        const struct job_orders *orders;
        struct agent_options options;
        struct config *config; /* slurm.conf of this node, if there is one */
        char *node, *stepd, *socket, *spool;
        /* its name: the host's, or -N; the node's too, where slurm.conf has no other */
        char *machine;
        char *controller_host;
        uint16_t controller_port;
        struct state_seen_kept seen;
        struct bulk *bulk; /* watches how much output of steps passes (streams/bulk.h) */
        struct cluster_key *key;
        struct cg_system *cgroups;
        struct hardware *hardware;
        /* this node's part of helpers.conf, from the controller; NULL: not yet known */
        struct helpers *helpers;
        struct helpers *helpers_run; /* helpers that were run */
        char *features;              /* that the helpers have reported */
        struct asking *asking;       /* the helpers are being run; NULL: not */
        int64_t booted, started;     /* CLOCK_BOOTTIME: unaffected by changes of the wall clock */
        int64_t controller_ahead;    /* the controller's clock minus CLOCK_BOOTTIME */
        bool clock_known;            /* ... is known */
        int lock;
        struct pidfile *pidfile; /* NULL: none */
        int spawner;             /* socket to the process that forks step daemons; -1: none */
        struct stepd *stepds;    /* idle ones, the latest first */
        usec_t stepd_came;       /* CLOCK_MONOTONIC: when the last one became idle; 0: none has */
        usec_t stepd_asked;      /* likewise: when the spawner was asked for the last one */
        size_t unborn;           /* number of steps whose daemon is unborn */
        struct launch_queue *launches; /* that wait for a step daemon; NULL: not begun */

        struct conn *controller; /* NULL: disconnected */
        bool ready, welcome;     /* the TLS handshake is done; registered */
        bool configured;         /* the settings below are known */
        bool registering;        /* a registration has no answer yet */
        usec_t backoff;
        /* Refusals in a row, because another slumberd is connected as this node. */
        unsigned refused;
        uint64_t instance; /* of this process, random */
        sd_event_source *retry, *beat;
        uint8_t *credential_key;
        size_t credential_key_size;
        usec_t kill_wait, slurmd_timeout, heartbeat, unkillable_timeout, freeze_timeout,
                        suspend_grace; /* in force */
        char *cluster_name;
        char *task_prolog, *task_epilog; /* of slurm.conf; "" or NULL: none */
        char *plugstack, *plugin_dir;    /* NULL: not known yet */
        char *cli_filter;                /* lib/cli_filter.h; NULL or "": none */
        Slumber__OciConfig *oci;         /* oci.conf; NULL: there is none */
        bool plugins_begun;
        char **prolog, **epilog; /* paths and patterns */
        size_t n_prolog, n_epilog;
        usec_t prolog_timeout, epilog_timeout; /* of each of their programs; 0: none */
        bool serial_hooks, hooks_in_job;
        struct containers *containers; /* NULL: jobs have none */
        char *unkillable_program;      /* UnkillableStepProgram; "" or NULL: none */
        struct health *health;         /* NULL: nothing is known of HealthCheckProgram yet */
        bool constrain_cores, constrain_devices, signal_children;
        struct memory_rules memory;
        bool task_affinity, task_verbose; /* TaskPlugin, TaskPluginParam */
        char *task_bind, *task_autobind;  /* "" or NULL: not set */
        uint32_t units;                   /* cores, as credentials number them */
        struct cpu_map *cpus;             /* NULL: not read yet, or unknown */
        bool adopted;               /* jobs_adopt() is through: other steps of the spool are over */
        bool cpus_changed;          /* steps_put_cpus_back() is to be called again */
        bool cpus_said;             /* ... and has said why */
        struct bitset *cpus_before; /* slumberd's before it was confined; NULL: it is not */
        usec_t memory_watch;        /* interval of step daemons' checks of memory; 0: none */
        uint32_t memory_watched;    /* which memory counts, as in AgentConfig */
        Slumber__GresDevice **gres; /* its part of gres.conf, with the files that were found */
        size_t n_gres;
        struct gpus_known *gpus; /* what a vendor's library has found */
        struct veto *veto;       /* NULL until the controller has sent the settings */
        struct job *jobs;
        TAILQ_HEAD(, spare_group) spare_groups; /* the oldest first */
        size_t n_spare_groups;
        sd_event_source *spare_timer;
        struct user_groups *groups;      /* newest first */
        struct peers *peers;             /* slumberds of other nodes */
        struct guests *guests;           /* see agent/maker/guests.h; NULL: none was needed */
        struct visits *visits;           /* see agent/maker/visits.h; NULL: likewise */
        struct visitors *visitors;       /* see agent/maker/visitors.h; NULL: likewise */
        struct hops *hops;               /* its places in trees of messages */
        uint64_t tree_since;             /* rows before this one do not hold here */
        uint8_t tree_key[TREE_KEY_SIZE]; /* for tree_proof() */
#define SRUNS_HASH 256
        LIST_HEAD(sruns, srun_streams) sruns[SRUNS_HASH]; /* steps with their srun on this host */
        LIST_HEAD(, attached) attached;                   /* sattaches on this host */
        struct conn_server *relay;
        bool relay_waits; /* it takes no client before the controller is reached, or is not */
        TAILQ_HEAD(clients, client) clients; /* least recently heard first */
        uint64_t next_client;
        TAILQ_HEAD(, command) commands, commands_dead; /* see agent/users/commands.h */
        size_t n_commands_dead;
        struct bmc_work *bmc_works;

        struct {
                struct conn *conn;   /* to its reader; NULL: none */
                char *address, *mac; /* NULL: not known */
                uint64_t watts;
                bool has_watts;
        } in_band; /* the machine's own BMC */

        int swaps; /* /proc/swaps, which reports changes; -1: missing */
        sd_event_source *swaps_source;

        int wake_timer; /* a descriptor that reports jumps of the wall clock */
        sd_event_source *wake_source;
        usec_t asleep;           /* total sleep since the machine was started */
        struct sd_bus *wake_bus; /* to logind, since a sleep was requested; NULL */
        bool sleep_wanted;       /* requested by the controller */
};

/* ---- lines.c: the connection to the controller, those to step daemons ---- */
bool upstream_up(const struct agent *a); /* requests can be sent */
/* Sends env if the node is registered; the caller keeps what must not be lost. */
void upstream_send(struct agent *a, Envelope *env);
/* The write queue is full: its sources are not read until clients_go_on() and steps_go_on(). */
bool upstream_full(const struct agent *a);
/* The controller's clock; until it is known the own one. */
usec_t upstream_now(const struct agent *a);
/* The node was told to find out something first: the controller heeds nothing until it registers
   again. */
bool upstream_prepares(const struct agent *a);
void step_send(struct step *s, Envelope *env); /* to its daemon, if that is heard */

/* ---- clients.c: the commands of this host ---- */
struct client *client_find(struct agent *a, uint64_t id);    /* NULL: it has gone */
void client_refuse(struct client *c, uint64_t id, int code); /* its request, 0: none */
void client_answered(struct client *c, uint64_t id);         /* its request waits no more */
void client_to_controller(struct client *c, Envelope *env);  /* what c says, with its identity */
void clients_go_on(struct agent *a); /* requests are read again; the first are taken */

/* ---- lookup.c ---- */
struct job *job_find(struct agent *a, uint32_t id);
struct job *job_find_exactly(struct agent *a, uint32_t id, uint32_t restarts);
struct step *job_find_step(struct job *j, uint32_t step);
/* By what its other nodes and its srun's host name it. */
struct step *step_find_known(struct agent *a, uint32_t job, uint32_t restarts, uint32_t step);
bool job_terminating(const struct job *j);
void set_error(Slumber__Error *e, int code, const char *text); /* text: "" or NULL: the code's */
