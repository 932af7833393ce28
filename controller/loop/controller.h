/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/loop/controller.h - the daemon around core: what its files share
 *
 * One thread, one sd_event.  A message changes the cluster and leaves its reply in the outbox; at the end of the turn
 * what follows is decided (turn.h), what changed is handed to the store as one batch, and when that batch is
 * durable, replies and effects leave (docs/architecture.md, rules 1 to 3). */
#pragma once

#include "controller/model/cluster.h"
#include "controller/orders/viewer.h"
#include "controller/loop/memory.h"
#include "controller/requests/users.h"
#include "controller/store/store.h"
#include "lib/conn.h"
#include "lib/credential.h"
#include "lib/errors.h"

struct controller;

/* Somebody connected: a user's command on this host, or the agent of a node, which also relays its users. */
struct peer {
        struct controller *ctl;
        struct conn *conn; /* NULL: gone, only references remain */
        unsigned refs;
        bool local;         /* Unix socket: uid, gid, pid are the caller's */
        uid_t uid;
        gid_t gid;
        pid_t pid;
        struct node *node;  /* agent: registered as */
        usec_t heard, told; /* CLOCK_MONOTONIC: the last message, our last heartbeat */
        usec_t silent;      /* it was dropped because nothing had come for so long; else 0 */
        uint64_t question;  /* the last that core has asked (FX_PROBE) */
        uint64_t instance;  /* of the agent's process; 0: it has not said */
        usec_t registered;  /* CLOCK_BOOTTIME: it took the node's place */
        bool admitted;      /* ... or may take that of another connection (rival.c) */
        bool bmc_silent;    /* who asked it for power has given up (bmc_requests.c) */
        size_t at;          /* in peers[] */
        size_t n_waiting;   /* messages for it in the outbox */
};

/* Where an answer goes: kept by whoever answers later. */
struct address {
        struct peer *peer; /* a reference */
        uint64_t client;   /* of a relaying agent */
        uint64_t id;       /* of the request */
};

struct caller {
        struct address from;
        uid_t uid;
        gid_t gid;
        pid_t pid;
        const char *host;
        bool super;              /* root, SlurmUser, AdminLevel Administrator */
        bool operator;           /* ... or Operator: any job, reservations */
        unsigned hidden;         /* enum private_data that binds this request; 0: it sees all.  Ask viewer_of(). */
        const struct acct *acct; /* who is coordinator, if somebody is; NULL */
        const struct user *user; /* of requests that need it; borrowed */
};

/* Who wants to hear of a job. */
enum watch_kind {
        WATCH_HOLDER, /* srun, salloc: the job lives as long as this connection */
        WATCH_END,    /* sbatch --wait */
        WATCH_READY,  /* scontrol wait_job */
};
struct watch {
        enum watch_kind kind;
        uint32_t job;
        struct address to;
};

/* A step of srun's, from its request to its end. */
struct run {
        uint32_t job, step;
        struct address to;
        Slumber__StepSpec *spec;
        uid_t uid;
        bool immediate;     /* what cannot start now is refused */
        char *launcher;     /* numeric address of the node where its command runs; NULL: this host */
        bool started;       /* it has an id and was sent to its nodes */
        uint32_t *cpus;     /* per position in job->alloc, what it takes of that node */
        size_t n_nodes;
        uint32_t *count;    /* tasks on each of its own nodes */
        size_t n_launches;  /* those */
        uint32_t worst;     /* wait status so far */
        struct bitset *told; /* ranks whose end the command has heard of */
        bool over;           /* told its end, kept until the command has gone: it may not have heard */
        bool abandoned;      /* nobody is to come back for it */
        bool texts;          /* spec is whole: a node that misses it can be sent it */
        struct bitset *missing; /* places in job->alloc that want the launch again */
        Slumber__StepEnded **ends; /* told by agents while its command is cut off; by place, NULL = not */
        size_t size;         /* of spec, packed, until it is sent */
        struct controller *ctl;
        sd_event_source *silence; /* it was told to end: until when its agents must have answered; NULL */
};

struct reading;
struct parked; /* a request whose user is being looked up */
struct outcomes;
struct gather;
struct suspend_run;
struct planning; /* of power saving */
struct operations; /* on nodes' power */
struct outgoing; /* a reply or effects that wait for their batch */

