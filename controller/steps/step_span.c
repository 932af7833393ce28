/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks and nodes are numbered by component; each component distributes tasks over nodes by
 * separate options. */
#include "controller/steps/step_span.h"

#include "controller/model/het.h"
#include "controller/model/layout.h"
#include "controller/model/node.h"
#include "lib/hostlist.h"

/* Fills place with the nodes of a component's tasks; its nodes are numbered from first on. */
static void span_put_places(const struct span_part *p, uint32_t first, uint32_t *place) {
        const struct fit *f = p->fit;
        size_t k = 0;

        if (f->place) {
                for (uint32_t t = 0; t < f->tasks; t++)
                        place[t] = first + f->place[t];
                return;
        }
        _cleanup_free_ uint32_t *ranks = layout_ranks(f->count, f->n,
                        p->spec->cyclic ? 1 : p->spec->plane);
        for (size_t i = 0; i < f->n; i++)
                for (uint32_t t = 0; t < f->count[i]; t++)
                        place[ranks[k++]] = first + (uint32_t)i;
}

static char *span_node_names(const struct span_part *parts, size_t n, size_t n_nodes) {
        _cleanup_free_ const char **names = xnew(const char *, n_nodes + 1);
        size_t k = 0;

        for (size_t i = 0; i < n; i++)
                for (size_t at = 0; at < parts[i].fit->n; at++) {
                        const struct job_node *jn = &parts[i].job->placed
                                                                     .alloc[parts[i].fit->at[at]];
                        names[k++] = jn->node->name;
                }
        return hostlist_compress(names, k);
}

/* Returns the data common to all components. */
static struct step_span span_of_whole(const struct job *leader, const struct span_part *parts,
                size_t n) {
        struct step_span s = { .job = leader->id,
                .restarts = leader->restarts,
                .users = xnew0(uint32_t, 1),
                .n_parts = (uint32_t)n,
                .parts = xnew(uint32_t, n) };
        uint32_t task = 0, node = 0;

        for (size_t i = 0; i < n; i++) {
                s.parts[i] = parts[i].fit->tasks;
                s.num_tasks += parts[i].fit->tasks;
                s.num_nodes += (uint32_t)parts[i].fit->n;
        }
        s.nodes = span_node_names(parts, n, s.num_nodes);
        s.count = xnew(uint32_t, s.num_nodes);
        s.place = xnew(uint32_t, s.num_tasks);
        for (size_t i = 0; i < n; i++) {
                const struct fit *f = parts[i].fit;
                span_put_places(&parts[i], node, s.place + task);
                memcpy(s.count + node, f->count, f->n * sizeof f->count[0]);
                task += f->tasks;
                node += (uint32_t)f->n;
        }
        return s;
}

void spans_new(const struct job *leader, const struct span_part *parts, size_t n,
                struct step_span **ret) {
        struct step_span whole = span_of_whole(leader, parts, n);

        for (size_t i = 0; i < n; i++) {
                ret[i] = xnew(struct step_span, 1);
                *ret[i] = whole;
                ++*whole.users;
                whole.first_task += parts[i].fit->tasks;
                whole.first_node += (uint32_t)parts[i].fit->n;
        }
}

static bool has_same_lists(const struct step_span *a, const struct step_span *b) {
        return a->num_tasks == b->num_tasks && a->num_nodes == b->num_nodes &&
               a->n_parts == b->n_parts && streq(a->nodes, b->nodes) &&
               memcmp(a->count, b->count, a->num_nodes * sizeof a->count[0]) == 0 &&
               memcmp(a->place, b->place, a->num_tasks * sizeof a->place[0]) == 0 &&
               memcmp(a->parts, b->parts, a->n_parts * sizeof a->parts[0]) == 0;
}

bool span_share(struct step_span *s, const struct step_span *o) {
        if (!has_same_lists(s, o))
                return false;
        struct step_span *own = xnew(struct step_span, 1);
        *own = *s;
        s->users = o->users;
        s->nodes = o->nodes;
        s->count = o->count;
        s->place = o->place;
        s->parts = o->parts;
        ++*s->users;
        span_free(own);
        return true;
}

void span_pack(const struct step_span *s, Slumber__StepSpan *to) {
        slumber__step_span__init(to);
        to->job_id = s->job;
        to->restarts = s->restarts;
        to->first_task = s->first_task;
        to->first_node = s->first_node;
        to->nodes = s->nodes;
        to->tasks = s->count;
        to->n_tasks = s->num_nodes;
        to->task_places = s->place;
        to->n_task_places = s->num_tasks;
        to->part_tasks = s->parts;
        to->n_part_tasks = s->n_parts;
}

static bool span_message_is_valid(const Slumber__StepSpan *m, uint32_t tasks, size_t nodes) {
        _cleanup_free_ uint32_t *count = xnew0(uint32_t, m->n_tasks + 1);
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;

        if (hostlist_parse(m->nodes, &names, NULL) < 0 || hostlist_count(names) != m->n_tasks)
                return false;
        if (nodes > m->n_tasks || m->first_node > m->n_tasks - nodes || tasks > m->n_task_places ||
                        m->first_task > m->n_task_places - tasks)
                return false;
        uint64_t sum = 0;
        for (size_t i = 0; i < m->n_part_tasks; i++)
                sum += m->part_tasks[i];
        if (sum != m->n_task_places)
                return false;
        for (size_t i = 0; i < m->n_task_places; i++) {
                if (m->task_places[i] >= m->n_tasks)
                        return false;
                count[m->task_places[i]]++;
        }
        return memcmp(count, m->tasks, m->n_tasks * sizeof count[0]) == 0;
}

struct step_span *span_unpack(const Slumber__StepSpan *from, uint32_t tasks, size_t nodes) {
        if (!from->job_id || !from->n_tasks || !from->n_task_places ||
                        !span_message_is_valid(from, tasks, nodes))
                return NULL;
        struct step_span *s = xnew0(struct step_span, 1);
        s->job = from->job_id;
        s->restarts = from->restarts;
        s->first_task = from->first_task;
        s->first_node = from->first_node;
        s->num_tasks = (uint32_t)from->n_task_places;
        s->num_nodes = (uint32_t)from->n_tasks;
        s->users = xnew(uint32_t, 1);
        *s->users = 1;
        s->nodes = xstrdup(from->nodes);
        s->count = xnew(uint32_t, s->num_nodes);
        memcpy(s->count, from->tasks, s->num_nodes * sizeof s->count[0]);
        s->place = xnew(uint32_t, s->num_tasks);
        memcpy(s->place, from->task_places, s->num_tasks * sizeof s->place[0]);
        s->n_parts = (uint32_t)from->n_part_tasks;
        s->parts = xnew(uint32_t, s->n_parts);
        memcpy(s->parts, from->part_tasks, s->n_parts * sizeof s->parts[0]);
        return s;
}

uint32_t *span_ranks(const struct step_span *s) {
        return layout_ranks_at(s->place, s->num_tasks, s->count, s->num_nodes);
}

uint32_t span_tasks_before(const struct step_span *s) {
        uint32_t sum = 0;

        for (uint32_t i = 0; i < s->first_node; i++)
                sum += s->count[i];
        return sum;
}
