/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transfers the state between cluster and store: everything at the start, the changes at the end of
 * each turn.
 *
 * Rows are jobs by id, nodes by name, scripts by job id, and the counters in META.  Scripts are
 * written at submission (job_requests.c) and deleted with the job. */
#include "controller/state.h"

#include "controller/agents/dynamic.h"
#include "controller/indexes/changed.h"
#include "controller/jobs/alloc.h"
#include "controller/jobs/job_events.h"
#include "controller/launch/steps.h"
#include "controller/launch/x11.h"
#include "controller/loop/controller.h"
#include "controller/loop/wall_clock.h"
#include "controller/orders/viewer.h"
#include "controller/programs/hook_programs.h"
#include "controller/programs/running.h"
#include "controller/records/brake_record.h"
#include "controller/records/identity.h"
#include "controller/records/instances.h"
#include "controller/records/job_rows.h"
#include "controller/records/record.h"
#include "controller/records/reservation_record.h"
#include "controller/records/trigger_record.h"
#include "controller/records/usage_record.h"
#include "lib/credential.h"
#include "lib/log.h"

/* META rows: next free numbers, so that an id is never given twice even when the job is
   forgotten. */
static const char next_id_key[] = "next_job_id";
static const char cluster_name_key[] = "cluster_name";
static const char clock_key[] = "clock";
static const char dynamic_key[] = "dynamic_nodes"; /* loaded before all rows that name nodes */
static const char usage_key[] = "usage";
static const char reservations_key[] = "reservations";
static const char programs_key[] = "programs";
static const char generation_key[] = "generation";
/* Only in a store of several controllers: the key of credentials, and the host whose
   StateSaveLocation has the files of hooks and triggers. */
static const char signing_key[] = "signing_key";
static const char files_host_key[] = "files_host";
/* loaded after the clock, which the times refer to */
static const char brake_key[] = "wake_brake";

struct loading {
        struct controller *ctl;
        struct fail *fail;
        usec_t now;
        bool any_name, other_host; /* other_host: files of hooks and triggers are not here */
        size_t jobs, nodes;
};

static int load_node(const char *key, uint64_t number, const uint8_t *data, size_t size,
                void *user) {
        struct loading *l = user;
        Slumber__Node *n = slumber__node__unpack(NULL, size, data);

        if (!n)
                return fail_set(l->fail, -EBADMSG, "the record of node %s cannot be read", key);
        node_restore(l->ctl->cluster, n, l->now);
        slumber__node__free_unpacked(n, NULL);
        l->nodes++;
        return 0;
}

static int load_job(const char *key, uint64_t number, const uint8_t *data, size_t size,
                void *user) {
        struct loading *l = user;
        Slumber__Job *j = slumber__job__unpack(NULL, size, data);

        if (!j)
                return fail_set(l->fail, -EBADMSG, "the record of JobId=%llu cannot be read",
                                (unsigned long long)number);
        int r = job_restore(l->ctl->cluster, j, l->now, l->fail);
        slumber__job__free_unpacked(j, NULL);
        struct job *job = l->other_host ? cluster_job(l->ctl->cluster, (uint32_t)number) : NULL;
        if (job && job_hook_runs(job)) {
                job->running.hook_away = true;
                cluster_job_changed(l->ctl->cluster, job); /* stored with the new host */
        }
        l->jobs++;
        return r;
}

/* Two clusters sharing a state folder would overwrite each other's changes. */
static int state_check_cluster_name(const struct loading *l, const uint8_t *data, size_t size) {
        const struct config *config = l->ctl->cluster->config;

        if (l->any_name || (size == strlen(config->cluster_name) &&
                                           memcmp(data, config->cluster_name, size) == 0))
                return 0;
        return fail_set(l->fail, -EINVAL,
                        "it belongs to the cluster \"%.*s\", but ClusterName in %s is \"%s\"; two clusters must "
                        "not share it (if this one was renamed, start it once with -i)",
                        (int)MIN(size, (size_t)100), (const char *)data, config->path,
                        config->cluster_name);
}

static int load_clock(struct loading *l, const uint8_t *data, size_t size) {
        Slumber__Clock *clock = slumber__clock__unpack(NULL, size, data);

        if (!clock)
                return fail_set(l->fail, -EBADMSG, "the record of the clock cannot be read");
        wall_clock_restore(l->ctl, clock);
        slumber__clock__free_unpacked(clock, NULL);
        return 0;
}

static int load_usage(struct loading *l, const uint8_t *data, size_t size) {
        Slumber__Usage *m = slumber__usage__unpack(NULL, size, data);

        if (!m)
                return fail_set(l->fail, -EBADMSG, "the record of the usage cannot be read");
        usage_record_restore(l->ctl->cluster, m);
        slumber__usage__free_unpacked(m, NULL);
        return 0;
}

