/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sdiag: counts of the pure rooms and the event loop since the last reset. */
#include "controller/agents/agents.h"
#include "controller/loop/call_stats.h"
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/users.h"
#include "controller/loop/wall_clock.h"
#include "controller/records/brake_record.h"
#include "controller/records/job_rows.h"
#include "controller/requests/handlers.h"
#include "controller/requests/requests.h"
#include "lib/conn/conn.h"

#include <ctype.h>

/* Slurm's classes of ended jobs: "failed" means failed by a node. */
static const size_t places[JOB_STATE_MAX] = {
        [JOB_COMPLETED] = offsetof(Slumber__StatsReply, completed),
        [JOB_FAILED] = offsetof(Slumber__StatsReply, completed),
        [JOB_TIMEOUT] = offsetof(Slumber__StatsReply, completed),
        [JOB_DEADLINE] = offsetof(Slumber__StatsReply, completed),
        [JOB_OUT_OF_MEMORY] = offsetof(Slumber__StatsReply, completed),
        [JOB_CANCELLED] = offsetof(Slumber__StatsReply, cancelled),
        [JOB_PREEMPTED] = offsetof(Slumber__StatsReply, cancelled),
        [JOB_NODE_FAIL] = offsetof(Slumber__StatsReply, failed),
        [JOB_BOOT_FAIL] = offsetof(Slumber__StatsReply, failed),
};

static void fill_counts(Slumber__StatsReply *m, const struct counts *now,
                const struct counts *before) {
        m->submitted = now->submitted - before->submitted;
        m->started = now->started - before->started;
        m->backfilled = now->backfilled - before->backfilled;
        m->backfilled_in_all = now->backfilled;
        for (size_t i = 0; i < ELEMENTSOF(places); i++)
                if (places[i])
                        *(uint64_t *)(void *)((char *)m + places[i]) += now->ended[i] -
                                                                        before->ended[i];
}

static void fill_jobs(Slumber__StatsReply *m, const struct cluster *c) {
        m->queue = c->n_queue; /* counts a job once per partition */
        m->pending = c->n_pending;
        for (size_t i = 0; i < c->n_active; i++)
                m->running += c->active[i]->state == JOB_RUNNING;
}

/* Fills the figures of backfill since the last reset. */
static void fill_plan(Slumber__PlanStats *m, const struct plan_counts *now,
                const struct plan_counts *before, const struct plan_times *times) {
        m->cycles = now->cycles - before->cycles;
        m->when = m->cycles ? now->when : 0;
        m->last_cycle = times->last;
        m->max_cycle = times->most;
        m->sum_cycle = times->sum;
        m->last_depth = m->cycles ? now->last.depth : 0;
        m->last_tried = m->cycles ? now->last.tried : 0;
        m->sum_depth = now->sum.depth - before->sum.depth;
        m->sum_tried = now->sum.tried - before->sum.tried;
        m->last_queue = m->cycles ? now->last.queue : 0;
        m->sum_queue = now->sum.queue - before->sum.queue;
        m->last_table = m->cycles ? now->last.table : 0;
        m->sum_table = now->sum.table - before->sum.table;
}

static usec_t time_clock(void) {
        usec_t begin = now_monotonic();

        for (size_t i = 0; i < 1000; i++)
                (void)now_realtime();
        return now_monotonic() - begin;
}

static void stats_reset(struct controller *ctl, const struct caller *caller) {
        if (caller->operator) {
                ctl->cycles = (struct cycles){ .since = controller_now(ctl),
                        .before = ctl->cluster->counts };
                call_stats_reset(ctl->calls);
        }
        reply_result(ctl, &caller->from, caller->operator? SLUMBER_OK : SLUMBER_ACCESS_DENIED,
                        NULL);
}

/* ---- requests ---- */

struct calls {
        Slumber__CallStats *rows, **pointers;
        size_t n;
};

static void calls_add(struct calls *c, const char *name, unsigned number, uint64_t n, usec_t time) {
        Slumber__CallStats *row = &c->rows[c->n];

        slumber__call_stats__init(row);
        row->name = xstrdup(name);
        row->number = number;
        row->count = n;
        row->time = time;
        c->pointers[c->n++] = row;
}

