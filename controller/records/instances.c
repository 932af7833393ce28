/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instances of nodes as rows of the accounting file.  An instance is a cloud's machine that serves
 * as a node for a while.
 *
 * A row begins when a node gets an instance id or type without having had either, or a different
 * id.  A row ends when the node has neither any longer (switched off, or cleared by an admin), gets
 * a different id, or is removed from the configuration.  A change of the type or extra text belongs
 * to the present instance. node->accounted is the open row as last written; changes of a turn are
 * compared with it.  After a crash the open rows are compared with the nodes, so only an instance
 * that came and went in between is lost. */
#include "controller/records/instances.h"

#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"
#include "controller/orders/viewer.h"
#include "controller/store/accounting.h"
#include "lib/log.h"
#include "lib/sorted.h"

#define PAGE_INSTANCES 5000

/* ---- writing ---- */

static struct instance instance_row(const struct controller *ctl, const struct node *n) {
        return (struct instance){ .cluster = ctl->cluster->config->cluster_name,
                .node = n->name,
                .id = strempty(n->instance_id),
                .type = strempty(n->instance_type),
                .extra = strempty(n->extra),
                .start = controller_now(ctl) };
}

static void instance_set_accounted(struct node *n, const struct instance *i) {
        n->accounted = node_instance_free(n->accounted);
        n->accounted = xnew(struct node_instance, 1);
        *n->accounted = (struct node_instance){ xstrdup(i->id), xstrdup(i->type),
                xstrdup(i->extra) };
}

static void instance_end(struct controller *ctl, const char *node) {
        accounting_instance_end(ctl->accounting, ctl->cluster->config->cluster_name, node,
                        controller_now(ctl));
}

static bool same_row(const struct node_instance *a, const struct instance *b) {
        return streq(a->id, b->id) && streq(a->type, b->type) && streq(a->extra, b->extra);
}

void instances_note(struct controller *ctl, struct node *n) {
        bool has = !isempty(n->instance_id) || !isempty(n->instance_type);

        if (!ctl->accounting || (!has && !n->accounted))
                return;
        struct instance i = instance_row(ctl, n);
        if (!has) {
                instance_end(ctl, n->name);
                n->accounted = node_instance_free(n->accounted);
                return;
        }
        if (n->accounted && same_row(n->accounted, &i))
                return;
        if (n->accounted && (isempty(n->accounted->id) || streq(n->accounted->id, i.id)))
                accounting_instance_change(ctl->accounting, &i);
        else
                accounting_instance_begin(ctl->accounting, &i);
        instance_set_accounted(n, &i);
}

struct hostlist *instances_of(const struct controller *ctl, const struct bitset *stay) {
        struct hostlist *list = NULL;

        for (size_t i = 0; i < ctl->cluster->n_nodes; i++) {
                if (bitset_has(stay, i) || !ctl->cluster->nodes[i]->accounted)
                        continue;
                list = list ? list : hostlist_new();
                hostlist_push(list, ctl->cluster->nodes[i]->name);
        }
        return list;
}

void instances_gone(struct controller *ctl, const struct hostlist *nodes) {
        for (size_t i = 0; nodes && i < hostlist_count(nodes); i++)
                instance_end(ctl, hostlist_get(nodes, i));
}

/* ---- start ---- */

struct old_rows {
        struct controller *ctl;
        char **gone; /* nodes whose instance has ended */
        size_t n, allocated;
};

static void instance_match_row(const struct instance *i, void *user) {
        struct old_rows *old = user;
        struct node *n = cluster_node(old->ctl->cluster, i->node);

        if (n && streq(strempty(n->instance_id), i->id) && (*i->id || !isempty(n->instance_type))) {
                instance_set_accounted(n, i);
                return;
        }
        GROW(old->gone, old->allocated, old->n);
        old->gone[old->n++] = xstrdup(i->node);
}

static void on_trouble(int r, const char *why, void *user) {
        struct controller *ctl = user;

        ctl->accounts_failed = MIN(r, 0);
        if (r < 0)
                log_error(r, "The accounts cannot be written, their rows are kept until they can: %s",
                                why);
        else
                log_info("The accounts are written again");
}

int instances_open(struct controller *ctl, struct fail *fail) {
        const struct config *config = ctl->cluster->config;

        if (config->accounting_off)
                return 0;
        return accounting_open(config->state_save_location, config->site.store, ctl->event,
                        on_trouble, ctl, &ctl->accounting, fail);
}

int instances_start(struct controller *ctl, struct fail *fail) {
        struct cluster *c = ctl->cluster;
        struct old_rows old = { .ctl = ctl };

        if (!ctl->accounting)
                return 0;
        int r = accounting_instances_last(ctl->accounting, c->config->cluster_name,
                        instance_match_row, &old, fail);
        for (size_t i = 0; i < old.n; i++) {
                if (r >= 0)
                        instance_end(ctl, old.gone[i]);
                free(old.gone[i]);
        }
        free(old.gone);
        for (size_t i = 0; i < c->n_nodes && r >= 0; i++)
                instances_note(ctl, c->nodes[i]);
        return r;
}

