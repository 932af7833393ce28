/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/state/agent.h - inside slumberd: the jobs on this node, their steps, the controller, local
   users */
#pragma once

#include "agent/common/rendezvous.h"
#include "agent/common/spool.h"
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
        char *socket;              /* where its daemon listens, see rendezvous.h */
        struct conn *conn;         /* to its daemon; NULL: gone, or being looked for */
        sd_event_source *again;    /* looks for the daemon again */
        uint64_t tree;             /* id of the message that it came with; 0: from the controller */
        bool launched;             /* reported to the controller, or after a restart by Register */
        bool lost;                 /* its step daemon died */
        bool acknowledged;         /* the controller has the end */
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
        struct {                   /* what its containers have left is deleted (clean.c) */
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
        struct hooks *hooks; /* NULL: it has none here */
        /* DISPLAY and XAUTHORITY of its tasks, as its extern step says; NULL: they have none */
        struct maker *maker; /* this node makes its steps; NULL: the controller does */
        char *display, *xauthority;
        char *x11_fault; /* likewise: why its steps cannot have X11, for which it has asked; NULL */
        struct job *next;
};

struct bmc_work; /* a power operation of other nodes */

struct client { /* a local user's command */
        struct agent *agent;
        uint64_t id;
        uid_t uid;
        bool asked; /* the controller has heard of it */
        struct conn *conn;
        uint64_t *waiting; /* ids of its unanswered requests */
        size_t n_waiting, waiting_allocated;
        struct srun_streams *streams; /* of the step that it has; NULL: by the controller */
        struct attached *attached;    /* sattach's step; NULL: it is none */
        struct adoption *adoption;    /* a session that waits for another node; NULL: none */
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

/* ---- upstream.c: the controller ---- */
int upstream_init(struct agent *a); /* its timers, once */
void upstream_connect(struct agent *a);
void upstream_reconnect(struct agent *a); /* drops the connection and starts anew at once */
/* What the helpers say or what GPUs there are is known: the node registers if nothing else is
   asked. */
void upstream_prepared(struct agent *a);
/* Sends a heartbeat with all present values; reply_to: id of the controller's question, 0 =
   none. */
void upstream_beat(struct agent *a, uint64_t reply_to);
void upstream_done(struct agent *a);
/* What is for the jobs of this node, in the controller's words; tree: as for launch_step(). false:
   env is something else. */
bool upstream_job_message(struct agent *a, Envelope *env, uint64_t tree);

/* ---- login.c: slumberd --login ---- */
int login_check(const struct agent_options *o, struct fail *fail); /* what cannot go with it */
void login_register(struct agent *a);
void login_apply_config(struct agent *a, const Slumber__AgentConfig *c);
void login_beat(struct agent *a);

/* ---- launch.c ---- */
/* Takes message. tree: id of the TreeMessage that it was signed in; 0: it has its own signature. */
void launch_step(struct agent *a, Slumber__LaunchStep *message, uint64_t tree);
/* Takes message, with a credential that this slumberd has made for its own node, or one that it
   has checked: guests.c. */
void launch_step_here(struct agent *a, Slumber__LaunchStep *message);
/* That step, with that stream token, waits for j's prolog. */
bool launch_waits(struct job *j, uint32_t step, uint64_t token);
bool launch_is_guests(const struct launch *l); /* another node has made it */
/* The first of a list of launches that wait for a prolog, out of it: goes on, or, with error, is
   refused. */
void launch_go_on(struct launch **list, const char *error);
/* ... is refused for why, as the job ends; NULL: without a word. */
void launch_drop(struct launch **list, const char *why);
/* The one of this step, if it is among them, is refused: the step was cancelled. */
void launch_cancel(struct launch **list, uint32_t step);

/* ---- cpus.c: the CPUs of the machine ---- */
/* As hwloc knows them, read when they are first asked for; NULL: they are unknown. */
struct cpu_map *cpus_of(struct agent *a);
bool cpus_are_known(struct agent *a); /* which of them are the cores of slurm.conf */
/* What slumberd may use itself; a group that confines it is not left.  cpus_of() was not NULL; the
   caller frees. */
struct bitset *cpus_own(const struct agent *a);

/* ---- spec_cores.c ---- */
/* Keeps slumberd and step daemons from now on to so many MB; 0: to none. */
void spec_memory_apply(struct agent *a, uint64_t mb);
/* Keeps slumberd to cores ("3,6-7" of the node; "": to none), or off them. */
void spec_cores_apply(struct agent *a, const char *cores, bool off);
/* What it may use when it is not kept so; the caller frees. */
struct bitset *spec_cores_before(const struct agent *a);
/* The calling process, a child, has that again. */
void spec_cores_leave(const struct agent *a);

/* ---- spawn.c: the process that becomes step daemons ---- */
int spawner_start(struct agent *a, struct fail *fail);
void spawner_stop(struct agent *a); /* without one: does nothing */
/* A step daemon with copies of these descriptors; starts another spawner if there is none. */
int spawner_ask(struct agent *a, const int fds[STEP_FDS], struct fail *fail);

/* ---- stepds.c: step daemons without a step ---- */
/* So many are told a step, at most, when they end before they have read what they are told. */
#define STEPDS_FOR_STEP 3
/* Returns an idle step daemon that is alive, or one to be started with its step.  The caller may
   take its conn and socket. */
int stepd_get(struct agent *a, struct stepd **ret, struct fail *fail);
int stepd_start(struct stepd *d, struct fail *fail); /* for an idle one: does nothing */
struct stepd *stepd_free(struct stepd *d);           /* with what it still has */
DEFINE_CLEANUP(struct stepd *, stepd_free)
bool stepds_wanted(const struct agent *a); /* idle step daemons are kept for later */
void stepd_idle(struct agent *a, struct conn *conn, char *socket); /* takes ownership of both */
void stepds_beat(struct agent *a); /* ends those that have been idle since the last heartbeat */
void stepds_done(struct agent *a);

/* ---- spare_groups.c: control groups of jobs that have no step here just now ---- */
int spare_groups_init(struct agent *a);
/* j is about to be forgotten: its group is kept for its next step, or removed. */
void spare_group_put(struct job *j);
/* The caller frees; NULL: there is none. */
struct cg *spare_group_take(struct agent *a, uint32_t job, uint32_t restarts);
void spare_group_end(struct agent *a, uint32_t job, uint32_t restarts); /* the job has ended */
void spare_groups_done(struct agent *a);

/* ---- groups.c: the groups of users, as step daemons have looked them up ---- */
void groups_remember(struct agent *a, const Slumber__StepdHello *hello);
/* unknown: the step daemon looks them up. */
void groups_fill(struct agent *a, Slumber__CredentialBody *body);
void groups_forget(struct agent *a);

/* ---- steps.c: step daemons ---- */
/* Takes ownership of group and socket. */
struct step *step_new(struct job *j, const struct step_name *name, struct cg *group, char *socket);
void step_free(struct step *s);
/* conn to its daemon, which has been sent frame, the packed StepdSpec, and sends events.  Takes
   both of conn and frame. */
void step_take_line(struct step *s, struct conn *conn, uint8_t *frame, size_t size);
/* A step daemon that a plug-in holds up is killed. */
void step_end_plugin(struct step *s);
/* LaunchResult or StepEnded, to whoever makes the steps of that job. */
void step_tell(struct agent *a, Envelope *env);
void step_acknowledged(struct step *s); /* may free s and its job */
/* Each of the steps that env names tells the controller what it uses (StepStat). */
void steps_stat(struct agent *a, const Envelope *env);
/* What steps that are over have set for their CPUs, if their daemons were killed before they could
   put it back. */
void steps_put_cpus_back(struct agent *a);
void steps_resend_ended(struct agent *a); /* after each registration */
void steps_go_on(struct agent *a);        /* reads their output again */
/* ---- jobs.c: jobs as other rooms see them ---- */
void jobs_begin(struct agent *a); /* sets a->orders */
/* Adopts the jobs and steps of an earlier slumberd, and ends processes that belong to none. */
int jobs_adopt(struct agent *a, struct fail *fail);

/* ---- steps.c ---- */
void steps_adopt(struct agent *a);

/* ---- made_steps.c: the steps that this node makes for a job ---- */
/* A StepRequest of c; false: it is for the controller. */
bool made_request(struct client *c, const Envelope *env);
bool made_action(struct client *c, const Envelope *env); /* likewise, a JobAction */
/* A message for the controller; true: it was about a step that is made here. */
bool made_takes(struct agent *a, const Envelope *env);
void made_client_gone(struct client *c, bool for_good);
bool made_is_clients(
                const struct client *c); /* c waits for a step, or has one, that is made here */
void made_signal(struct job *j, const Slumber__SignalJob *m); /* before it goes to j's steps */

/* ---- made_rows.c: what is kept of them, and told the controller ---- */
/* From now on this node makes the steps of j.  Takes message. */
int maker_begin(struct job *j, Slumber__StepMaker *message, struct fail *fail);
void maker_look_again(struct job *j); /* it goes on, or ends: those that wait may begin or not */
/* Nothing of j runs any more: the controller is sent the rest, also of what a full disk does not
   take.  false: not yet, as other nodes may say how their steps have ended. */
bool maker_settle(struct job *j);
void maker_end(struct job *j);  /* ... and has it: nothing is kept */
void maker_stop(struct job *j); /* this slumberd ends, or j could not begin; the file stays */
void maker_acknowledged(struct agent *a, const Slumber__StepsReportAck *m);
void maker_welcome(struct agent *a); /* after each registration */
/* That of an earlier slumberd; a negative errno with fail: j makes no more steps. */
int maker_adopt(struct job *j, struct fail *fail);

/* ---- parts.c: the other nodes of such steps ---- */
/* A MakerMessage of a node. */
void maker_take(struct agent *a, struct peer *p, Slumber__MakerMessage *m);
void makers_lost(struct agent *a, const struct peer *p, bool quiet);
void maker_node_back(struct agent *a, const Slumber__MakerNodes *m);

/* ---- nodes.c: other slumberds ---- */
/* Listens at the node's Port=, or at another one if that cannot be had.  After jobs_adopt(): where
   steps run, other nodes know the port that the last slumberd had. */
int nodes_listen(struct agent *a, struct fail *fail);
void nodes_done(struct agent *a);

/* ---- node_messages.c: what step daemons say to each other ---- */
void node_message_send(struct step *s, Envelope *env); /* of s's step daemon */
/* s is of an earlier slumberd: its neighbours hear from here if they know that at another port. */
void node_adopted(struct step *s, const Slumber__StepdHello *hello);
void nodes_beat(struct agent *a); /* ... again, where their connection has gone */
void node_message_take(struct agent *a, struct peer *p, Envelope *env);
/* The controller's answer where the nodes of a step listen. */
void node_addresses_take(struct agent *a, const Slumber__StepAddresses *m);
/* p, by which s has reached other nodes, is gone; quiet: as nothing was under way. */
void node_message_lost(struct step *s, const struct peer *p, bool quiet);
void node_message_slow(struct step *s, const struct peer *p); /* it gives no answer yet */

/* ---- tree_messages.c: what the controller tells many nodes ---- */
void tree_begin(struct agent *a);
void tree_done(struct agent *a);
/* p: NULL, from the controller. */
void tree_take(struct agent *a, struct peer *p, Envelope *env);
void tree_answered(struct agent *a, struct peer *p, Slumber__TreeAnswer *m);
void tree_asked(struct agent *a, const Slumber__TreeAnswer *m); /* by the controller */
/* A message of the controller was carried out; orders: tree_keeps_order(). */
void tree_went_on(struct agent *a, bool orders);

/* ---- step_streams.c: the streams of steps here ---- */
void step_streams_begin(struct step *s, const Slumber__CredentialBody *body, bool adopted);
/* Where its other nodes are (LaunchStep, StepdHello): of a step with more than tree_width. */
void step_streams_nodes(struct step *s, char *const *addresses, size_t n, uint32_t tree_width);
void step_streams_done(struct step *s);
void step_streams_send(struct step *s, Envelope *env);    /* a StepIo of its daemon */
void step_streams_deliver(struct step *s, Envelope *env); /* one of srun's */
/* ... that has come from another slumberd, for this node or one below it. */
void step_streams_take(struct agent *a, struct peer *p, Envelope *env);
/* One of a node below; false: the step is not here. */
bool step_streams_pass(struct agent *a, struct peer *p, Envelope *env);
void step_streams_up(struct step *s, const struct peer *p);
void step_streams_slow(struct step *s, const struct peer *p);
void step_streams_lost(struct step *s, const struct peer *p, bool quiet);

/* ---- srun_streams.c: the streams of commands here ---- */
void srun_streams_open(struct client *c, const Slumber__StepReply *m);
void srun_streams_notice(struct client *c, const Slumber__StepNotice *m); /* for c */
void srun_streams_close(struct client *c);                                /* if it has a step */
void srun_streams_drained(struct client *c);                              /* it has read */
/* A StepIo of c; false: it goes by the controller. */
bool srun_streams_send(struct client *c, Envelope *env);
/* One of a node, that has come by p, or NULL: of this one.  false: its srun is not here. */
bool srun_streams_take(struct agent *a, struct peer *p, Envelope *env);
/* What the controller passes to c of its step's nodes; true: it was not for srun. */
bool srun_streams_hear(struct client *c, const Slumber__StepIo *io);
/* What srun is given by another way. */
void srun_streams_shown(struct client *c, const Slumber__StepIo *io);
void srun_streams_gone(struct client *c); /* srun has: sattaches hear it */
/* Of a sattach, which has come by p. */
void srun_streams_view(struct agent *a, struct peer *p, Envelope *env);
/* ... and what its srun says to it. */
void srun_streams_answer(struct client *c, Envelope *env);
void srun_streams_up(struct agent *a, const struct peer *p);
void srun_streams_slow(struct agent *a, const struct peer *p);
void srun_streams_lost(struct agent *a, const struct peer *p, bool quiet);

/* ---- answer.c ---- */
void client_answer(struct client *c, Envelope *env); /* to c, whose streams follow it */

/* ---- clean.c ---- */
/* The daemon of s was killed: false: nothing is to be deleted of its containers, or it cannot be;
   else step_tell_lost() is called when that is over. */
bool step_clean(struct step *s);
void step_clean_stop(struct step *s);
void step_tell_lost(struct step *s); /* steps.c */

/* ---- attach.c: sattaches of this host ---- */
void attach_open(struct client *c, const Slumber__AttachReply *m);
void attach_close(struct client *c); /* if it is one */
void attach_send(struct client *c, Envelope *env);
void attach_take(struct agent *a, Envelope *env); /* of srun's host */
void attach_lost(struct agent *a, const struct peer *p);

/* ---- lookup.c ---- */
struct job *job_find(struct agent *a, uint32_t id);
struct job *job_find_exactly(struct agent *a, uint32_t id, uint32_t restarts);
struct step *job_find_step(struct job *j, uint32_t step);
bool job_terminating(const struct job *j);
void set_error(Slumber__Error *e, int code, const char *text); /* text: "" or NULL: the code's */

/* ---- unkillable.c ---- */
void unkillable_run(const struct job *j);

/* ---- job.c ---- */
int job_get(struct agent *a, uint32_t id, uint32_t restarts, struct job **ret, struct fail *fail);
void job_put(struct job *j); /* frees j if nothing of it is left */
void job_freeze(struct agent *a, const Slumber__FreezeJob *m);
/* Cancels a freeze under way: the controller, which will learn that the job runs, may not want it
   any more. */
void job_take_back(struct job *j);
/* Sends SIGCONT to jobs that an earlier slumberd sent SIGTSTP and did not freeze: the controller
   repeats its requests. */
void jobs_forget_grace(struct agent *a);
void job_terminate(struct agent *a, const Slumber__TerminateJob *m);
void job_gone_acknowledged(struct agent *a, const Slumber__JobGoneAck *m);
void job_signal(struct agent *a, const Slumber__SignalJob *m);
/* A step has ended or lost its daemon: a terminating job may be over. */
void job_step_ended(struct job *j);
struct job *job_forget(struct job *j); /* forgets j; leaves its processes alone */

/* Jobs may have a prolog or epilog here; plug-ins may have a part in both. */
bool hooks_wanted(const struct agent *a, bool epilog);
/* No process is left of j and its epilog has ended. */
void job_epilog_over(struct job *j);
/* After a restart: its epilog runs, or is over; or neither, it is to be ended again. */
void job_hooks_adopted(struct job *j, bool epilog_runs, bool over);

/* ---- hooks.c: Prolog and Epilog ---- */
/* Before a step of j: 0, it may start; 1, it waits for the prolog, which runs: to be put into
   hooks_launches(). -ECANCELED: that has failed; other errors: it cannot be run. */
int hooks_before_step(struct job *j, const Slumber__LaunchStep *m,
                const Slumber__CredentialBody *body, struct fail *fail);
struct launch **hooks_launches(struct job *j);
bool hooks_prolog_runs(const struct job *j);
/* The controller ends j: launches that wait are refused; notes what the epilog is told. */
void hooks_before_end(struct job *j, const Slumber__TerminateJob *m);
/* Nothing of j runs any more; false: no epilog runs, see hooks_error(). */
bool hooks_start_epilog(struct job *j);
/* What the controller is to be told at the end of j, "": nothing; by which code: of the epilog, or
   of a prolog that no launch has told of. */
const char *hooks_error(const struct job *j, int *ret_code);
bool hooks_of_earlier_boot(const struct job *j);
void hooks_acknowledged(struct job *j); /* forgets them */
void hooks_free(struct job *j);
/* Those of an earlier slumberd.  Where one cannot be taken over, an epilog would be forgotten. */
int hooks_adopt(struct agent *a, struct fail *fail);

/* ---- reclaim.c ---- */
void job_reclaim(struct agent *a, const Slumber__ReclaimJob *m);
/* Stops pushing memory out, without a report; if none is under way does nothing. */
void reclaim_stop(struct job *j);
void reclaim_answer(struct job *j); /* stops it and reports what was reached; likewise */

/* ---- gres.c ---- */
/* Applies the controller's settings of generic resources, and reports how many of each exist. */
void gres_apply(struct agent *a, const Slumber__AgentConfig *config);
/* Device files of the node's resources except those of step_gres ("gpu:2(IDX:0-1)"); the caller
   frees. */
struct cg_device *devices_not_of(const struct agent *a, const char *step_gres, size_t *ret_n);
void gres_done(struct agent *a);

/* ---- health.c: HealthCheckProgram, UnkillableStepProgram ---- */
struct health_wish {
        const char *program; /* NULL or "": none */
        usec_t interval;     /* 0: at the start alone */
        unsigned states;     /* enum health_state bits */
        usec_t timeout;      /* then it is killed; 0: 60 s */
};
/* What slurm.conf says, at the start and later.  The first one with a program runs it at once. */
void health_configure(struct agent *a, const struct health_wish *w);
/* The controller's answer to health.c's question. */
void health_used(struct agent *a, unsigned states);
/* The check of the start runs: the node is not to be registered before it has ended, when
   upstream_connect() is called. */
bool health_first(const struct agent *a);
void health_done(struct agent *a);
/* Runs UnkillableStepProgram, if there is one, for j. */

/* ---- features.c ---- */
/* What the controller says of this node's helpers. */
void features_apply(struct agent *a, const Slumber__AgentConfig *config);
/* Runs the helpers unless they have been run, each for ExecTime at most; then upstream_prepared().
   a->features is their report. */
void features_run(struct agent *a, const Slumber__AgentConfig *config);
/* Into a registration; the caller frees its list with features_done_message(). */
void features_fill_message(const struct agent *a, Slumber__Register *m);
void features_done_message(Slumber__Register *m);
void features_done(struct agent *a);

/* ---- reboot.c ---- */
void agent_reboot(struct agent *a, const Slumber__RebootNode *m);

/* ---- bmc.c: power operations that the controller asks of this host ---- */
/* the id of env names the request; env stays the caller's */
void bmc_request(struct agent *a, Envelope *env);
void bmc_stop(struct agent *a, uint64_t id); /* does nothing for an unknown id */
void bmc_stop_all(struct agent *a);

char *agent_power_program(void); /* slumber-power's path; the caller frees */

/* ---- in_band.c: the machine's own BMC ---- */
void in_band_start(struct agent *a); /* does nothing without a device */
void in_band_beat(struct agent *a);  /* requests a new reading */
void in_band_done(struct agent *a);

/* ---- swap.c ---- */
void swap_watch(struct agent *a); /* reports it at once when swap is switched on or off */
void swap_done(struct agent *a);

/* ---- wake.c: after the machine has slept ---- */
void wake_watch(struct agent *a);  /* registers again after each sleep from now on */
void wake_expect(struct agent *a); /* the controller has requested a sleep */
void wake_done(struct agent *a);

/* ---- relay.c: local users ---- */
int relay_open(struct agent *a, const char *path, struct fail *fail);
/* ---- plugins.c: plugstack.conf ---- */
bool agent_has_plugins(const struct agent *a); /* the file is there now */
/* The settings of it are known: slurmd_init of its plug-ins, once; where a required one fails,
   slumberd ends. */
void plugins_begin(struct agent *a);
void plugins_end(struct agent *a); /* slurmd_exit; waits for that for 10 s at most */

/* Commands of this host find plugstack.conf from here on. */
void relay_publish_plugins(struct agent *a);
void relay_close(struct agent *a);
bool relay_deliver(struct agent *a, Envelope *env); /* true: it was for a local client */
void relay_controller_away(struct agent *a);

/* ---- containers.c: job_container/tmpfs ---- */
void containers_configure(struct agent *a, const Slumber__JobContainer *m); /* NULL: none */
void containers_done(struct agent *a);
/* Negative errno with fail: nothing can be launched here.  A base that was bad is looked at anew.
 */
int containers_check(struct agent *a, struct fail *fail);
/* What the step's daemon is told; m->folder is the caller's, the rest a's.  False: nothing. */
bool containers_fill(const struct agent *a, const struct step_name *name, Slumber__JobContainer *m);
/* The file of j's mount namespace; the caller frees.  NULL: jobs have none. */
char *containers_namespace(const struct job *j);
void containers_interrupt(const struct job *j); /* it is being ended: its InitScript too */
void containers_end(struct agent *a, uint32_t job, uint32_t restarts); /* no process is left */

/* ---- adopt.c: pam_slumber_adopt ---- */
void adopt_answer(struct client *c, const Envelope *env);
/* Another node asks where a connection from here comes from, or has been asked and answers. */
void adopt_origin(struct agent *a, const Slumber__Origin *m);
void adopt_forget(struct client *c); /* it has gone */

/* ---- pids.c: which processes belong to which job and step ---- */
void pids_answer(struct agent *a, struct conn *conn, const Envelope *env, uid_t uid);