static struct calls calls_new(size_t most) {
        return (struct calls){ xnew(Slumber__CallStats, most + 1),
                xnew(Slumber__CallStats *, most + 1), 0 };
}

static void calls_done(struct calls *c) {
        for (size_t i = 0; i < c->n; i++)
                free(c->rows[i].name);
        free(c->rows);
        free(c->pointers);
}

/* Returns a name of one word, as Slurm's names: programs parse sdiag word by word. */
static char *rpc_name(const char *rpc, const char *own) {
        char *name = rpc ? xstrdup(rpc) : xasprintf("REQUEST_%s", own);

        for (char *p = name; *p; p++)
                *p = *p == ' ' ? '_' : (char)toupper((unsigned char)*p);
        return name;
}

static struct calls calls_by_type(const struct call_stats *s) {
        struct calls c = calls_new(CALL_TYPES_MAX);

        for (unsigned type = 0; type < CALL_TYPES_MAX; type++) {
                const char *rpc = NULL;
                unsigned number = 0;
                usec_t time;
                uint64_t n = call_stats_of_type(s, type, &time);
                const char *own = n ? request_name(type, &rpc, &number) : NULL;
                if (n && !own)
                        own = agent_message_name(type, &rpc, &number);
                _cleanup_free_ char *name = own ? rpc_name(rpc, own) : NULL;
                if (name)
                        calls_add(&c, name, rpc ? number : type, n, time);
        }
        return c;
}

/* PrivateData=users: users see only their own counts. */
static struct calls calls_by_user(const struct controller *ctl, const struct caller *caller) {
        const struct call_stats *s = ctl->calls;
        struct calls c = calls_new(call_stats_users(s));

        for (size_t i = 0; i < call_stats_users(s); i++) {
                uid_t uid;
                usec_t time;
                uint64_t n = call_stats_of_user(s, i, &uid, &time);

                if (!caller->hidden || uid == caller->uid)
                        calls_add(&c,
                                        uid == CALL_OTHERS ? "others"
                                                           : strempty(users_name(ctl->users, uid)),
                                        uid, n, time);
        }
        return c;
}

static void fill_connections(Slumber__StatsReply *m, const struct controller *ctl) {
        for (size_t i = 0; i < ctl->n_peers; i++) {
                const struct peer *p = ctl->peers[i];

                if (!p->node)
                        m->connections++;
                else {
                        m->agents++;
                        m->agent_queue += p->conn && conn_queued(p->conn) > 0;
                }
        }
        m->accounting_queue = job_rows_left(ctl);
}

void handle_stats_query(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        Slumber__StatsReply m = SLUMBER__STATS_REPLY__INIT;
        Slumber__WakeBrake brake = SLUMBER__WAKE_BRAKE__INIT;
        Slumber__PlanStats plan = SLUMBER__PLAN_STATS__INIT;
        const struct cycles *s = &ctl->cycles;

        if (env->stats_query->reset) {
                stats_reset(ctl, caller);
                return;
        }
        m.now = controller_now(ctl);
        m.since = s->since;
        fill_counts(&m, &ctl->cluster->counts, &s->before);
        fill_jobs(&m, ctl->cluster);
        m.cycles = s->n;
        m.last_cycle = s->last;
        m.max_cycle = s->most;
        m.sum_cycle = s->sum;
        m.depth = ctl->cluster->counts.looked - s->before.looked;
        m.clock_time = time_clock();
        fill_plan(&plan, &ctl->cluster->counts.plan, &s->before.plan, &s->plan);
        m.plan = ctl->cluster->config->bf.on ? &plan : NULL;
        struct calls types = calls_by_type(ctl->calls), users = calls_by_user(ctl, caller);
        m.by_type = types.pointers;
        m.n_by_type = types.n;
        m.by_user = users.pointers;
        m.n_by_user = users.n;
        fill_connections(&m, ctl);
        if (ctl->cluster->brake.by != BRAKE_OFF) {
                brake_record_fill(ctl->cluster, m.now, &brake);
                m.brake = &brake;
        }
        ENVELOPE(reply, STATS_REPLY, stats_reply, &m);
        reply_now(&caller->from, &reply);
        brake_record_done(&brake);
        calls_done(&types);
        calls_done(&users);
}
