/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Long lists come in pages so that they never hold up the controller's loop: ask, keep the reply, ask again for what
 * comes after its last record until it says that there is no more. */
#include "commands/query.h"

static int answer(struct wire *w, uint64_t id, struct arena *arena,
                Slumber__Envelope__BodyCase wanted, Envelope **ret, uint32_t *ret_code,
                struct fail *fail) {
        Envelope *reply;
        int r = wire_answer_in(w, id, arena, &reply, ret_code, fail);

        if (r < 0)
                return r;
        if (reply->body_case != wanted)
                return fail_set(fail, -EPROTO,
                                "the controller answered something else (message %d)",
                                (int)reply->body_case);
        *ret = reply;
        return 0;
}

/* One request; the reply must be of the kind wanted. */
static int call(struct wire *w, Envelope *request, struct arena *arena,
                Slumber__Envelope__BodyCase wanted, Envelope **ret, uint32_t *ret_code,
                struct fail *fail) {
        int r = wire_ask(w, request, fail);

        return r < 0 ? r : answer(w, request->id, arena, wanted, ret, ret_code, fail);
}

/* Appends n pointers to an array of *used; the kinds differ only in the type of the pointer. */
static void **append(void **all, size_t *used, void **page, size_t n) {
        all = xrenew(all, *used + n + 1);
        if (n)
                memcpy(all + *used, page, n * sizeof *all);
        *used += n;
        return all;
}

static int ask_jobs(struct wire *w, Slumber__JobQuery *q, uint64_t *ret_id, struct fail *fail) {
        ENVELOPE(request, JOB_QUERY, job_query, q);
        int r = wire_ask(w, &request, fail);

        *ret_id = request.id;
        return r;
}

/* Its records are not looked into before it has come. */
static int read_jobs(struct job_list *ret, const Slumber__JobList *page, struct fail *fail) {
        ret->jobs = xrenew(ret->jobs, ret->n_jobs + page->n_jobs + 1);
        for (size_t i = 0; i < page->n_jobs; i++) {
                Job *job = wire_read_job(&ret->pages.arena, page->jobs[i].data, page->jobs[i].len);
                if (!job)
                        return fail_set(fail, -EPROTO, "the controller's record %zu is not one of a job", ret->n_jobs + 1);
                ret->jobs[ret->n_jobs++] = job;
        }
        return 0;
}

int query_jobs(struct wire *w, const Slumber__JobQuery *query, struct job_list *ret,
                uint32_t *ret_code, struct fail *fail) {
        Slumber__JobQuery q = *query;
        bool more = true;
        uint64_t id;

        *ret = (struct job_list){ 0 };
        int r = ask_jobs(w, &q, &id, fail);
        while (r >= 0 && more) {
                Envelope *reply = NULL;

                r = answer(w, id, &ret->pages.arena, SLUMBER__ENVELOPE__BODY_JOB_LIST, &reply, ret_code, fail);
                if (r < 0)
                        break;
                more = reply->job_list->more && reply->job_list->last_id > q.after_id;
                q.after_id = reply->job_list->last_id;
                ret->pages.now = reply->job_list->now;
                if (more) /* before this one is read: the next is made meanwhile */
                        r = ask_jobs(w, &q, &id, fail);
                if (r >= 0)
                        r = read_jobs(ret, reply->job_list, fail);
        }
        if (r < 0)
                job_list_done(ret);
        return r;
}

static int ask_nodes(struct wire *w, Slumber__NodeQuery *q, uint64_t *ret_id, struct fail *fail) {
        ENVELOPE(request, NODE_QUERY, node_query, q);
        int r = wire_ask(w, &request, fail);

        *ret_id = request.id;
        return r;
}

/* Nodes do not come and go, so pages can be asked for by number: the next one is made while this one is read.  The answer to a
   question too many is dropped by whoever asks next. */
static int next_nodes(struct wire *w, Slumber__NodeQuery *q, uint64_t ids[2], size_t page,
                struct fail *fail) {
        int r = 0;

        ids[0] = ids[1];
        if (!ids[0]) { /* the first page is here: it tells how many are in one */
                q->skip = (uint32_t)page;
                r = ask_nodes(w, q, &ids[0], fail);
        }
        q->skip += (uint32_t)page;
        return r < 0 ? r : ask_nodes(w, q, &ids[1], fail);
}

/* Only the pages tell how many nodes their records stand for. */
static int next_alike(struct wire *w, Slumber__NodeQuery *q, const Slumber__NodeList *list, uint64_t ids[2], struct fail *fail) {
        for (size_t i = 0; i < list->n_nodes; i++)
                q->skip += MAX(list->nodes[i]->n_alike, 1u);
        return ask_nodes(w, q, &ids[0], fail);
}

static void keep_nodes(struct node_list *ret, Envelope *reply) {
        Slumber__NodeList *list = reply->node_list;

        ret->pages.now = list->now;
        ret->nodes = (Node **)append(
                        (void **)ret->nodes, &ret->n_nodes, (void **)list->nodes, list->n_nodes);
}

/* Hands a page over and forgets it. */
static void give_nodes(struct node_list *list, node_page_t *page, void *user) {
        page(list, user);
        node_list_done(list);
}

