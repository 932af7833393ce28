/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/state/agent.h - private to slumberd: the jobs on this node, their steps, the controller,
   local users

   State shared by all folders below agent/, and the functions of agent/state; functions of other
   folders are in their own headers. */
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

/* Maximum pause between heartbeats unless configured */
#define HEARTBEAT_LAST (30 * USEC_PER_SEC)

struct agent;
struct hooks;
struct job;
struct stepmgr;
struct launch;
struct launch_queue;
struct queued_launch;

/* A step daemon without a step */
struct stepd {
        struct agent *agent;
        struct conn *conn; /* connection to the daemon */
        char *socket;      /* path on which the daemon listens */
        int fds[STEP_FDS]; /* descriptors of a daemon not started yet; else -1 */
        bool old;          /* idle since the previous heartbeat */
        struct stepd *next;
};

/* A step of a job on this node */
struct step {
        struct job *job;
        struct step_name name;
        /* Name used by the step's other nodes and srun's host: for a step over several
           components of a heterogeneous job the leader's. */
        struct step_name known;
        struct cg *group;
        char *socket;           /* path on which the step daemon listens, see rendezvous.h */
        struct conn *conn;      /* connection to the step daemon; NULL: gone, or being looked for */
        sd_event_source *again; /* timer: looks for the daemon again */
        uint64_t tree; /* id of the TreeMessage with the launch; 0: directly from the controller */
        bool launched; /* reported to the controller; after a restart in Register */
        bool lost;     /* the step daemon died */
        bool acknowledged; /* the controller has the end */
        bool kept; /* the record has the end; the daemon was released and may run a new step */
        Slumber__StepEnded *ended; /* kept until acknowledged */
        /* This node's number among the step's nodes, and their number; n_nodes 0: not yet known
           from the daemon */
        uint32_t node_rank, n_nodes;
        /* Connection of the last message from each node, or NULL; peers NULL: none */
        struct peer **peers;
        /* Addresses of the nodes, if the nodes know this slumberd by an old port; else NULL */
        struct addresses *elsewhere;
        uint32_t width; /* width of the tree of nodes; known like node_rank */
        /* Present addresses of the nodes from the controller, requested when a node was
           unreachable; NULL: none */
        struct addresses *listening;
        usec_t listening_asked; /* CLOCK_MONOTONIC time of the request; 0: never */
        struct {
                uint64_t token; /* 0: the streams use the controller */
                /* Address of the slumberd on srun's host; "": the streams use the controller */
                char *home;
                struct route route;       /* route to home, or to the next slumberd on the path */
                struct stream_tree *tree; /* NULL: no slumberd in between */
                sd_event_source *timer;
                bool refused_said;
                struct arrived signals; /* signals from srun */
                struct gate gate;       /* to the step daemon */
        } streams;
        struct { /* message to the step daemon: */
                /* The packed StepdSpec; NULL: the daemon has answered, or belongs to an earlier
                   slumberd */
                uint8_t *frame;
                size_t size;
                uint64_t sent;    /* messages sent to the daemon up to then */
                unsigned daemons; /* number of earlier daemons that were told */
        } told;
        bool unborn; /* the spawner was asked for a daemon, which has not connected yet */
        struct {     /* removal of the containers' remains (clean.c): */
                struct conn *conn; /* connection to the step daemon doing so; NULL: none */
                struct cg *group;
                unsigned daemons; /* number of earlier daemons that were told */
        } cleaning;
        /* HOST:PORT of the step manager's slumberd; NULL: not made by a step manager elsewhere */
        char *stepmgr_address;
        struct peer *stepmgr_peer; /* connection of the step manager's last message; NULL: none */
        usec_t reported_at;        /* CLOCK_MONOTONIC time of the last report to the step manager */
        struct step *next;
};

enum job_phase {
        JOB_PHASE_RUNNING,
        JOB_PHASE_THAWING, /* resuming for SIGTERM */
        JOB_PHASE_ASKED,   /* SIGTERM sent, KillWait runs */
        JOB_PHASE_KILLED,
        JOB_PHASE_UNKILLABLE, /* reported to the controller; the job may still end */
        JOB_PHASE_PROLOG,     /* no process of the job, waits for the prolog */
        JOB_PHASE_EPILOG,     /* no process of the job, the epilog runs */
        JOB_PHASE_GONE,       /* reported to the controller; waits for the acknowledgement */
};

