/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queries: jobs, nodes, partitions, configuration. Lists are sent in pages, so that no list blocks
   the event loop for long. */
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/accounts/bids.h"
#include "controller/indexes/node_sharing.h"
#include "controller/jobs/job_events.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/users.h"
#include "controller/loop/wall_clock.h"
#include "controller/orders/viewer.h"
#include "controller/programs/console_log.h"
#include "controller/records/record.h"
#include "controller/requests/handlers.h"
#include "controller/requests/job_refs.h"
#include "controller/requests/parked.h"
#include "lib/sorted.h"
#include "lib/subset.h"
#include "lib/timetext.h"

#define PAGE_JOBS  1000
#define PAGE_NODES 1000
#define PAGE_LOOKS 20000 /* nodes, if nodes share records */
/* limit of job_refs_work() for a query: 100,000 tasks with indexes below 80,000; half a second */
#define TASKS_WORK ((uint64_t)128 << 20)
#define PAGE_BYTES ((size_t)16 << 20) /* texts of users can be long; a message has at most 64 MiB */

/* ---- users ---- */

void handle_user_query(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        Slumber__UserReply m = SLUMBER__USER_REPLY__INIT;
        const char *name;
        int r = users_find(ctl->users, env->user_query->user, &m.uid, &name);

        if (r == -EAGAIN) {
                request_park(ctl, caller, env);
        } else if (r == -EBUSY) {
                reply_result(ctl, &caller->from, SLUMBER_FAILED, USERS_BUSY);
        } else if (r < 0) {
                reply_result(ctl, &caller->from, SLUMBER_BAD_USER, NULL);
        } else {
                m.name = (char *)(uintptr_t)name;
                ENVELOPE(reply, USER_REPLY, user_reply, &m);
                reply_now(&caller->from, &reply);
        }
}

/* ---- pages ---- */

/* Records of one type, packed in sequence. */
struct page {
        ProtobufCBinaryData *records; /* lengths; data is set when all records are packed */
        size_t n, max;
        ProtobufCBufferSimple packed;
        uint8_t few[4096];
};

static void page_init(struct page *p, size_t max) {
        *p = (struct page){ .records = xnew(ProtobufCBinaryData, max), .max = max };
        p->packed = (ProtobufCBufferSimple)PROTOBUF_C_BUFFER_SIMPLE_INIT(p->few);
}

static bool page_full(const struct page *p) {
        return p->n == p->max || p->packed.len > PAGE_BYTES;
}

/* Packs a record without a first pass to measure the size, half of the work. */
static void page_add(struct page *p, const ProtobufCMessage *record) {
        p->records[p->n++].len = protobuf_c_message_pack_to_buffer(record, &p->packed.base);
}

/* Returns all records, with their data set. */
static ProtobufCBinaryData *page_records(struct page *p) {
        for (size_t i = 0, at = 0; i < p->n; at += p->records[i++].len)
                p->records[i].data = p->packed.data + at;
        return p->records;
}

static void page_done(struct page *p) {
        free(p->records);
        PROTOBUF_C_BUFFER_SIMPLE_CLEAR(&p->packed);
}

/* ---- jobs ---- */

static bool asks_for(const Slumber__JobQuery *q) {
        return q->n_ids || q->n_tasks;
}

/* Returns whether the query selects j; the lists must be sorted (sort_lists()). */
static bool job_query_wants(const Slumber__JobQuery *q, const struct caller *caller,
                const struct viewer *v, const struct job *j) {
        if (!viewer_sees_job(v, j))
                return false;
        if (!q->with_finished && !asks_for(q) && q->n_states == 0 && job_is_finished(j) &&
                        !j->completing)
                return false;
        if (j->partition->hidden && !q->with_hidden && !asks_for(q) && !caller->operator)
                return false;
        if (q->n_states && !sorted_has_number(q->states, q->n_states, (uint32_t)j->state))
                return false;
        if (q->n_users && !(j->user && sorted_has_name(q->users, q->n_users, j->user, EXACT_CASE)))
                return false;
        return q->n_partitions == 0 || job_bids_for_one_of(j, q->partitions, q->n_partitions);
}