static int get_nodes(struct wire *w, const Slumber__NodeQuery *query, struct node_list *ret, node_page_t *give, void *user,
                uint32_t *ret_code, struct fail *fail) {
        Slumber__NodeQuery q = *query;
        uint64_t ids[2] = { 0, 0 }; /* of the questions under way */
        size_t page = 0;
        bool more = true;
        int r;

        *ret = (struct node_list){ 0 };
        r = ask_nodes(w, &q, &ids[0], fail);
        while (r >= 0 && more) {
                Envelope *reply = NULL;

                r = answer(w, ids[0], &ret->pages.arena, SLUMBER__ENVELOPE__BODY_NODE_LIST, &reply,
                                ret_code, fail);
                if (r < 0)
                        break;
                more = reply->node_list->more && reply->node_list->n_nodes > 0;
                page = page ? page : reply->node_list->n_nodes;
                keep_nodes(ret, reply);
                if (more) /* before anything is done with this one: the next is made meanwhile */
                        r = q.alike ? next_alike(w, &q, reply->node_list, ids, fail) : next_nodes(w, &q, ids, page, fail);
                if (give)
                        give_nodes(ret, give, user);
        }
        if (r < 0)
                node_list_done(ret);
        return r;
}

int query_nodes(struct wire *w, const Slumber__NodeQuery *query, struct node_list *ret,
                uint32_t *ret_code, struct fail *fail) {
        return get_nodes(w, query, ret, NULL, NULL, ret_code, fail);
}

int query_node_pages(struct wire *w, const Slumber__NodeQuery *query, node_page_t *page, void *user, struct fail *fail) {
        struct node_list list;

        return get_nodes(w, query, &list, page, user, NULL, fail);
}

int query_partitions(struct wire *w, const char *name, struct partition_list *ret,
                uint32_t *ret_code, struct fail *fail) {
        Slumber__PartitionQuery q = SLUMBER__PARTITION_QUERY__INIT;
        Envelope *reply = NULL;
        int r;

        *ret = (struct partition_list){ 0 };
        if (name)
                q.name = (char *)name;
        ENVELOPE(request, PARTITION_QUERY, partition_query, &q);
        r = call(w, &request, &ret->pages.arena, SLUMBER__ENVELOPE__BODY_PARTITION_LIST, &reply,
                        ret_code, fail);
        if (r < 0) {
                partition_list_done(ret);
                return r;
        }

        Slumber__PartitionList *list = reply->partition_list;
        ret->pages.now = list->now;
        ret->sees_hidden = list->sees_hidden;
        ret->partitions = (Partition **)append((void **)ret->partitions, &ret->n_partitions,
                        (void **)list->partitions, list->n_partitions);
        return 0;
}

int query_licenses(struct wire *w, const char *name, struct license_list *ret, uint32_t *ret_code, struct fail *fail) {
        Slumber__LicenseQuery q = SLUMBER__LICENSE_QUERY__INIT;
        Envelope *reply = NULL;

        *ret = (struct license_list){ 0 };
        if (name)
                q.name = (char *)name;
        ENVELOPE(request, LICENSE_QUERY, license_query, &q);
        int r = call(w, &request, &ret->pages.arena, SLUMBER__ENVELOPE__BODY_LICENSE_LIST, &reply, ret_code, fail);
        if (r < 0) {
                license_list_done(ret);
                return r;
        }
        ret->pages.now = reply->license_list->now;
        ret->licenses = reply->license_list->licenses;
        ret->n_licenses = reply->license_list->n_licenses;
        return 0;
}

int query_instances(struct wire *w, const Slumber__InstanceQuery *query, struct instance_list *ret,
                uint32_t *ret_code, struct fail *fail) {
        Slumber__InstanceQuery q = *query;
        bool more = true;

        *ret = (struct instance_list){ 0 };
        while (more) {
                Envelope *reply = NULL;
                ENVELOPE(request, INSTANCE_QUERY, instance_query, &q);
                int r = call(w, &request, &ret->pages.arena, SLUMBER__ENVELOPE__BODY_INSTANCE_LIST, &reply, ret_code, fail);
                if (r < 0) {
                        instance_list_done(ret);
                        return r;
                }
                Slumber__InstanceList *list = reply->instance_list;
                ret->pages.now = list->now;
                ret->instances = (Slumber__Instance **)append((void **)ret->instances, &ret->n_instances,
                                (void **)list->instances, list->n_instances);
                more = list->more && list->n_instances > 0;
                if (more)
                        q.after = list->instances[list->n_instances - 1]->row;
        }
        return 0;
}

void license_list_done(struct license_list *list) {
        arena_done(&list->pages.arena);
        *list = (struct license_list){ 0 };
}

void instance_list_done(struct instance_list *list) {
        arena_done(&list->pages.arena);
        free(list->instances);
        *list = (struct instance_list){ 0 };
}

void job_list_done(struct job_list *list) {
        arena_done(&list->pages.arena);
        free(list->jobs);
        *list = (struct job_list){ 0 };
}

void node_list_done(struct node_list *list) {
        arena_done(&list->pages.arena);
        free(list->nodes);
        *list = (struct node_list){ 0 };
}

void partition_list_done(struct partition_list *list) {
        arena_done(&list->pages.arena);
        free(list->partitions);
        *list = (struct partition_list){ 0 };
}
