/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Long lists are fetched in pages, so that lists never block the controller's loop: each request
 * asks for the records after the last record. Records of jobs and nodes are packed in pages, so
 * that the controller makes the next page while the command reads the present page. Memory is
 * reused for each record unless the list keeps records. */
#include "commands/query.h"
#include "lib/errors.h"

static int query_answer(struct wire *w, uint64_t id, struct arena *arena,
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

/* Sends a request; the reply must be of the wanted kind. */
static int query_call(struct wire *w, Envelope *request, struct arena *arena,
                Slumber__Envelope__BodyCase wanted, Envelope **ret, uint32_t *ret_code,
                struct fail *fail) {
        int r = wire_ask(w, request, fail);

        return r < 0 ? r : query_answer(w, request->id, arena, wanted, ret, ret_code, fail);
}

/* Appends n pointers to an array of *used pointers, of any type. */
static void **pages_append(void **all, size_t *used, void **page, size_t n) {
        all = xrenew(all, *used + n + 1);
        if (n)
                memcpy(all + *used, page, n * sizeof *all);
        *used += n;
        return all;
}

/* ---- jobs and nodes ---- */

struct page {
        const ProtobufCBinaryData *records;
        size_t n;
        usec_t now;
        bool more;
};

/* A kind of list. next() returns the contents of a page and changes the request to ask for the
   next page. */
struct listing {
        Slumber__Envelope__BodyCase body;
        const ProtobufCMessageDescriptor *record;
        struct page (*next)(Envelope *request, const Envelope *reply);
};

static struct page next_jobs(Envelope *request, const Envelope *reply) {
        const Slumber__JobList *list = reply->job_list;
        bool on = list->last_id > request->job_query->after_id;

        request->job_query->after_id = list->last_id;
        return (struct page){ list->jobs, list->n_jobs, list->now, list->more && on };
}

static struct page next_nodes(Envelope *request, const Envelope *reply) {
        const Slumber__NodeList *list = reply->node_list;

        request->node_query->skip += list->n_seen;
        return (struct page){ list->nodes, list->n_nodes, list->now,
                list->more && list->n_seen > 0 };
}

static const struct listing jobs_listing = {
        SLUMBER__ENVELOPE__BODY_JOB_LIST,
        &slumber__job__descriptor,
        next_jobs,
};
static const struct listing nodes_listing = {
        SLUMBER__ENVELOPE__BODY_NODE_LIST,
        &slumber__node__descriptor,
        next_nodes,
};

struct reader {
        const struct listing *listing;
        query_each_t *each;
        void *user;
        struct arena *kept; /* memory of kept records; NULL: records are not kept */
        usec_t *now;
};

static int read_page(const struct wire *w, const struct reader *to, const struct page *page,
                struct fail *fail) {
        struct arena one = { 0 };
        int r = 0;

        for (size_t i = 0; i < page->n && r >= 0; i++) {
                ProtobufCMessage *record = wire_read_record(to->kept ? to->kept : &one,
                                to->listing->record, page->records[i]);

                if (record) {
                        wire_clean(w, record);
                        to->each(record, to->user);
                } else {
                        r = fail_set(fail, -EPROTO, "the controller's record is no %s",
                                        to->listing->record->short_name);
                }
                arena_reset(&one);
        }
        arena_done(&one);
        return r;
}

static int read_pages(struct wire *w, Envelope *request, const struct reader *to,
                uint32_t *ret_code, struct fail *fail) {
        struct page page = { .more = true };
        struct arena arena = { 0 };
        int r = wire_ask(w, request, fail);

        while (r >= 0 && page.more) {
                Envelope *reply = NULL;

                arena_reset(&arena);
                r = query_answer(w, request->id, &arena, to->listing->body, &reply, ret_code, fail);
                if (r < 0)
                        break;
                page = to->listing->next(request, reply);
                *to->now = page.now;
                if (page.more) /* the controller makes the next page meanwhile */
                        r = wire_ask(w, request, fail);
                if (r >= 0)
                        r = read_page(w, to, &page, fail);
        }
        arena_done(&arena);
        return r;
}

static int query_read_jobs(struct wire *w, const Slumber__JobQuery *query, const struct reader *to,
                uint32_t *ret_code, struct fail *fail) {
        Slumber__JobQuery q = *query;

        ENVELOPE(request, JOB_QUERY, job_query, &q);
        return read_pages(w, &request, to, ret_code, fail);
}

static int query_read_nodes(struct wire *w, const Slumber__NodeQuery *query,
                const struct reader *to, uint32_t *ret_code, struct fail *fail) {
        Slumber__NodeQuery q = *query;

        ENVELOPE(request, NODE_QUERY, node_query, &q);
        return read_pages(w, &request, to, ret_code, fail);
}

int query_each_job(struct wire *w, const Slumber__JobQuery *query, query_each_t *each, void *user,
                usec_t *now, struct fail *fail) {
        return query_read_jobs(w, query, &(struct reader){ &jobs_listing, each, user, NULL, now },
                        NULL, fail);
}

int query_each_node(struct wire *w, const Slumber__NodeQuery *query, query_each_t *each, void *user,
                usec_t *now, struct fail *fail) {
        return query_read_nodes(w, query, &(struct reader){ &nodes_listing, each, user, NULL, now },
                        NULL, fail);
}

static void keep_job(const void *record, void *user) {
        struct job_list *to = user;

        GROW(to->jobs, to->allocated, to->n_jobs);
        to->jobs[to->n_jobs++] = (Job *)(uintptr_t)record;
}

int query_jobs(struct wire *w, const Slumber__JobQuery *query, struct job_list *ret,
                uint32_t *ret_code, struct fail *fail) {
        *ret = (struct job_list){ 0 };
        struct reader to = { &jobs_listing, keep_job, ret, &ret->pages.arena, &ret->pages.now };
        int r = query_read_jobs(w, query, &to, ret_code, fail);
        if (r < 0)
                job_list_done(ret);
        return r;
}

static void keep_node(const void *record, void *user) {
        struct node_list *to = user;

        GROW(to->nodes, to->allocated, to->n_nodes);
        to->nodes[to->n_nodes++] = (Node *)(uintptr_t)record;
}

int query_nodes(struct wire *w, const Slumber__NodeQuery *query, struct node_list *ret,
                uint32_t *ret_code, struct fail *fail) {
        *ret = (struct node_list){ 0 };
        struct reader to = { &nodes_listing, keep_node, ret, &ret->pages.arena, &ret->pages.now };
        int r = query_read_nodes(w, query, &to, ret_code, fail);
        if (r < 0)
                node_list_done(ret);
        return r;
}

/* ---- short lists ---- */

int query_partitions(struct wire *w, const char *name, struct partition_list *ret,
                uint32_t *ret_code, struct fail *fail) {
        Slumber__PartitionQuery q = SLUMBER__PARTITION_QUERY__INIT;
        Envelope *reply = NULL;
        int r;

        *ret = (struct partition_list){ 0 };
        if (name)
                q.name = (char *)name;
        ENVELOPE(request, PARTITION_QUERY, partition_query, &q);
        r = query_call(w, &request, &ret->pages.arena, SLUMBER__ENVELOPE__BODY_PARTITION_LIST,
                        &reply, ret_code, fail);
        if (r < 0) {
                partition_list_done(ret);
                return r;
        }

        Slumber__PartitionList *list = reply->partition_list;
        ret->pages.now = list->now;
        ret->sees_hidden = list->sees_hidden;
        ret->partitions = (Partition **)pages_append((void **)ret->partitions, &ret->n_partitions,
                        (void **)list->partitions, list->n_partitions);
        return 0;
}

int query_licenses(struct wire *w, const char *name, struct license_list *ret, uint32_t *ret_code,
                struct fail *fail) {
        Slumber__LicenseQuery q = SLUMBER__LICENSE_QUERY__INIT;
        Envelope *reply = NULL;

        *ret = (struct license_list){ 0 };
        if (name)
                q.name = (char *)name;
        ENVELOPE(request, LICENSE_QUERY, license_query, &q);
        int r = query_call(w, &request, &ret->pages.arena, SLUMBER__ENVELOPE__BODY_LICENSE_LIST,
                        &reply, ret_code, fail);
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
                int r = query_call(w, &request, &ret->pages.arena,
                                SLUMBER__ENVELOPE__BODY_INSTANCE_LIST, &reply, ret_code, fail);
                if (r < 0) {
                        instance_list_done(ret);
                        return r;
                }
                Slumber__InstanceList *list = reply->instance_list;
                ret->pages.now = list->now;
                ret->instances = (Slumber__Instance **)pages_append((void **)ret->instances,
                                &ret->n_instances, (void **)list->instances, list->n_instances);
                more = list->more && list->n_instances > 0;
                if (more)
                        q.after = list->instances[list->n_instances - 1]->row;
        }
        return 0;
}