static void sort_lists(Slumber__JobQuery *q) {
        sort_numbers(q->ids, &q->n_ids);
        sort_numbers(q->states, &q->n_states);
        sort_names(q->users, q->n_users, EXACT_CASE);
        sort_names(q->partitions, q->n_partitions, EXACT_CASE);
}

/* Adds the last console output of a booting node, as progress of the boot. */
static void add_console(const struct controller *ctl, struct power_message *m,
                const struct node *n) {
        usec_t written;

        if (n->power == NODE_POWERING_UP || n->flags & NODE_REBOOT_ISSUED)
                power_message_console(m, console_log_tail(ctl->cluster->config, n->name,
                                                         n->power_request, &written));
}

struct job_page {
        struct page page;
        struct viewer viewer;
        struct subset *job, *spec; /* the requested fields of each */
        uint32_t last_id;
};

/* Adds a record of j. chosen: only those tasks of the rest of an array; NULL: all. */
static void job_page_add(struct controller *ctl, struct job_page *p, const Slumber__JobQuery *q,
                const struct job *j, const struct bitset *chosen) {
        unsigned what = (q->with_alloc ? RECORD_ALLOC : 0u) | (q->with_steps ? RECORD_STEPS : 0u);

        struct job_message m;

        job_message_init(&m, ctl->cluster, j, what, controller_now(ctl));
        if (chosen)
                job_message_choose(&m, j, chosen);
        if (q->with_alloc && m.waits_for)
                add_console(ctl, m.waits_for, cluster_node(ctl->cluster, m.waits_for->power.node));
        m.job.stopped_for = viewer_job_id(&p->viewer, m.job.stopped_for);
        m.job.base.descriptor = subset_kind(p->job);
        m.spec.base.descriptor = subset_kind(p->spec);
        page_add(&p->page, &m.job.base);
        p->last_id = j->id;
        job_message_done(&m);
}

/* Adds jobs in ascending order of ids, each once, so that the next page can start after the last
   id. */
static bool fill_by_ids(struct controller *ctl, const struct caller *caller, struct job_page *p,
                const Slumber__JobQuery *q) {
        _cleanup_(job_refs_done) struct job_refs refs = { 0 };
        bool full = false;

        for (size_t i = 0; i < q->n_ids; i++)
                (void)job_refs_add(&refs, &p->viewer, q->ids[i]);
        job_refs_add_asked(&refs, &p->viewer, q->tasks, q->n_tasks);
        job_refs_sort(&refs);
        for (size_t i = 0; i < refs.n && !full; i++) {
                const struct job_ref *ref = &refs.list[i];
                const struct job *j = ref->unknown ? NULL : cluster_job(ctl->cluster, ref->id);
                if (!j || j->id <= q->after_id || !job_query_wants(q, caller, &p->viewer, j))
                        continue;
                full = page_full(&p->page);
                if (!full)
                        job_page_add(ctl, p, q, j, ref->chosen);
        }
        return full;
}

static bool fill_all(struct controller *ctl, const struct caller *caller, struct job_page *p,
                const Slumber__JobQuery *q) {
        const struct cluster *c = ctl->cluster;

        for (size_t i = cluster_slot_after(c, q->after_id); i < c->n_jobs; i++) {
                const struct job *j = c->jobs[i].job;
                if (!j || !job_query_wants(q, caller, &p->viewer, j))
                        continue;
                if (page_full(&p->page))
                        return true;
                job_page_add(ctl, p, q, j, NULL);
        }
        return false;
}

void handle_job_query(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        Slumber__JobQuery *q = env->job_query;
        Slumber__JobList m = SLUMBER__JOB_LIST__INIT;
        size_t max = q->limit ? MIN(q->limit, (uint32_t)PAGE_JOBS) : PAGE_JOBS;
        struct job_page p = { .viewer = viewer_of(ctl, caller) };

        if (job_refs_work(q->tasks, q->n_tasks) > TASKS_WORK) {
                reply_result(ctl, &caller->from, SLUMBER_TOO_BIG,
                                "the lists of tasks of arrays name too many");
                return;
        }
        sort_lists(q);
        page_init(&p.page, MIN(max, ctl->cluster->known_jobs));
        p.job = subset_new(&slumber__job__descriptor, q->fields, q->n_fields);
        p.spec = subset_new(&slumber__job_spec__descriptor, q->spec_fields, q->n_spec_fields);
        m.more = asks_for(q) ? fill_by_ids(ctl, caller, &p, q) : fill_all(ctl, caller, &p, q);
        m.jobs = page_records(&p.page);
        m.n_jobs = p.page.n;
        m.last_id = p.last_id;
        m.now = controller_now(ctl);
        ENVELOPE(reply, JOB_LIST, job_list, &m);
        reply_now(&caller->from, &reply);
        subset_free(p.job);
        subset_free(p.spec);
        page_done(&p.page);
}