/* What the loop leaves to the rooms above it. */
struct controller_ops {
        void (*before_message)(struct controller *ctl);
        void (*message)(struct peer *p, Envelope *env);
        void (*closed)(struct controller *ctl, struct peer *p); /* p's connection has ended */
        /* A command has gone; all: every one that spoke through p. */
        void (*client_gone)(struct controller *ctl, struct peer *p, uint64_t client, bool all);
        void (*carry_out)(struct controller *ctl, const struct effect *fx);
        void (*clock_set)(struct controller *ctl, int64_t by); /* us; core's points in time have moved already */
};

struct controller {
        const struct controller_ops *ops;
        sd_event *event;
        struct cluster *cluster;
        struct store *store;
        int accounts_failed;           /* the disk does not take their rows: a negative errno; 0: it does */
        struct accounting *accounting; /* NULL: nothing is kept (AccountingStorageType) */
        struct job_rows *job_rows;     /* on their way there; NULL likewise */
        struct credential_key *signing_key;
        struct cluster_key *cluster_key;
        struct conn_server *unix_server, *tls_server;
        sd_event_source *timer, *defer, *heartbeat;
        usec_t beats_at, runs_by; /* CLOCK_BOOTTIME: when heartbeats are looked at; when the loop runs again at the latest */
        char *conf_path, *host;
        int64_t clock_offset; /* CLOCK_REALTIME minus CLOCK_BOOTTIME, as core knows it */
        char boot_id[64];     /* of this machine; "": not known */
        usec_t changed_since;   /* CLOCK_MONOTONIC of the first change of this turn, 0 = none */
        usec_t boot_time;       /* CLOCK_REALTIME of its start */
        gid_t slurm_gid;        /* of the programs that run as SlurmUser */
        bool started;           /* from here on what changes is kept */
        uint32_t saved_next_id;
        uint64_t last_batch;    /* that was given to the store */
        usec_t unwritten_since; /* CLOCK_BOOTTIME: a batch has not been written since; 0: all have */
        int store_failed;       /* the disk does not take what we write: a negative errno; 0: it does */
        bool stopping;
        struct memory memory; /* what of it has been given back */
        sd_event_source *patience; /* with programs that run still, when it was asked to stop; NULL: it was not */
        bool run_again;            /* programs that could not be run: a timer is set */
        int usual_log_level;    /* that scontrol setdebug has replaced; 0 = it has not */
        struct address *reconfigure; /* who waits for it */
        size_t n_reconfigure, a_reconfigure;
        bool reconfigure_wanted; /* by one that the reading of now does not serve */
        struct reading *reading; /* of the configuration, for a reconfiguration; NULL: none is under way */
        struct node_change *node_changes; /* nodes that are to come or go (dynamic.c) */
        size_t n_node_changes, a_node_changes;
        bool dynamic_changed; /* ... have, and the store has them otherwise */

        struct peer **peers;
        size_t n_peers, a_peers;
        size_t n_local; /* of them: of this host's users */
        size_t requests_seen; /* of theirs */
        struct peer **agents; /* per node index, NULL = not connected */
        struct rival **rivals; /* registrations that wait for the word of who is connected */
        size_t n_rivals, a_rivals;
        uint64_t last_question; /* to an agent, see agent_ask() */
        struct watch *watches;
        size_t n_watches, a_watches;
        struct run **runs;
        size_t n_runs, a_runs;
        struct users *users;
        struct mails *mails; /* NULL: none was ever sent */
        struct audit *audit;
        struct parked *parked; /* in the order they came */
        size_t n_parked, a_parked, parked_bytes;
        usec_t unparking; /* since when the one waits that is being tried again; 0: none is */
        struct planning *planning; /* NULL: nobody has asked */
        struct operations *operations; /* by other hosts; NULL: none yet */
        struct cycles {
                usec_t since;         /* by core's clock: of what is counted */
                uint64_t n, last, most, sum; /* turns that looked for jobs to start; us of each */
                struct counts before; /* as core's counts stood then */
        } cycles;
        struct call_stats *calls; /* requests */
        struct outgoing *out; /* in order of their batches */
        size_t n_out, a_out;
        struct running **programs; /* Suspend-, Resume- and the like that run */
        size_t n_programs, a_programs;
        bool programs_changed; /* ... and the store has them otherwise */
        struct outcomes **outcomes; /* of programs that may still say something, oldest first */
        size_t n_outcomes, a_outcomes;
        struct gather *gathers; /* nodes whose program is run in a moment (gather.h); NULL: none yet */
};