static int load_reservations(struct loading *l, const uint8_t *data, size_t size) {
        Slumber__ReservationList *m = slumber__reservation_list__unpack(NULL, size, data);

        if (!m)
                return fail_set(l->fail, -EBADMSG, "the record of the reservations cannot be read");
        reservation_record_restore(l->ctl->cluster, m);
        slumber__reservation_list__free_unpacked(m, NULL);
        return 0;
}

static int load_programs(struct loading *l, const uint8_t *data, size_t size) {
        Slumber__ProgramRuns *m = slumber__program_runs__unpack(NULL, size, data);

        if (!m)
                return fail_set(l->fail, -EBADMSG,
                                "the record of programs that run cannot be read");
        running_restore(l->ctl, m);
        slumber__program_runs__free_unpacked(m, NULL);
        return 0;
}

static int load_brake(struct loading *l, const uint8_t *data, size_t size) {
        Slumber__WakeBrake *m = slumber__wake_brake__unpack(NULL, size, data);

        if (!m)
                return fail_set(l->fail, -EBADMSG,
                                "the record of the brake on waking cannot be read");
        brake_record_restore(l->ctl->cluster, m);
        slumber__wake_brake__free_unpacked(m, NULL);
        return 0;
}

static int load_generation(struct loading *l, const uint8_t *data, size_t size) {
        Slumber__StateIdentity *m = slumber__state_identity__unpack(NULL, size, data);

        if (!m)
                return fail_set(l->fail, -EBADMSG,
                                "the record of the state's generation cannot be read");
        identity_restore(l->ctl->identity, l->ctl->cluster, m);
        slumber__state_identity__free_unpacked(m, NULL);
        return 0;
}

static int load_dynamic(struct loading *l, const uint8_t *data, size_t size) {
        Slumber__DynamicNodes *m = slumber__dynamic_nodes__unpack(NULL, size, data);

        if (!m)
                return fail_set(l->fail, -EBADMSG,
                                "the record of the dynamic nodes cannot be read");
        int r = dynamic_restore(l->ctl, m, l->fail);
        slumber__dynamic_nodes__free_unpacked(m, NULL);
        return r;
}

static int load_signing_key(struct loading *l, const uint8_t *data, size_t size) {
        if (credential_key_of_seed(data, size, &l->ctl->signing_key) < 0)
                return fail_set(l->fail, -EBADMSG, "the key of the credentials cannot be read");
        return 0;
}

static int load_meta(const char *key, uint64_t number, const uint8_t *data, size_t size,
                void *user) {
        struct loading *l = user;
        uint32_t id;

        if (streq(key, cluster_name_key))
                return state_check_cluster_name(l, data, size);
        if (streq(key, clock_key))
                return load_clock(l, data, size);
        if (streq(key, dynamic_key))
                return load_dynamic(l, data, size);
        if (streq(key, usage_key))
                return load_usage(l, data, size);
        if (streq(key, reservations_key))
                return load_reservations(l, data, size);
        if (streq(key, programs_key))
                return load_programs(l, data, size);
        if (streq(key, brake_key))
                return load_brake(l, data, size);
        if (streq(key, generation_key))
                return load_generation(l, data, size);
        if (streq(key, signing_key))
                return load_signing_key(l, data, size);
        if (streq(key, files_host_key)) {
                l->other_host = size != strlen(l->ctl->host) ||
                                memcmp(data, l->ctl->host, size) != 0;
                return 0;
        }
        int r = trigger_record_restore(l->ctl->cluster, l->ctl->boot_id, key, data, size);
        if (r < 0)
                return fail_set(l->fail, r, "the record \"%s\" of the triggers cannot be read",
                                key);
        if (r > 0 || !streq(key, next_id_key) || size != sizeof id)
                return 0;
        memcpy(&id, data, sizeof id);
        l->ctl->cluster->next_job_id = id;
        return 0;
}

/* Allocations and steps that were connected to the last controller get time to reconnect. */
static void await_holders(struct controller *ctl, usec_t now) {
        struct cluster *c = ctl->cluster;

        for (size_t i = 0; i < c->n_jobs; i++)
                if (c->jobs[i].job)
                        job_holder_lost(c, c->jobs[i].job, now);
        for (size_t i = 0; i < c->n_active; i++) {
                runs_restore(ctl, c->active[i], now);
                x11_restored(ctl, c->active[i]);
        }
}

/* Whether the programs ran on the other host cannot be known: at most once. */
static void forget_trigger_runs(struct controller *ctl) {
        struct triggers *all = &ctl->cluster->triggers;

        if (all->n_runs)
                log_warning(0, "%zu programs of triggers were left by another host and are not run",
                                all->n_runs);
        while (all->n_runs)
                triggers_drop_run(all, all->n_runs - 1);
}