/* ---- nodes ---- */

/* Adds the name of the user behind the reason, or the uid if the name is unknown. */
static void add_reason_user(const struct controller *ctl, struct node_message *m,
                const struct node *n) {
        const char *name = n->reason ? users_name(ctl->users, n->reason_uid) : NULL;

        if (n->reason)
                m->node.reason_user = m->reason_user =
                                name ? xstrdup(name) : xasprintf("%u", (unsigned)n->reason_uid);
}

static void add_power(const struct controller *ctl, struct node_message *m, const struct node *n,
                enum power_detail detail) {
        m->power = xnew(struct power_message, 1);
        power_message_init(m->power, ctl->cluster, n, detail, controller_now(ctl));
        if (detail != POWER_BRIEF)
                add_console(ctl, m->power, n);
        m->node.power = &m->power->power;
}

struct node_page {
        struct page page;
        struct node_message last; /* packed later, as the record may stand for more nodes */
        struct node_words words;
        struct viewer viewer;
        const struct node *before; /* the last node in the record; NULL: none */
        struct bitset *group;      /* the nodes of the last record, if nodes share records */
        size_t looked_at, n_seen, n_group;
        usec_t now;
};

/* Packs the last record, which is complete. */
static void node_page_end_record(const struct controller *ctl, struct node_page *p) {
        struct node_message *m = &p->last;

        if (!p->before)
                return;
        if (p->n_group > 1) {
                m->node.alike = m->alike = cluster_nodes_text(ctl->cluster, p->group);
                m->node.n_alike = (uint32_t)p->n_group;
        }
        if (p->n_group > 0)
                bitset_clear(p->group);
        p->n_group = 0;
        p->before = NULL;
        page_add(&p->page, &m->node.base);
        node_message_done(m);
}

/* Hides values that come from jobs (Owner, MCS label) or reservations the viewer may not see. */
static void node_message_hide(struct node_message *m, const struct viewer *v,
                const struct node *n) {
        const struct job *owner = node_sharing_owner(n), *labeller = node_sharing_labeller(v->c, n);

        if (owner && !viewer_sees_job(v, owner))
                m->node.owner = (char *)(uintptr_t)protobuf_c_empty_string;
        if (labeller && !viewer_sees_job(v, labeller))
                m->node.mcs_label = (char *)(uintptr_t)protobuf_c_empty_string;
        if (n->resv && !viewer_sees_reservation(v, n->resv))
                m->node.reservation = (char *)(uintptr_t)protobuf_c_empty_string;
}

/* Adds n to the page; returns false if the page is full. */
static bool node_page_add(struct controller *ctl, struct node_page *p, const Slumber__NodeQuery *q,
                const struct node *n) {
        if (++p->looked_at > PAGE_LOOKS)
                return false;
        if (!q->alike || !p->before || !nodes_alike(p->before, n)) {
                node_page_end_record(ctl, p);
                if (page_full(&p->page))
                        return false;
                node_message_init_with(&p->last, ctl->cluster, n, &p->words);
                node_message_hide(&p->last, &p->viewer, n);
                add_reason_user(ctl, &p->last, n);
                node_message_energy(&p->last, n, p->now);
                if (q->with_power || q->with_phase)
                        add_power(ctl, &p->last, n,
                                        !q->with_power   ? POWER_PHASE
                                        : q->brief_power ? POWER_BRIEF
                                                         : POWER_FULL);
        }
        p->before = n;
        p->n_seen++;
        if (q->alike) {
                bitset_add(p->group, n->index);
                p->n_group++;
        }
        return true;
}

