/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Containers of the cluster: nodes, partitions, jobs by id, positions in the queue, deadlines.
 *
 * Deadlines are only hints: code that takes a deadline checks the state again. */
#include "controller/model/cluster.h"

#include "controller/model/array.h"
#include "controller/model/job_names.h"
#include "controller/model/job_tokens.h"
#include "controller/model/user_texts.h"

#include <stdarg.h>
#include <strings.h>

/* ---- lookups ---- */

struct node *cluster_node(const struct cluster *c, const char *name) {
        size_t at = FIRST_NOT(c->n_nodes, i, strcmp(c->by_name[i]->name, name) < 0);

        return at < c->n_nodes && streq(c->by_name[at]->name, name) ? c->by_name[at] : NULL;
}

bool cluster_has_switch(const struct cluster *c, bool on) {
        return !isempty(on ? c->config->resume_program : c->config->suspend_program);
}

struct partition *cluster_partition(const struct cluster *c, const char *name) {
        for (size_t i = 0; i < c->n_partitions; i++)
                if (streq(c->partitions[i]->name, name))
                        return c->partitions[i];
        return NULL;
}

struct partition *cluster_default_partition(const struct cluster *c) {
        for (size_t i = 0; i < c->n_partitions; i++)
                if (c->partitions[i]->is_default)
                        return c->partitions[i];
        return NULL;
}

void exempt_wait_done(struct exempt_wait *w) {
        for (size_t i = 0; i < w->n; i++) {
                bitset_free(w->of[i].usable);
                bitset_free(w->of[i].nodes);
        }
        free(TAKE(w->of));
        w->n = 0;
}

int cluster_nodes_parse(const struct cluster *c, const char *text, struct bitset **ret,
                struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *set = bitset_new(c->n_nodes);
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;

        if (strcasecmp(text, "ALL") == 0) {
                bitset_fill(set);
                *ret = TAKE(set);
                return 0;
        }
        int r = hostlist_parse(text, &names, fail);
        if (r < 0)
                return r;
        for (size_t i = 0; i < hostlist_count(names); i++) {
                struct node *n = cluster_node(c, hostlist_get(names, i));
                if (!n)
                        return fail_set(fail, -ENOENT, "node %s is not configured",
                                        hostlist_get(names, i));
                bitset_add(set, n->index);
        }
        *ret = TAKE(set);
        return 0;
}

const struct hostlist *cluster_nodeset(const struct cluster *c, const char *name) {
        for (size_t i = 0; i < c->config->n_nodesets; i++)
                if (streq(c->config->nodesets[i].name, name))
                        return c->config->nodesets[i].nodes;
        return NULL;
}

char *cluster_nodes_text(const struct cluster *c, const struct bitset *nodes) {
        _cleanup_free_ const char **names = xnew(const char *, bitset_count(nodes));
        size_t n = 0;

        bitset_for_each(i, nodes)
                names[n++] = c->nodes[i]->name;
        return hostlist_compress(names, n);
}

/* The configured nodes in text; *ret_unknown: all names not configured, NULL: none. */
static struct bitset *nodes_there(const struct cluster *c, const char *text, char **ret_unknown) {
        struct bitset *set = NULL;
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;
        _cleanup_(hostlist_freep) struct hostlist *unknown = hostlist_new();

        *ret_unknown = NULL;
        if (cluster_nodes_parse(c, text, &set, NULL) >= 0)
                return set;
        set = bitset_new(c->n_nodes);
        if (hostlist_parse(text, &names, NULL) < 0) {
                *ret_unknown = xstrdup(text);
                return set;
        }
        for (size_t i = 0; i < hostlist_count(names); i++) {
                const struct node *n = cluster_node(c, hostlist_get(names, i));
                if (n)
                        bitset_add(set, n->index);
                else
                        hostlist_push(unknown, hostlist_get(names, i));
        }
        *ret_unknown = hostlist_text(unknown);
        return set;
}

void job_find_nodes(const struct cluster *c, struct job *j) {
        const char *wanted = j->asked.req_nodes, *avoided = j->asked.exc_nodes;
        char *unused = NULL;

        j->needs.req_nodes = bitset_free(j->needs.req_nodes);
        j->needs.exc_nodes = bitset_free(j->needs.exc_nodes);
        free(TAKE(j->needs.unknown_nodes));
        if (wanted)
                j->needs.req_nodes = nodes_there(c, wanted, &j->needs.unknown_nodes);
        if (avoided)
                j->needs.exc_nodes = nodes_there(c, avoided, &unused);
        free(unused);
}

/* ---- jobs by id ---- */