int load_state(struct controller *ctl, bool any_name, struct fail *fail) {
        static const struct {
                enum store_table table;
                int (*row)(const char *, uint64_t, const uint8_t *, size_t, void *);
        } tables[] = {
                { STORE_META, load_meta }, /* first: contains the name of the cluster */
                { STORE_NODE, load_node },
                { STORE_JOB, load_job },
        };
        struct loading l = {
                .ctl = ctl,
                .fail = fail,
                .now = controller_now(ctl),
                .any_name = any_name,
        };

        for (size_t i = 0; i < ELEMENTSOF(tables); i++) {
                int r = store_load(ctl->store, tables[i].table, tables[i].row, &l, fail);
                if (r < 0)
                        return fail_prefix(fail, r, "state in %s",
                                        ctl->cluster->config->state_save_location);
                l.now = controller_now(ctl); /* the META rows may set the clock */
        }
        if (l.other_host)
                forget_trigger_runs(ctl);
        records_settle(ctl->cluster, l.now);
        usage_restore(ctl->cluster, l.now);
        await_holders(ctl, l.now);
        running_restored(ctl);
        if (l.jobs || l.nodes)
                log_info("Recovered %zu jobs and %zu nodes", l.jobs, l.nodes);
        return 0;
}

static void save_job(struct controller *ctl, struct job *j) {
        struct job_message m;

        j->dirty = false;
        job_message_init(&m, ctl->cluster, j, RECORD_STORE | RECORD_ALLOC | RECORD_STEPS, 0);
        size_t size = slumber__job__get_packed_size(&m.job);
        uint8_t *data = xmalloc(size);
        slumber__job__pack(&m.job, data);
        job_message_done(&m);
        store_put(ctl->store, STORE_JOB, NULL, j->id, data, size);
}

static void save_node(struct controller *ctl, const struct node *n) {
        struct node_message m;

        node_record_init(&m, ctl->cluster, n);
        size_t size = slumber__node__get_packed_size(&m.node);
        uint8_t *data = xmalloc(size);
        slumber__node__pack(&m.node, data);
        node_message_done(&m);
        store_put(ctl->store, STORE_NODE, n->name, 0, data, size);
}

static void save_next_id(struct controller *ctl) {
        uint8_t *data = xmalloc(sizeof ctl->cluster->next_job_id);

        memcpy(data, &ctl->cluster->next_job_id, sizeof ctl->cluster->next_job_id);
        store_put(ctl->store, STORE_META, next_id_key, 0, data, sizeof ctl->cluster->next_job_id);
        ctl->saved_next_id = ctl->cluster->next_job_id;
}

void save_identity(struct controller *ctl) {
        const char *name = ctl->cluster->config->cluster_name;
        size_t size = strlen(name);

        store_put(ctl->store, STORE_META, cluster_name_key, 0, memcpy(xmalloc(size), name, size),
                        size);
}

void save_host(struct controller *ctl) {
        uint8_t *seed = xmalloc(CREDENTIAL_SEED_SIZE);
        size_t size = strlen(ctl->host);

        store_put(ctl->store, STORE_META, files_host_key, 0, memcpy(xmalloc(size), ctl->host, size),
                        size);

        credential_key_seed(ctl->signing_key, seed);
        store_put(ctl->store, STORE_META, signing_key, 0, seed, CREDENTIAL_SEED_SIZE);
}

void save_clock(struct controller *ctl) {
        Slumber__Clock m = SLUMBER__CLOCK__INIT;

        wall_clock_fill(ctl, &m);
        size_t size = slumber__clock__get_packed_size(&m);
        uint8_t *data = xmalloc(size);
        slumber__clock__pack(&m, data);
        store_put(ctl->store, STORE_META, clock_key, 0, data, size);
}

static void save_usage(struct controller *ctl) {
        Slumber__Usage m = SLUMBER__USAGE__INIT;

        usage_review(ctl->cluster, controller_now(ctl)); /* no job ran since the stored time */
        usage_record_fill(ctl->cluster, &m);
        size_t size = slumber__usage__get_packed_size(&m);
        uint8_t *data = xmalloc(size);
        slumber__usage__pack(&m, data);
        usage_record_done(&m);
        store_put(ctl->store, STORE_META, usage_key, 0, data, size);
        ctl->cluster->dirty_usage = false;
}

static void save_reservations(struct controller *ctl) {
        Slumber__ReservationList m = SLUMBER__RESERVATION_LIST__INIT;

        reservation_record_fill(&(struct viewer){ .c = ctl->cluster }, "", 0, &m);
        size_t size = slumber__reservation_list__get_packed_size(&m);
        uint8_t *data = xmalloc(size + 1);
        slumber__reservation_list__pack(&m, data);
        reservation_record_done(&m);
        store_put(ctl->store, STORE_META, reservations_key, 0, data, size);
}