/* Returns true if there are more nodes. */
static bool node_page_fill(struct controller *ctl, struct node_page *p, const Slumber__NodeQuery *q,
                const struct bitset *set) {
        const struct cluster *c = ctl->cluster;
        const struct node *after = *q->after ? cluster_node(c, q->after) : NULL;
        size_t skip = q->skip;

        for (size_t i = bitset_next(set, after ? after->index + 1 : 0); i != SIZE_MAX;
                        i = bitset_next(set, i + 1)) {
                if (c->nodes[i]->base == NODE_FUTURE && !q->with_future && !*q->nodes)
                        continue;
                if (skip)
                        skip--;
                else if (!node_page_add(ctl, p, q, c->nodes[i]))
                        return true;
        }
        return false;
}

void handle_node_query(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__NodeQuery *q = env->node_query;
        const struct cluster *c = ctl->cluster;
        _cleanup_(bitset_freep) struct bitset *set = NULL, *group = bitset_new(c->n_nodes);
        Slumber__NodeList m = SLUMBER__NODE_LIST__INIT;
        struct fail fail = { 0 };
        struct node_page p = {
                .viewer = viewer_of(ctl, caller),
                .group = group,
                .now = controller_now(ctl),
        };

        if (!viewer_sees_nodes(&p.viewer)) {
                reply_result(ctl, &caller->from, SLUMBER_ACCESS_DENIED, NULL);
                return;
        }
        if (cluster_nodes_parse(c, *q->nodes ? q->nodes : "ALL", &set, &fail) < 0) {
                reply_result(ctl, &caller->from, SLUMBER_BAD_NODE_NAME, fail.text);
                return;
        }
        page_init(&p.page, MIN(q->limit ? MIN(q->limit, (uint32_t)PAGE_NODES) : PAGE_NODES,
                                           c->n_nodes));
        m.now = p.now;
        m.more = node_page_fill(ctl, &p, q, set);
        node_page_end_record(ctl, &p);
        m.nodes = page_records(&p.page);
        m.n_nodes = p.page.n;
        m.n_seen = (uint32_t)p.n_seen;
        ENVELOPE(reply, NODE_LIST, node_list, &m);
        reply_now(&caller->from, &reply);
        node_words_done(&p.words);
        page_done(&p.page);
}

/* ---- partitions ---- */

void handle_partition_query(struct controller *ctl, const struct caller *caller,
                const Envelope *env) {
        const char *name = env->partition_query->name;
        const struct cluster *c = ctl->cluster;
        const struct viewer viewer = viewer_of(ctl, caller);
        Slumber__PartitionList m = SLUMBER__PARTITION_LIST__INIT;

        if (!viewer_sees_partitions(&viewer)) {
                reply_result(ctl, &caller->from, SLUMBER_ACCESS_DENIED, NULL);
                return;
        }
        struct partition_message *messages = xnew(struct partition_message, c->n_partitions);
        Slumber__Partition **pointers = xnew(Slumber__Partition *, c->n_partitions);

        for (size_t i = 0; i < c->n_partitions; i++) {
                if (*name && !streq(name, c->partitions[i]->name))
                        continue;
                partition_message_init(&messages[m.n_partitions], c, c->partitions[i]);
                pointers[m.n_partitions] = &messages[m.n_partitions].partition;
                m.n_partitions++;
        }
        m.partitions = pointers;
        m.sees_hidden = caller->operator;
        m.now = controller_now(ctl);
        ENVELOPE(reply, PARTITION_LIST, partition_list, &m);
        if (*name && m.n_partitions == 0)
                reply_result(ctl, &caller->from, SLUMBER_BAD_PARTITION, NULL);
        else
                reply_now(&caller->from, &reply);
        for (size_t i = 0; i < m.n_partitions; i++)
                partition_message_done(&messages[i]);
        free(messages);
        free(pointers);
}

/* ---- licenses ---- */

/* Returns the nodes in parentheses in a layer's name; the caller frees. */
static char *layer_nodes(const char *name) {
        const char *open = strchr(name, '(');

        return xstrndup(open + 1, strlen(open + 1) - 1);
}