int query_ended(struct wire *w, const Slumber__EndedQuery *query, struct ended_list *ret,
                uint32_t *ret_code, struct fail *fail) {
        Slumber__EndedQuery q = *query;
        bool more = true;

        *ret = (struct ended_list){ 0 };
        while (more) {
                Envelope *reply = NULL;
                ENVELOPE(request, ENDED_QUERY, ended_query, &q);
                int r = query_call(w, &request, &ret->pages.arena,
                                SLUMBER__ENVELOPE__BODY_ENDED_LIST, &reply, ret_code, fail);
                if (r < 0) {
                        ended_list_done(ret);
                        return r;
                }
                Slumber__EndedList *list = reply->ended_list;
                ret->pages.now = list->now;
                ret->jobs = (Slumber__Ended **)pages_append((void **)ret->jobs, &ret->n_jobs,
                                (void **)list->jobs, list->n_jobs);
                ret->steps = (Slumber__EndedStep **)pages_append((void **)ret->steps, &ret->n_steps,
                                (void **)list->steps, list->n_steps);
                more = list->more && list->n_jobs + list->n_steps > 0;
                if (more)
                        q.after = q.steps ? list->steps[list->n_steps - 1]->row
                                          : list->jobs[list->n_jobs - 1]->row;
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

void ended_list_done(struct ended_list *list) {
        arena_done(&list->pages.arena);
        free(list->jobs);
        free(list->steps);
        arena_done(&list->step_pages.arena);
        *list = (struct ended_list){ 0 };
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

int query_accounts(struct wire *w, Slumber__AcctQuery *query, query_accounts_t *each, void *user,
                uint32_t *ret_code, struct fail *fail) {
        bool more = true;

        while (more) {
                _cleanup_envelope_ Envelope *reply = NULL;
                ENVELOPE(request, ACCT_QUERY, acct_query, query);
                int r = wire_call(w, &request, &reply, ret_code, fail);

                if (r >= 0 && reply->body_case != SLUMBER__ENVELOPE__BODY_ACCT_LIST)
                        r = fail_set(fail, -EPROTO,
                                        "the controller gave an answer of another kind");
                if (r < 0)
                        return r;
                each(reply->acct_list, user);
                more = reply->acct_list->more && reply->acct_list->n_rows;
                query->skip += (uint32_t)reply->acct_list->n_rows;
        }
        return 0;
}

const char *accounts_value(const Slumber__AcctList *page, const Slumber__AcctRow *row,
                const char *column) {
        for (size_t i = 0; i < page->n_columns && i < row->n_values; i++)
                if (streq(page->columns[i], column))
                        return row->values[i];
        return "";
}

int query_component(struct wire *w, const struct job_id *id, uint32_t *ret, struct fail *fail) {
        _cleanup_(job_id_request_done) struct job_id_request named = { 0 };
        _cleanup_(job_list_done) struct job_list list = { 0 };
        Slumber__JobQuery q = SLUMBER__JOB_QUERY__INIT;

        job_id_request_init(&named, id, 1);
        q.tasks = named.task_pointers;
        q.n_tasks = named.n_tasks;
        q.with_finished = true;
        int r = query_jobs(w, &q, &list, NULL, fail);
        if (r >= 0 && list.n_jobs != 1)
                r = fail_set(fail, -ESRCH, "%s", slumber_error_text(SLUMBER_BAD_JOB_ID));
        if (r >= 0)
                *ret = list.jobs[0]->id;
        return r;
}