/* Index of the first slot with an id of at least id. */
static size_t slot_at(const struct cluster *c, uint32_t id) {
        return FIRST_NOT(c->n_jobs, i, c->jobs[i].id < id);
}

size_t cluster_slot_after(const struct cluster *c, uint32_t id) {
        return id == UINT32_MAX ? c->n_jobs : slot_at(c, id + 1);
}

struct job *cluster_job(const struct cluster *c, uint32_t id) {
        size_t at = slot_at(c, id);

        return at < c->n_jobs && c->jobs[at].id == id ? c->jobs[at].job : NULL;
}

void cluster_job_insert(struct cluster *c, struct job *j) {
        size_t at = slot_at(c, j->id);

        c->known_jobs++;
        job_tokens_insert(c->tokens, j);
        job_names_insert(c->names, j);
        user_texts_add(c->texts, j);
        if (at < c->n_jobs && c->jobs[at].id == j->id) {
                assert(!c->jobs[at].job);
                c->jobs[at].job = j;
                c->gone_jobs--;
                return;
        }
        GROW(c->jobs, c->a_jobs, c->n_jobs);
        memmove(&c->jobs[at + 1], &c->jobs[at], (c->n_jobs - at) * sizeof c->jobs[0]);
        c->jobs[at] = (struct job_slot){ j->id, j };
        c->n_jobs++;
}

static void pack_jobs(struct cluster *c) {
        size_t kept = 0;

        for (size_t i = 0; i < c->n_jobs; i++)
                if (c->jobs[i].job)
                        c->jobs[kept++] = c->jobs[i];
        c->n_jobs = kept;
        c->gone_jobs = 0;
}

void cluster_job_unlist(struct cluster *c, struct job *j) {
        size_t at = slot_at(c, j->id);

        assert(at < c->n_jobs && c->jobs[at].job == j);
        c->jobs[at].job = NULL;
        c->known_jobs--;
        job_tokens_remove(c->tokens, j);
        job_names_remove(c->names, j);
        user_texts_remove(c->texts, j);
        if (++c->gone_jobs > 1000 && c->gone_jobs > c->n_jobs / 2)
                pack_jobs(c);
}

void cluster_job_rename(struct cluster *c, struct job *j, const char *name) {
        job_names_remove(c->names, j);
        free_and_strdup(&j->asked.name, name);
        job_names_insert(c->names, j);
}

size_t cluster_array_at(const struct cluster *c, uint32_t id) {
        return FIRST_NOT(c->n_arrays, i, c->arrays[i]->id < id);
}

struct array *cluster_array(const struct cluster *c, uint32_t id) {
        size_t at = cluster_array_at(c, id);

        return at < c->n_arrays && c->arrays[at]->id == id ? c->arrays[at] : NULL;
}

static void set_next_id(struct cluster *c, uint32_t next) {
        c->id_rounds += next <= c->next_job_id;
        c->next_job_id = next;
}

uint32_t cluster_take_job_id(struct cluster *c) {
        uint32_t first = c->config->first_job_id, last = c->config->max_job_id;

        for (uint32_t tries = 0; tries <= last - first; tries++) {
                uint32_t id = c->next_job_id;
                if (id < first || id > last)
                        id = first;
                set_next_id(c, id + 1);
                if (!cluster_job(c, id) && !cluster_array(c, id))
                        return id;
        }
        return 0;
}

uint32_t cluster_take_job_ids(struct cluster *c, uint32_t n) {
        uint32_t first = c->config->first_job_id, last = c->config->max_job_id, run = 0, at = 0;

        for (uint64_t tries = 0; tries <= (uint64_t)last - first + n; tries++) {
                uint32_t id = at && at < last ? at + 1 : at ? first : c->next_job_id;
                if (id < first || id > last)
                        id = first;
                run = cluster_job(c, id) || cluster_array(c, id) ? 0 : id == first ? 1 : run + 1;
                at = id;
                if (run < n)
                        continue;
                set_next_id(c, id + 1);
                return id - n + 1;
        }
        return 0;
}

/* ---- positions in the queue ---- */

/* Jobs that are apart are at the end of each tier. */
size_t cluster_queue_after_apart(const struct cluster *c, size_t at) {
        while (at < c->n_queue && c->queue[at]->job->waiting.apart) {
                uint32_t tier = c->queue[at]->partition->priority_tier;
                at = FIRST_NOT(c->n_queue, i, c->queue[i]->partition->priority_tier >= tier);
        }
        return at;
}

size_t cluster_queue_before_apart(const struct cluster *c, size_t end) {
        while (end > 0 && c->queue[end - 1]->job->waiting.apart) {
                uint32_t tier = c->queue[end - 1]->partition->priority_tier;
                end = FIRST_NOT(end, i,
                                c->queue[i]->partition->priority_tier > tier ||
                                                !c->queue[i]->job->waiting.apart);
        }
        return end;
}