struct controller_start {
        bool forget;             /* -c: all stored jobs and node states */
        bool any_name;           /* -i: go on with the state of a cluster of another name */
        bool accept_state;       /* --accept-state: go on with files that are older than they were */
        struct cluster_key *key; /* taken over; NULL: read here */
};

/* Takes config over, also on failure, after which nothing is left that was not there before. */
int controller_new(struct config *config, const struct controller_start *how, struct controller **ret,
                struct fail *fail);
struct controller *controller_free(struct controller *ctl);
DEFINE_CLEANUP(struct controller *, controller_free)
/* Reads the configuration again when nothing that names today's nodes waits to leave; to (may be NULL) is answered
   then. */
void controller_want_reconfigure(struct controller *ctl, const struct address *to);
/* Nodes have other numbers: what is found by them follows. */
void controller_nodes_changed(struct controller *ctl);

/* ---- reading.c: the configuration is read again, beside the loop ---- */
void reading_begin(struct controller *ctl); /* for those in ctl->reconfigure; there must be none */
bool reading_is_over(const struct controller *ctl);
/* What it has read: as configuration_read(); fail->all stays the reading's. */
int reading_take(struct controller *ctl, struct config **ret, struct fail *fail);
/* Answers those that wait for it. */
void reading_end(struct controller *ctl, int r, const struct fail *fail);
void reading_drop(struct controller *ctl); /* at the end of the controller */
/* Something of the cluster may have changed: the turn ends soon. */
void controller_changed(struct controller *ctl);
/* Before anything is concluded from what comes in, or from the time: whether the loop stood still (lives/listen.h). */
void controller_look_for_pause(struct controller *ctl);

/* ---- wall_clock.c: core's time ---- */
void wall_clock_start(struct controller *ctl);
usec_t controller_now(const struct controller *ctl); /* what core calls now */
/* As CLOCK_BOOTTIME. */
usec_t controller_boottime(const struct controller *ctl, usec_t t);
/* Follows the wall clock if somebody has set it. */
void wall_clock_check(struct controller *ctl);
void wall_clock_fill(const struct controller *ctl, Slumber__Clock *m); /* borrows */
void wall_clock_restore(struct controller *ctl, const Slumber__Clock *m); /* before other records are */

/* ---- outbox.c: what waits for its batch ---- */
/* Replies; env->reply_to and caller are set here.  The durable one leaves when all that this turn changes is on disk, the
   other one now, or right behind what that client has to wait for. */
void reply_now(const struct address *to, Envelope *env);
void reply_durable(struct controller *ctl, const struct address *to, Envelope *env);
/* Convenience for the two commonest bodies; e SLUMBER_OK gives Ok. */
void reply_result(struct controller *ctl, const struct address *to, enum slumber_error e, const char *text);
void outbox_seal(struct controller *ctl, uint64_t batch); /* this turn's replies and effects belong to it */
void outbox_release(struct controller *ctl, uint64_t durable);
void outbox_free(struct controller *ctl);

/* ---- peers.c ---- */
int peers_listen(struct controller *ctl, struct fail *fail);
/* Closes its connection; whoever spoke through it is gone, and so is p, but for those who hold a reference. */
void peer_drop(struct controller *ctl, struct peer *p);
struct address address_copy(const struct address *a);
void address_done(struct address *a);
bool address_same(const struct address *a, const struct address *b); /* the same connection of the same command */
bool watches_full(const struct controller *ctl, const struct address *to); /* that command may watch no more */
void watch_ask_holders(struct controller *ctl); /* InactiveLimit: the commands that hold jobs are asked whether they are there */
void watch_add(struct controller *ctl, enum watch_kind kind, uint32_t job, const struct address *to);
void watch_replace(struct controller *ctl, enum watch_kind kind, uint32_t job, const struct address *to);
/* Sends to every watcher of that kind; drop: and forgets them. */
void watch_tell(struct controller *ctl, enum watch_kind kind, uint32_t job, Envelope *env, bool drop);
bool watch_exists(const struct controller *ctl, enum watch_kind kind, uint32_t job);
bool watch_of(const struct controller *ctl, enum watch_kind kind, uint32_t job, const struct address *to);
void watches_client_gone(struct controller *ctl, const struct peer *p, uint64_t client, bool all);
void watches_free(struct controller *ctl);
void peer_streams(struct peer *p); /* it has a step, whose streams have credits of their own */
void peers_free(struct controller *ctl);