void handle_license_query(struct controller *ctl, const struct caller *caller,
                const Envelope *env) {
        const struct licenses *l = &ctl->cluster->licenses;
        _cleanup_free_ Slumber__License *messages = xnew(Slumber__License, l->n + 1);
        _cleanup_free_ Slumber__License **pointers = xnew(Slumber__License *, l->n + 1);
        _cleanup_free_ char **nodes = xnew0(char *, l->n + 1);
        Slumber__LicenseList m = SLUMBER__LICENSE_LIST__INIT;
        const char *name = env->license_query->name;

        for (size_t i = 0; i < l->n; i++) {
                const struct license *of = &l->list[i];
                if (*name && !streq(name, of->name) && !(of->hres && streq(name, of->hres->name)))
                        continue;
                Slumber__License *to = pointers[m.n_licenses++] = &messages[i];
                slumber__license__init(to);
                to->name = of->name;
                to->total = of->total;
                to->used = of->used;
                to->reserved = of->reserved;
                to->infinite = of->infinite;
                if (of->hres) {
                        to->name = of->hres->name;
                        to->nodes = nodes[i] = layer_nodes(of->name);
                        to->mode = of->hres->mode;
                }
        }
        m.licenses = pointers;
        m.now = controller_now(ctl);
        ENVELOPE(reply, LICENSE_LIST, license_list, &m);
        reply_now(&caller->from, &reply);
        for (size_t i = 0; i < l->n; i++)
                free(nodes[i]);
}

/* ---- configuration, ping ---- */

/* Returns whether s is called name ("*": any) or is above the node name, and is above all nodes. */
static bool topology_switch_is_asked(const struct topology_switch *s, const char *name,
                const struct hostlist *nodes) {
        if (!streq(name, "*") && !streq(name, s->name) && !hostlist_has(s->nodes, name))
                return false;
        for (size_t i = 0; i < hostlist_count(nodes); i++)
                if (!hostlist_has(s->nodes, hostlist_get(nodes, i)))
                        return false;
        return true;
}

/* Returns the switches in Slurm's format that are name or above name ("*": any) and above all asked
   nodes; the caller frees. */
static char **topology_lines(const struct topology *t, const char *name,
                const struct hostlist *asked, size_t *ret_n) {
        char **lines = xnew(char *, t->n + 1);
        size_t n = 0;

        if (t->n == 0) /* a flat topology has no switches */
                lines[n++] = xstrdup("No topology information available");
        for (size_t i = 0; i < t->n; i++) {
                const struct topology_switch *s = &t->list[i];
                if (!topology_switch_is_asked(s, name, asked))
                        continue;
                _cleanup_free_ char *nodes = hostlist_text(s->nodes),
                                    *switches = s->switches ? hostlist_text(s->switches) : NULL;
                lines[n++] = xasprintf("SwitchName=%s Level=%u LinkSpeed=%s Nodes=%s%s%s", s->name,
                                s->level, s->link_speed, nodes, switches ? " Switches=" : "",
                                strempty(switches));
        }
        *ret_n = n;
        return lines;
}

static void reply_topology(struct controller *ctl, const struct caller *caller,
                const Slumber__ConfigQuery *q) {
        const struct topologies *all = config_topologies(ctl->cluster->config);
        const struct topology *named = topologies_find(all, q->topology), *t = NULL;
        _cleanup_(hostlist_freep) struct hostlist *nodes = NULL;
        Slumber__ConfigList m = SLUMBER__CONFIG_LIST__INIT;
        struct fail fail = { 0 };

        if (*q->topology_name)
                t = topologies_find(all, q->topology_name);
        else if (all)
                t = named ? named : all->list[all->usual];
        if (hostlist_parse(q->topology_nodes, &nodes, &fail) < 0) {
                reply_result(ctl, &caller->from, SLUMBER_BAD_NODE_NAME, fail.text);
                return;
        }
        if (t)
                m.topology = topology_lines(t, named && !*q->topology_name ? "*" : q->topology,
                                nodes, &m.n_topology);
        ENVELOPE(reply, CONFIG_LIST, config_list, &m);
        reply_now(&caller->from, &reply);
        texts_free(m.topology, m.n_topology);
}