struct job {
        struct agent *agent;
        uint32_t id, restarts;
        uid_t uid;
        struct cg *group;
        struct cg_freezer *freezer;
        uint64_t serial; /* serial of the last FreezeJob */
        bool freeze_asked;
        bool told; /* SIGTSTP was sent: SIGCONT follows at the resume */
        /* The job began under an earlier slumberd: told is unknown. */
        bool adopted;
        sd_event_source *grace;  /* time between SIGTSTP and freezing */
        struct reclaim *reclaim; /* reclaims the job's memory; NULL: none */
        enum job_phase phase;
        sd_event_source *timer; /* deadline of the phase */
        sd_event_source *finish;
        sd_event_source *again; /* retry: the cgroup could not be read or killed */
        bool kill_failed;
        bool over; /* ended: the job's cgroup is removed with the last step */
        struct step *steps;
        struct queued_launch *queued; /* the script waiting for a step daemon; NULL: none */
        struct hooks *hooks;          /* NULL: none on this node */
        /* The job's step manager; NULL: not on this node */
        struct stepmgr *stepmgr;
        /* The step manager was on this node, but its journal is lost or unreadable */
        bool steps_unread;
        char *display, *xauthority; /* of the tasks, from the extern step; NULL: not set */
        /* Why steps cannot have the requested X11, from the extern step; NULL: no fault */
        char *x11_fault;
        struct job *next, **before; /* agent.jobs; before: the pointer to this job in the list */
        LIST_ENTRY(job) of_id;      /* agent.jobs_of_id */
};

struct bmc_work; /* a power operation on other nodes */

/* A command whose job has its step manager on another node; at the step manager: a client on
   another host */
struct stepmgr_proxy {
        struct peer *peer; /* connection to the other slumberd; NULL: lost */
        uint32_t job, restarts;
        uint64_t token;    /* HomeAt.token, known to both */
        char *stream_home; /* at the step manager: address of the slumberd on the command's host */
        /* At sattach: id of the request sent to the step manager; 0: not a sattach */
        uint64_t attach;
        char *stepmgr_node; /* at sattach: name of the step manager's node */
        bool confirmed;     /* at the command: the controller has just confirmed the step manager */
        /* At the step manager: fires if the command has missed a message */
        sd_event_source *lost_timer;
};

/* A local user's command */
struct client {
        struct agent *agent;
        uint64_t id;
        uid_t uid;
        bool asked; /* the controller has had a request of the client */
        bool holds; /* has requested an allocation, which ends with the client */
        struct conn *conn;
        uint64_t *waiting; /* ids of unanswered requests */
        size_t n_waiting, waiting_allocated;
        /* Packed request that waits for the next primary (clients_send_held()); NULL: none. The
           client's connection is not read meanwhile. */
        uint8_t *held;
        size_t held_size;
        uint64_t held_id;
        struct srun_streams *streams; /* streams of the client's step; NULL: by the controller */
        struct attached *attached;    /* step of a sattach; NULL: not a sattach */
        /* The step manager is elsewhere; if conn is NULL: the client is elsewhere */
        struct stepmgr_proxy *proxy;
        struct adoption *adoption; /* a session waiting for another node's answer; NULL: none */
        /* root's client without a request to the controller so far: only its large requests are
           paused */
        bool unasked;
        TAILQ_ENTRY(client) next;
};

struct agent_options {
        const char *conf, *node, *conf_line, *conf_server, *instance_id, *instance_type, *extra;
        const char *key, *spool, *stepd, *socket, *log;
        bool login; /* the host is not a node, see login.c */
        bool foreground, forget, boot_now, print_hardware, dynamic, print_gres;
        unsigned verbose;
        /* -F: feature of the FUTURE node to become, "" = any; NULL: no FUTURE node */
        const char *future;
};