/* ---- deadlines: a binary heap, earliest first ---- */

/* SlurmdTimeout=0 waits for silent nodes without limit, but commands and verdicts on jobs may not
   wait so long. */
#define PATIENCE_WITHOUT (5 * 60 * USEC_PER_SEC)

usec_t cluster_patience(const struct cluster *c) {
        return c->config->slurmd_timeout ? c->config->slurmd_timeout : PATIENCE_WITHOUT;
}

void cluster_arm(struct cluster *c, usec_t at, int kind, uint32_t id) {
        GROW(c->heap, c->a_heap, c->n_heap);
        size_t i = c->n_heap++;
        while (i > 0 && c->heap[(i - 1) / 2].at > at) {
                c->heap[i] = c->heap[(i - 1) / 2];
                i = (i - 1) / 2;
        }
        c->heap[i] = (struct deadline){ .at = at, .kind = kind, .id = id };
}

usec_t cluster_next_deadline(const struct cluster *c) {
        return c->n_heap ? c->heap[0].at : USEC_INFINITY;
}

bool cluster_pop_deadline(struct cluster *c, usec_t now, struct deadline *ret) {
        if (!c->n_heap || c->heap[0].at > now)
                return false;
        *ret = c->heap[0];
        struct deadline last = c->heap[--c->n_heap];
        size_t i = 0;
        for (;;) {
                size_t child = 2 * i + 1;
                if (child >= c->n_heap)
                        break;
                if (child + 1 < c->n_heap && c->heap[child + 1].at < c->heap[child].at)
                        child++;
                if (c->heap[child].at >= last.at)
                        break;
                c->heap[i] = c->heap[child];
                i = child;
        }
        c->heap[i] = last;
        return true;
}

static _printf_(3, 0) struct effect *add_log(struct cluster *c, struct node *n, const char *format,
                va_list ap) {
        struct effect *fx = effects_add(&c->effects, FX_LOG);

        fx->node = n;
        fx->text = xvasprintf(format, ap);
        return fx;
}

void cluster_log(struct cluster *c, uint32_t job, struct node *n, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        add_log(c, n, format, ap)->job = job;
        va_end(ap);
}

void cluster_log_folded(struct cluster *c, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        add_log(c, NULL, format, ap)->folded = true;
        va_end(ap);
}

void cluster_log_error(struct cluster *c, struct node *n, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        add_log(c, n, format, ap)->error = true;
        va_end(ap);
}

unsigned partition_select(const struct cluster *c, const struct partition *p) {
        const unsigned own = CR_CORE | CR_SOCKET | CR_MEMORY;

        return p->select_params ? (c->config->select_params & ~own) | p->select_params
                                : c->config->select_params;
}

/* If the partition sets MaxMemPerNode or MaxMemPerCPU, both of the cluster's values are ignored. */
uint64_t partition_max_mem_per_cpu(const struct cluster *c, const struct partition *p) {
        return p->max_mem_per_node || p->max_mem_per_cpu ? p->max_mem_per_cpu
                                                         : c->config->max_mem_per_cpu;
}

bool cluster_whole_nodes(const struct cluster *c) {
        return c->config->select_type == SELECT_LINEAR;
}

unsigned partition_preempt_mode(const struct cluster *c, const struct partition *p) {
        return p->preempt_mode == PREEMPT_UNSET ? c->config->preempt_mode : p->preempt_mode;
}

int nodes_named(const struct cluster *c, const char *text, struct hostlist **ret,
                struct fail *fail) {
        _cleanup_(hostlist_freep) struct hostlist *names = NULL, *nodes = hostlist_new();

        int r = strcasecmp(text, "ALL") == 0 ? 0 : hostlist_parse(text, &names, fail);
        if (r < 0)
                return r;
        for (size_t i = 0; !names && i < c->n_nodes; i++)
                hostlist_push(nodes, c->nodes[i]->name);
        for (size_t i = 0; names && i < hostlist_count(names); i++) {
                const char *name = hostlist_get(names, i);
                const struct hostlist *set = cluster_node(c, name) ? NULL
                                                                   : cluster_nodeset(c, name);
                if (!set && !cluster_node(c, name))
                        return fail_set(fail, -ENOENT, "node %s is not configured", name);
                if (!set)
                        hostlist_push(nodes, name);
                for (size_t k = 0; set && k < hostlist_count(set); k++)
                        if (cluster_node(c, hostlist_get(set, k)))
                                hostlist_push(nodes, hostlist_get(set, k));
        }
        *ret = TAKE(nodes);
        return 0;
}