/* A cluster without topology file has a flat topology. */
static void reply_topoconf(struct controller *ctl, const struct caller *caller) {
        static struct topology flat = { .name = (char *)(uintptr_t)TOPOLOGY_USUAL };
        static struct topology *list[] = { &flat };
        const struct topologies none = { .list = list, .n = 1 },
                                *all = config_topologies(ctl->cluster->config);
        _cleanup_free_ char *text = topologies_text(all ? all : &none);
        Slumber__ConfigList m = SLUMBER__CONFIG_LIST__INIT;

        m.topology = &text;
        m.n_topology = 1;
        ENVELOPE(reply, CONFIG_LIST, config_list, &m);
        reply_now(&caller->from, &reply);
}

/* SlurmctldHost[1] and following. */
struct backup_setting {
        char key[40], *value;
        Slumber__KeyValue row;
};

static struct backup_setting *backup_settings_new(const struct config *config) {
        struct backup_setting *all = xnew0(struct backup_setting, config->n_controllers);

        for (size_t i = 1; i < config->n_controllers; i++) {
                struct backup_setting *s = &all[i];
                snprintf(s->key, sizeof s->key, "SlurmctldHost[%zu]", i);
                s->value = config_controller_text(config, i);
                slumber__key_value__init(&s->row);
                s->row.key = s->key;
                s->row.value = s->value;
        }
        return all;
}

static void backup_settings_free(struct backup_setting *all, size_t n) {
        for (size_t i = 1; i < n; i++)
                free(all[i].value);
        free(all);
}

/* Values known only now. */
struct live_values {
        char *next_id, *debug, boot[TIMETEXT_MAX];
};

/* Returns the value in force: scontrol may have changed the file's. Borrowed. */
static const char *setting_value(const struct cluster *c, const struct config_setting *s,
                const struct live_values *live) {
        for (int k = 0; k < EXCLUDE_KIND_MAX; k++)
                if (streq(s->key, exclude_kind_text(k)))
                        return strna(c->exclusions.text[k]);
        if (streq(s->key, "NEXT_JOB_ID"))
                return live->next_id;
        if (streq(s->key, "DebugFlags") && c->debug != c->config->debug)
                return live->debug ? live->debug : "(null)";
        if (streq(s->key, "BOOT_TIME"))
                return live->boot;
        return s->value ? s->value : "(null)";
}

static void reply_config(struct controller *ctl, const struct caller *caller) {
        const struct cluster *c = ctl->cluster;
        const struct config *config = c->config;
        struct live_values live = { .next_id = xasprintf("%u", c->next_job_id),
                .debug = debug_flags_text(c->debug) };
        struct backup_setting *backups = backup_settings_new(config);
        _cleanup_free_ Slumber__KeyValue *values = xnew(Slumber__KeyValue, config->n_settings);
        _cleanup_free_ Slumber__KeyValue **pointers = xnew(Slumber__KeyValue *,
                        config->n_settings + config->n_controllers);
        Slumber__ConfigList m = SLUMBER__CONFIG_LIST__INIT;

        (void)time_text(ctl->boot_time, "standard", live.boot);
        for (size_t i = 0; i < config->n_settings; i++) {
                const struct config_setting *s = &config->settings[i];
                if (s->hidden)
                        continue;
                slumber__key_value__init(&values[i]);
                values[i].key = (char *)(uintptr_t)s->key;
                values[i].value = (char *)(uintptr_t)setting_value(c, s, &live);
                pointers[m.n_settings++] = &values[i];
                size_t n = streq(s->key, "SlurmctldHost[0]") ? config->n_controllers : 0;
                for (size_t k = 1; k < n; k++)
                        pointers[m.n_settings++] = &backups[k].row;
        }
        m.settings = pointers;
        m.now = controller_now(ctl);
        m.controller_host = ctl->host;
        ENVELOPE(reply, CONFIG_LIST, config_list, &m);
        reply_now(&caller->from, &reply);
        backup_settings_free(backups, config->n_controllers);
        free(live.next_id);
        free(live.debug);
}

void handle_config_query(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        if (env->config_query->topoconf)
                reply_topoconf(ctl, caller);
        else if (*env->config_query->topology)
                reply_topology(ctl, caller, env->config_query);
        else
                reply_config(ctl, caller);
}