/* Functions of agent/jobs for lower folders */
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
        struct config *config; /* slurm.conf of this node, or NULL */
        char *node, *stepd, *socket, *spool;
        /* The host's name or -N; also the node's name unless slurm.conf has another */
        char *machine;
        char *controller_host;
        uint16_t controller_port;
        uint64_t lease;       /* number of the last controller that accepted the registration */
        bool alone;           /* the controller has no backups, whatever slurm.conf names */
        usec_t lost_since;    /* CLOCK_MONOTONIC: end of the last registration */
        size_t controller_at; /* position of controller_host among the SlurmctldHost lines */
        struct state_seen_kept seen;
        struct bulk *bulk; /* counts the output of steps passing through (streams/bulk.h) */
        struct cluster_key *key;
        struct cg_system *cgroups;
        struct hardware *hardware;
        /* This node's part of helpers.conf, from the controller; NULL: not yet known */
        struct helpers *helpers;
        struct helpers *helpers_run; /* configuration of the last run of the helpers */
        char *features;              /* features reported by the helpers */
        struct asking *asking;       /* running helpers; NULL: none */
        int64_t booted, started;     /* CLOCK_BOOTTIME: unaffected by changes of the wall clock */
        int64_t controller_ahead;    /* the controller's clock minus CLOCK_BOOTTIME */
        bool clock_known;            /* controller_ahead is known */
        int lock;
        struct pidfile *pidfile; /* NULL: no pid file */
        int spawner;             /* socket to the process that forks step daemons; -1: none */
        struct stepd *stepds;    /* idle step daemons, latest first */
        usec_t stepd_came;       /* CLOCK_MONOTONIC time of the last new idle daemon; 0: none yet */
        usec_t stepd_asked;      /* CLOCK_MONOTONIC time of the last request to the spawner */
        size_t unborn;           /* number of steps whose daemon is unborn */
        struct launch_queue *launches; /* launches waiting for a step daemon; NULL: not begun */

        struct conn *controller; /* NULL: disconnected */
        bool ready, welcome;     /* TLS handshake done; registered */
        bool configured;         /* the settings below are known */
        bool registering;        /* a registration is unanswered */
        usec_t backoff;
        /* Refusals in a row, because another slumberd is connected as this node */
        unsigned refused;
        uint64_t instance; /* random id of this process */
        sd_event_source *retry, *beat;
        uint8_t *credential_key;
        size_t credential_key_size;
        usec_t kill_wait, slurmd_timeout, heartbeat, unkillable_timeout, freeze_timeout,
                        suspend_grace; /* present values */
        char *cluster_name;
        char *task_prolog, *task_epilog; /* slurm.conf's paths; "" or NULL: none */
        char *plugstack, *plugin_dir;    /* NULL: not known yet */
        char *cli_filter;                /* lib/cli_filter.h; NULL or "": none */
        Slumber__OciConfig *oci;         /* oci.conf; NULL: none */
        bool plugins_begun;
        char **prolog, **epilog; /* paths and patterns */
        size_t n_prolog, n_epilog;
        usec_t prolog_timeout, epilog_timeout; /* for each program; 0: no limit */
        bool serial_hooks, hooks_in_job;
        struct containers *containers; /* NULL: no job containers */
        char *unkillable_program;      /* UnkillableStepProgram; "" or NULL: none */
        struct health *health;         /* NULL: HealthCheckProgram not yet known */
        bool constrain_cores, constrain_devices, signal_children;
        struct memory_rules memory;
        bool task_affinity, task_verbose; /* TaskPlugin, TaskPluginParam */
        char *task_bind, *task_autobind;  /* "" or NULL: not set */
        uint32_t units;                   /* number of cores, as numbered in credentials */
        struct cpu_map *cpus;             /* NULL: not read yet, or unknown */
        bool adopted;      /* jobs_adopt() is done: remaining steps in the spool are over */
        bool cpus_changed; /* steps_put_cpus_back() must be called again */
        bool cpus_said;    /* steps_put_cpus_back() has logged a failure */
        struct bitset *cpus_before; /* slumberd's CPUs before its confinement; NULL: not confined */
        usec_t memory_watch;        /* interval of the step daemons' memory checks; 0: none */
        uint32_t memory_watched;    /* kind of memory that counts, as in AgentConfig */
        Slumber__GresDevice **gres; /* this node's part of gres.conf, with the files found */
        size_t n_gres;
        struct gpus_known *gpus; /* answers of vendors' GPU libraries */
        struct veto *veto;       /* NULL until the controller has sent the settings */
        struct job *jobs;        /* newest first; job_table_add() inserts */