/* ---- requests.c and its family ---- */
void request_handle(struct peer *p, Envelope *env);
/* SLUMBER_STORE_FULL, with what the disk says (a negative errno). */
void reply_not_stored(struct controller *ctl, const struct address *to, int r);

struct handler {
        const char *name;
        void (*handle)(struct controller *ctl, const struct caller *who, const Envelope *env);
        enum { FOR_ALL, FOR_OPERATORS_TOO, FOR_SUPER } right; /* _TOO: an AdminLevel makes a difference */
        bool needs_user; /* request_user() is not NULL */
        bool is_plain;   /* no text of it may have a control character */
        unsigned shows;  /* enum private_data: what its answers could tell of others */
        const char *rpc; /* Slurm's name for it, and number; NULL: Slurm has none such */
        unsigned rpc_number;
        bool stores;     /* its answer waits for the store: refused at once while that cannot be written */
};
const struct handler *request_handler(unsigned body); /* NULL: it is no request */
void handle_submit(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_job_action(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_stats_query(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_script_query(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_state_copy(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_job_update(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_wait_job(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_user_query(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_job_query(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_node_query(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_reservation_query(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_reservation_update(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_license_query(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_partition_query(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_config_query(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_ping(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_node_update(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_power(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_partition_update(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_reboot(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_config_update(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_debug(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_shutdown(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_reconfigure(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_step_request(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_step_io(struct controller *ctl, const struct caller *who, const Envelope *env);
/* ---- dynamic.c: nodes that slurm.conf does not name ---- */
/* A registration by slumberd -Z: true when it waits there or is refused, else it is an ordinary one. */
bool dynamic_register(struct controller *ctl, struct peer *p, const Envelope *env);
/* text: the line of new nodes, or names to be deleted; answered when the store has it. */
void dynamic_request(struct controller *ctl, const struct caller *who, bool create, const char *text);
void dynamic_apply(struct controller *ctl); /* all that waits; nothing that names nodes may wait to leave */
void dynamic_gone(struct controller *ctl, const struct peer *p);
void dynamic_free(struct controller *ctl);
/* The record of the nodes; free with dynamic_fill_done(). */
void dynamic_fill(const struct config *config, Slumber__DynamicNodes *m);
void dynamic_fill_done(Slumber__DynamicNodes *m);
int dynamic_restore(struct controller *ctl, const Slumber__DynamicNodes *m, struct fail *fail); /* before nodes and jobs are loaded */
/* A configuration that was read from files gets the dynamic nodes of the old one. */
int dynamic_keep(const struct config *old, struct config *config, struct fail *fail);
/* ---- instances.c: in the accounts ---- */
int instances_open(struct controller *ctl, struct fail *fail);  /* the accounting file */
int instances_start(struct controller *ctl, struct fail *fail); /* nodes are as stored: the rows follow */
void instances_note(struct controller *ctl, struct node *n);    /* n may have changed */
struct hostlist *instances_of(const struct controller *ctl, const struct bitset *stay); /* those of nodes that go; NULL: none */
void instances_gone(struct controller *ctl, const struct hostlist *nodes);              /* they have gone */
void handle_priority_query(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_share_query(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_assoc_mgr_query(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_instance_query(struct controller *ctl, const struct caller *who, const Envelope *env);
/* ---- job_rows.c: jobs that are over, in the accounts ---- */
int job_rows_open(struct controller *ctl, struct fail *fail); /* what the last controller had not yet sent goes first */
void job_rows_note(struct controller *ctl, const struct ended *e);
void job_rows_note_step(struct controller *ctl, const struct ended_step *e);
/* ready(true, user): all rows of ends until now are in the accounts, or cannot be; (false): the controller ends. */
typedef void (*job_rows_ready)(bool there, void *user);
void job_rows_wait(struct controller *ctl, job_rows_ready ready, void *user);
size_t job_rows_left(const struct controller *ctl); /* rows that are not in the accounts yet */
void job_rows_seal(struct controller *ctl, uint64_t batch); /* those of this turn belong to it */
void job_rows_durable(struct controller *ctl, uint64_t batch);
void job_rows_close(struct controller *ctl); /* the store is closed, accounting is about to be */
void job_rows_free(struct controller *ctl);
void handle_ended_query(struct controller *ctl, const struct caller *who, const Envelope *env); /* ended_requests.c */
/* ---- acct_rows.c, acct_requests.c: QOS, accounts, users, associations ---- */
int acct_load(struct controller *ctl, struct fail *fail); /* before jobs are */
/* In the log: partitions whose QOS is not there. */
void acct_tell_missing(const struct cluster *c);
/* What has changed (acct.dirty) to the file; done() when it is there. */
void acct_save(struct controller *ctl, void (*done)(int r, const char *why, void *user), void *user);
void handle_acct_change(struct controller *ctl, const struct caller *who, const Envelope *env);
void handle_acct_query(struct controller *ctl, const struct caller *who, const Envelope *env);
/* ---- plan_requests.c ---- */
void handle_plan(struct controller *ctl, const struct caller *who, const Envelope *env);
void plan_client_gone(struct controller *ctl, const struct peer *p, uint64_t client, bool all);
void plan_free(struct controller *ctl);
/* ---- bmc_requests.c: power operations that agents carry out ---- */
void handle_bmc_request(struct controller *ctl, const struct caller *who, const Envelope *env);
void bmc_results(struct controller *ctl, struct peer *p, const Envelope *env);
void bmc_error(struct controller *ctl, struct peer *p, const Envelope *env); /* an agent's answer */
void bmc_agent_gone(struct controller *ctl, const char *node);
void bmc_client_gone(struct controller *ctl, const struct peer *p, uint64_t client, bool all);
void bmc_requests_free(struct controller *ctl);
/* ---- parked.c ---- */
const struct user *request_user(struct controller *ctl, const struct caller *who); /* NULL: is being looked up */
void request_park(struct controller *ctl, const struct caller *who, const Envelope *env); /* until somebody has been looked up */
void requests_unpark(void *ctl); /* somebody has been looked up */
void parked_expire(struct controller *ctl); /* those that have waited too long are answered */
void parked_client_gone(struct controller *ctl, const struct peer *p, uint64_t client, bool all);
void parked_free(struct controller *ctl);

/* ---- audit.c: the nodes' power as their BMCs see it ---- */
int audit_new(struct controller *ctl);
void audit_free(struct controller *ctl);
void audit_clock_set(struct controller *ctl, int64_t by);
void audit_reconfigured(struct controller *ctl); /* nodes may have other numbers now */
void audit_look(struct controller *ctl, const struct effect *fx);  /* FX_LOOK */
void handle_audit(struct controller *ctl, const struct caller *who, const Envelope *env);

bool job_access(const struct caller *who, const struct job *j);
/* ... as one who leads: operator, or coordinator of its account. */
bool job_leads(const struct caller *who, const struct job *j);
/* job_top.c: scontrol top; what is named waits before the other jobs of its user, or nothing has happened. */
enum slumber_error job_top(struct controller *ctl, const struct caller *who, const Slumber__JobAction *m, struct fail *fail);
/* One text of a job's: names, paths, lists. */
#define TEXT_MAX (64u << 10)
#define TEXTS_MAX  (128u << 10) /* all of them: MaxJobCount jobs stay in memory */
/* It may be given to MailProg as whom the mail is for; "": the job's user. */
bool mail_user_is_address(const char *text);
/* Those limits that PropagateResourceLimits lets through, all where the command said itself which: *n and a list of the pointers, which the
   caller frees. */
Slumber__Rlimit **rlimits_kept(const struct config *config, bool said, Slumber__Rlimit *const *all, size_t *n);
/* What the partitions ask of who submits or moves a job; who->user is known.  The texts are who's. */
struct submitter submitter_of(const struct caller *who);
/* What it may see; borrows from who. */
struct viewer viewer_of(const struct controller *ctl, const struct caller *who);

/* ---- agents.c ---- */
struct agent_message {
        const char *name;
        void (*handle)(struct controller *ctl, struct peer *p, const Envelope *env);
        bool unregistered;   /* an agent may send it before it has registered; p->node may be NULL */
        bool uncounted;      /* sdiag does not count it: streams */
        const char *rpc;     /* as in struct handler */
        unsigned rpc_number;
};
const struct agent_message *agent_message(unsigned body); /* NULL: agents may not send it */
/* What an agent says for itself.  What it may not say is refused by name, and logged. */
void agent_handle(struct controller *ctl, struct peer *p, const Envelope *env);
void agent_closed(struct controller *ctl, struct peer *p);
/* Asks for a heartbeat at once: it comes, with the returned number in reply_to, behind all that the agent has said before. */
uint64_t agent_ask(struct peer *p);
/* RegisterReply; n is told how to be configured if e is SLUMBER_OK, else it may be NULL. */
void agent_answer(struct controller *ctl, const struct address *to, const struct node *n, enum slumber_error e,
                const char *text);
/* rival.c: a registration for a node that is connected already.  true: it waits, and is taken or refused later; boot_time in
   our time. */
bool rival_waits(struct controller *ctl, struct peer *p, struct node *n, const Envelope *env, usec_t boot_time);
void rivals_answered(struct controller *ctl, const struct node *n, uint64_t question); /* n's agent has */
void rivals_place_free(struct controller *ctl, const struct node *n); /* its connection has ended */
void rival_gone(struct controller *ctl, const struct peer *p); /* its own connection has ended */
void rivals_free(struct controller *ctl);
/* gres_agent.c: what its part of gres.conf says, to be freed; and what it has found. */
void agent_gres_fill(const struct cluster *c, const struct node *n, Slumber__AgentConfig *m);
void agent_gres_done(Slumber__AgentConfig *m);
/* The same of helpers.conf; whether the agent that registers has run just these. */
void agent_helpers_fill(const struct cluster *c, const struct node *n, Slumber__AgentConfig *m);
void agent_helpers_done(Slumber__AgentConfig *m);
bool agent_helpers_run(const struct cluster *c, const struct node *n, const Slumber__Register *m);
void agent_gres_report(struct controller *ctl, struct node *n, const Slumber__GresReport *m);
void agent_config_fill(const struct controller *ctl, const struct node *n, Slumber__AgentConfig *c,
                Slumber__Hardware *hw);
void agent_config_done(Slumber__AgentConfig *c); /* what that has allocated */
struct step_use step_use_of(const Slumber__StepEnded *m); /* the caller calls step_use_done() */
void agent_ack_step(struct controller *ctl, const struct node *n, const Slumber__StepEnded *m); /* once it is durable */
bool agent_send(struct controller *ctl, const struct node *n, Envelope *env); /* false: it is not connected */
/* ... with what the body's other fields are, shared by several (wire_pack_before()). */
bool agent_send_with_tail(struct controller *ctl, const struct node *n, Envelope *env, struct wire_tail *tail);

/* ---- steps.c, steps_away.c: srun's steps ---- */
void runs_retry(struct controller *ctl, uint32_t job);          /* something became free or ready */
void runs_end_job(struct controller *ctl, uint32_t job);        /* the job is over: who waits is told */
void runs_client_gone(struct controller *ctl, const struct address *who, bool for_good);
void run_orphaned(struct controller *ctl, uint32_t job, uint32_t step); /* FX_STEP_ORPHANED */
void runs_restore(struct controller *ctl, struct job *j, usec_t now);   /* after a restart: j's steps, without their commands */
void run_launch_result(struct controller *ctl, struct node *n, const Slumber__LaunchResult *r);
/* false: it is not to be acknowledged yet, as the step's command may come back to hear of it. */
bool run_step_ended(struct controller *ctl, struct node *n, const Slumber__StepEnded *e);
void runs_node_back(struct controller *ctl, struct node *n, const Slumber__Register *m); /* by a new connection */
void run_node_lost(struct controller *ctl, struct node *n, uint32_t job);
/* j has kept these of its places alone: they are numbered anew. */
void runs_renumber(struct controller *ctl, const struct job *j, const struct bitset *keep);
void runs_settle(struct controller *ctl); /* those whose job or step has gone without their nodes' word end */
/* steps_silent.c: a signal that ends processes, or its end, was sent to that step of srun's. */
void run_told_to_end(struct controller *ctl, struct job *j, uint32_t step);
void runs_free(struct controller *ctl);
void run_launch(struct controller *ctl, uint32_t job, uint32_t step); /* FX_LAUNCH_STEP */
void run_step_io(struct controller *ctl, struct node *n, const Envelope *env); /* an agent's, for the command */

/* ---- launch.c: messages that start steps ---- */
void launch_batch(struct controller *ctl, uint32_t job);
/* One node's part of a step: its tasks' ranks. */
struct launch {
        const struct job *job;
        const struct job_node *at;
        uint32_t step, node_rank, num_nodes, num_tasks, cpus;
        const uint32_t *ranks;
        size_t n_ranks;
        const char *tasks_per_node, *step_nodes;
        uint64_t memory;      /* MB; 0: all that the job has there */
        const char *launcher; /* srun's address, numeric; NULL: it runs on this host */
        Slumber__StepSpec *spec;
        Slumber__JobScript *script;
        const char *job_nodes;
        struct wire_tail *common; /* what all its nodes are told alike: launch_common() */
};
/* Packs what does not depend on the node, once for all of them; the caller unrefs. */
struct wire_tail *launch_common(const struct controller *ctl, const struct launch *l);
int launch_send(struct controller *ctl, const struct launch *l);
/* What who holds j must know of it; j has nodes. */
Slumber__Allocation *allocation_message(const struct controller *ctl, const struct job *j);
Slumber__Allocation *allocation_message_free(Slumber__Allocation *m);
DEFINE_CLEANUP(Slumber__Allocation *, allocation_message_free)

/* ---- effects.c, programs.c, load.c ---- */
void effect_carry_out(struct controller *ctl, const struct effect *fx);
void program_suspend(struct controller *ctl, const struct effect *fx);
void program_resume(struct controller *ctl, const struct effect *fx);
usec_t program_deadline(usec_t timeout); /* SLUMBER_DEADLINE of a Suspend- or ResumeTimeout; 0: none */
void program_resume_fail(struct controller *ctl, const struct effect *fx);
void program_reboot(struct controller *ctl, const struct effect *fx);
/* running.c: stops the controller when none that it has started runs any more, or after a while (guide power-saving.txt, "fault
   tolerance"); asked again: now. */
void programs_wait(struct controller *ctl);
/* Those of earlier controllers that still run; restored: their nodes are known. */
void running_restore(struct controller *ctl, const Slumber__ProgramRuns *m);
void running_restored(struct controller *ctl);
/* 1: their nodes are told of them; -1: no more.  A reconfigure comes between. */
void running_count(struct controller *ctl, int by);
void running_fill(const struct controller *ctl, Slumber__ProgramRuns *m);
void running_fill_done(Slumber__ProgramRuns *m);
void running_done(struct controller *ctl);
/* outcomes.c: *ret is a descriptor to hand down as SLUMBER_RESULT_FD to a run of key for nodes, then to be closed.
   limit: how long it is read, a duration. */
int outcomes_open(struct controller *ctl, const char *key, bool resume, const char *nodes, usec_t limit, int *ret);
/* The run that was opened last is that of this process; and it has ended. */
void outcomes_of(struct controller *ctl, pid_t pid);
bool outcomes_ended(struct controller *ctl, pid_t pid); /* true: without a word of any of its nodes */
void outcomes_clock_set(struct controller *ctl, int64_t by);
void outcomes_free(struct controller *ctl);

/* ---- mail.c ---- */
/* A job's nodes are up (FX_READY) or it has left them (FX_ENDED): its user hears of it, if he wants to. */
void mail_tell(struct controller *ctl, enum effect_kind kind, const struct job *j);
/* FX_MAIL: one of the bits of lib/mailtype.h. */
void mail_reached(struct controller *ctl, const struct job *j, uint32_t type);
void mails_free(struct controller *ctl);
/* any_name: also the state of a cluster of another name. */
int load_state(struct controller *ctl, bool any_name, struct fail *fail);
void save_identity(struct controller *ctl); /* whose state it is */
void save_clock(struct controller *ctl);
void save_changes(struct controller *ctl);