/* ---- queries ---- */

struct instance_filter {
        struct address to;
        struct controller *ctl;
        Slumber__InstanceQuery *query; /* owned */
        struct hostlist *nodes;        /* NULL: all */
};

static bool instance_filter_has(char *const *list, size_t n, const char *word, enum name_case of) {
        return n == 0 || sorted_has_name(list, n, word, of);
}

static bool instance_matches(const struct instance *i, void *user) {
        const struct instance_filter *f = user;
        const Slumber__InstanceQuery *q = f->query;

        return instance_filter_has(q->clusters, q->n_clusters, i->cluster, ANY_CASE) &&
               instance_filter_has(q->instance_ids, q->n_instance_ids, i->id, EXACT_CASE) &&
               instance_filter_has(q->instance_types, q->n_instance_types, i->type, EXACT_CASE) &&
               instance_filter_has(q->extras, q->n_extras, i->extra, EXACT_CASE) &&
               (!f->nodes || hostlist_has(f->nodes, i->node));
}

static void filter_free(struct instance_filter *f) {
        address_done(&f->to);
        slumber__instance_query__free_unpacked(f->query, NULL);
        hostlist_free(f->nodes);
        free(f);
}

static void instances_reply(struct instance_filter *f, const struct instance_list *list) {
        Slumber__InstanceList m = SLUMBER__INSTANCE_LIST__INIT;
        _cleanup_free_ Slumber__Instance *rows = xnew(Slumber__Instance, list->n);
        _cleanup_free_ Slumber__Instance **pointers = xnew(Slumber__Instance *, list->n);

        for (size_t k = 0; k < list->n; k++) {
                const struct instance *from = &list->rows[k];
                Slumber__Instance *to = pointers[k] = &rows[k];
                slumber__instance__init(to);
                to->row = from->row;
                to->cluster = (char *)(uintptr_t)from->cluster;
                to->node = (char *)(uintptr_t)from->node;
                to->instance_id = (char *)(uintptr_t)from->id;
                to->instance_type = (char *)(uintptr_t)from->type;
                to->extra = (char *)(uintptr_t)from->extra;
                to->time_start = from->start;
                to->time_end = from->end;
        }
        m.instances = pointers;
        m.n_instances = list->n;
        m.more = list->more;
        m.now = controller_now(f->ctl);
        ENVELOPE(env, INSTANCE_LIST, instance_list, &m);
        reply_now(&f->to, &env);
}

static void instances_on_rows(int r, const char *why, const struct instance_list *list,
                void *user) {
        struct instance_filter *f = user;

        if (r < 0)
                reply_result(f->ctl, &f->to, SLUMBER_FAILED, why);
        else
                instances_reply(f, list);
        filter_free(f);
}

/* A sorted copy of the query, which outlives the received message. */
static Slumber__InstanceQuery *instance_query_copy(const Slumber__InstanceQuery *q) {
        Slumber__InstanceQuery *mine = wire_copy(&q->base);

        sort_names(mine->clusters, mine->n_clusters, ANY_CASE);
        sort_names(mine->instance_ids, mine->n_instance_ids, EXACT_CASE);
        sort_names(mine->instance_types, mine->n_instance_types, EXACT_CASE);
        sort_names(mine->extras, mine->n_extras, EXACT_CASE);
        return mine;
}

void handle_instance_query(struct controller *ctl, const struct caller *caller,
                const Envelope *env) {
        const struct viewer viewer = viewer_of(ctl, caller);
        const Slumber__InstanceQuery *q = env->instance_query;
        struct hostlist *nodes = NULL;
        struct fail fail = { 0 };

        if (!viewer_sees_events(&viewer)) {
                reply_result(ctl, &caller->from, SLUMBER_ACCESS_DENIED, NULL);
                return;
        }
        if (!ctl->accounting) {
                reply_result(ctl, &caller->from, SLUMBER_NOT_SUPPORTED,
                                "AccountingStorageType is accounting_storage/none: nothing is kept");
                return;
        }
        if (*q->nodes && hostlist_parse(q->nodes, &nodes, &fail) < 0) {
                reply_result(ctl, &caller->from, SLUMBER_BAD_NODE_NAME, fail.text);
                return;
        }
        struct instance_filter *f = xnew0(struct instance_filter, 1);
        *f = (struct instance_filter){ address_copy(&caller->from), ctl, instance_query_copy(q),
                nodes };
        const struct instance_query query = { .after = q->after,
                .limit = q->limit ? MIN(q->limit, (uint32_t)PAGE_INSTANCES) : PAGE_INSTANCES,
                .from = q->time_start,
                .until = q->time_end,
                .wanted = instance_matches,
                .user = f };
        accounting_instances(ctl->accounting, &query, instances_on_rows, f);
}