#define JOBS_HASH 1024
        LIST_HEAD(, job) jobs_of_id[JOBS_HASH]; /* all jobs, by the last bits of their ids */
        TAILQ_HEAD(, spare_group) spare_groups; /* oldest first */
        size_t n_spare_groups;
        sd_event_source *spare_timer;
        struct user_groups *groups; /* newest first */
        struct peers *peers;        /* slumberds of other nodes */
        struct remote_steps
                        *remote_steps; /* see agent/stepmgr/remote_steps.h; NULL: not needed yet */
        /* See agent/stepmgr/stepmgr_proxy.h; NULL: not needed yet */
        struct stepmgr_addresses *stepmgr_addresses;
        struct remote_sruns
                        *remote_sruns; /* see agent/stepmgr/remote_sruns.h; NULL: not needed yet */
        struct hops *hops;             /* this node's places in trees of messages */
        uint64_t tree_since;           /* older rows are invalid here */
        uint8_t tree_key[TREE_KEY_SIZE]; /* for tree_proof() */
#define SRUNS_HASH 256
        LIST_HEAD(sruns, srun_streams) sruns[SRUNS_HASH]; /* steps with srun on this host */
        LIST_HEAD(, attached) attached;                   /* sattaches on this host */
        struct conn_server *relay;
        bool relay_waits; /* no client is accepted until the controller was reached or has failed */
        TAILQ_HEAD(clients, client) clients; /* least recently heard first */
        uint64_t next_client;
        TAILQ_HEAD(, command) commands, commands_dead; /* see agent/users/commands.h */
        size_t n_commands_dead;
        struct bmc_work *bmc_works;

        struct {
                struct conn *conn;   /* connection to the BMC reader; NULL: none */
                char *address, *mac; /* NULL: unknown */
                uint64_t watts;
                bool has_watts;
        } in_band; /* the machine's own BMC */

        int swaps; /* /proc/swaps, which reports changes; -1: missing */
        sd_event_source *swaps_source;

        int wake_timer; /* timerfd that reports jumps of the wall clock */
        sd_event_source *wake_source;
        usec_t asleep;           /* total time asleep since the boot */
        struct sd_bus *wake_bus; /* connection to logind, after a request for sleep; NULL: none */
        bool sleep_wanted;       /* requested by the controller */
};

/* ---- lines.c: sending to the controller and to step daemons ---- */
bool upstream_up(const struct agent *a); /* requests can be sent */
/* Returns whether there are controllers that may become primary in place of the present one. */
bool upstream_has_several(const struct agent *a);
/* Returns whether another controller may become primary soon: requests are held meanwhile. */
bool upstream_may_return(const struct agent *a);
/* Sends env to the controller if connected; otherwise env is lost unless the caller repeats. */
void upstream_send(struct agent *a, Envelope *env);
/* The write queue is full: its sources are not read until clients_go_on() and steps_go_on(). */
bool upstream_full(const struct agent *a);
/* Returns the controller's clock; this host's clock until the controller's is known. */
usec_t upstream_now(const struct agent *a);
/* The node finds out features or GPUs before its registration: the controller ignores messages
   until the node registers again. */
bool upstream_prepares(const struct agent *a);
void step_send(struct step *s, Envelope *env); /* sends to the step daemon, if connected */

/* ---- clients.c: commands of this host ---- */
struct client *client_find(struct agent *a, uint64_t id); /* NULL: gone */
/* Sends an error; id: the request, 0: none */
void client_refuse(struct client *c, uint64_t id, int code);
void client_answered(struct client *c, uint64_t id);        /* the request is no longer waiting */
void client_to_controller(struct client *c, Envelope *env); /* forwards with c's identity */
void clients_go_on(struct agent *a); /* reads requests again, and accepts the first clients */
/* Sends the held requests to the primary, or refuses them if there is none. */
void clients_send_held(struct agent *a);

/* ---- lookup.c ---- */
/* Insert a job with a set id into the jobs of a, and remove a job; the caller owns the job. */
void job_table_add(struct agent *a, struct job *j);
void job_table_remove(struct job *j);
struct job *job_find(struct agent *a, uint32_t id);
struct job *job_find_exactly(struct agent *a, uint32_t id, uint32_t restarts);
struct step *job_find_step(struct job *j, uint32_t step);
/* Finds a step by step.known. */
struct step *step_find_known(struct agent *a, uint32_t job, uint32_t restarts, uint32_t step);
bool job_terminating(const struct job *j);
/* text: "" or NULL: the standard text of code */
void set_error(Slumber__Error *e, int code, const char *text);