static void save_programs(struct controller *ctl) {
        Slumber__ProgramRuns m = SLUMBER__PROGRAM_RUNS__INIT;

        running_fill(ctl, &m);
        size_t size = slumber__program_runs__get_packed_size(&m);
        uint8_t *data = xmalloc(size + 1);
        slumber__program_runs__pack(&m, data);
        running_fill_done(&m);
        store_put(ctl->store, STORE_META, programs_key, 0, data, size);
        ctl->programs_changed = false;
}

static void save_brake(struct controller *ctl) {
        Slumber__WakeBrake m = SLUMBER__WAKE_BRAKE__INIT;

        brake_record_fill(ctl->cluster, controller_now(ctl), &m);
        size_t size = slumber__wake_brake__get_packed_size(&m);
        uint8_t *data = xmalloc(size + 1);
        slumber__wake_brake__pack(&m, data);
        brake_record_done(&m);
        store_put(ctl->store, STORE_META, brake_key, 0, data, size);
        ctl->cluster->brake.dirty = false;
}

static void save_generation(struct controller *ctl) {
        Slumber__StateIdentity m = SLUMBER__STATE_IDENTITY__INIT;

        identity_record_fill(ctl->identity, ctl->cluster, &m);
        size_t size = slumber__state_identity__get_packed_size(&m);
        uint8_t *data = xmalloc(size);
        slumber__state_identity__pack(&m, data);
        identity_record_done(&m);
        store_put(ctl->store, STORE_META, generation_key, 0, data, size);
        ctl->identity->dirty = false;
        ctl->saved_rounds = ctl->cluster->id_rounds;
}

static void put_meta(const char *key, uint8_t *data, size_t size, void *user) {
        struct controller *ctl = user;

        store_put(ctl->store, STORE_META, key, 0, data, size);
}

static void drop_meta(const char *key, void *user) {
        struct controller *ctl = user;

        store_delete(ctl->store, STORE_META, key, 0);
}

static void save_triggers(struct controller *ctl) {
        trigger_record_save(ctl->cluster, ctl->boot_id,
                        &(struct trigger_rows){ put_meta, drop_meta, ctl });
}

static void save_dynamic(struct controller *ctl) {
        Slumber__DynamicNodes m = SLUMBER__DYNAMIC_NODES__INIT;

        dynamic_fill(ctl->cluster->config, &m);
        size_t size = slumber__dynamic_nodes__get_packed_size(&m);
        uint8_t *data = xmalloc(size + 1);
        slumber__dynamic_nodes__pack(&m, data);
        dynamic_fill_done(&m);
        store_put(ctl->store, STORE_META, dynamic_key, 0, data, size);
        ctl->dynamic_changed = false;
}

void save_changes(struct controller *ctl) {
        struct cluster *c = ctl->cluster;

        for (size_t i = 0; i < c->n_dirty_jobs; i++) {
                struct job *j = cluster_job(c, c->dirty_jobs[i]);
                if (j && j->dirty)
                        save_job(ctl, j);
        }
        c->n_dirty_jobs = 0;
        if (ctl->stopping)
                note_nodes(c, FACT_NODE_RECORD, follows_nodes(c, FOLLOW_STORE_LATER));
        bitset_for_each(i, follows_nodes(c, FOLLOW_STORE_NODE)) {
                save_node(ctl, c->nodes[i]);
                instances_note(ctl, c->nodes[i]);
        }
        follows_nodes_done(c, FOLLOW_STORE_NODE);
        for (size_t i = 0; i < c->effects.n; i++) {
                const struct effect *fx = &c->effects.list[i];
                if (fx->ended)
                        job_rows_note(ctl, fx->ended);
                if (fx->ended_step)
                        job_rows_note_step(ctl, fx->ended_step);
                if (fx->kind != FX_FORGET)
                        continue;
                store_delete(ctl->store, STORE_JOB, NULL, fx->job);
                if (fx->serial)
                        store_delete(ctl->store, STORE_SCRIPT, NULL, fx->serial);
        }
        if (follows_take(c, FOLLOW_STORE_RESERVATIONS))
                save_reservations(ctl);
        if (ctl->dynamic_changed)
                save_dynamic(ctl);
        if (ctl->programs_changed)
                save_programs(ctl);
        if (c->brake.dirty)
                save_brake(ctl);
        c->triggers.dirty |= ctl->stopping && !c->triggers.stopped;
        c->triggers.stopped = ctl->stopping;
        if (c->triggers.dirty)
                save_triggers(ctl);
        if (c->dirty_usage)
                save_usage(ctl);
        if (ctl->saved_next_id != c->next_job_id)
                save_next_id(ctl);
        if (ctl->identity->dirty || ctl->saved_rounds != c->id_rounds)
                save_generation(ctl);
}
