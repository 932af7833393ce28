/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Look-up of jobs and steps by id, of error texts by code */
#include "agent/state/agent.h"

void set_error(Slumber__Error *e, int code, const char *text) {
        e->code = (uint32_t)code;
        e->text = (char *)(isempty(text) ? slumber_error_text(code) : text);
}

void job_table_add(struct agent *a, struct job *j) {
        j->next = a->jobs;
        j->before = &a->jobs;
        if (j->next)
                j->next->before = &j->next;
        a->jobs = j;
        LIST_INSERT_HEAD(&a->jobs_of_id[j->id % JOBS_HASH], j, of_id);
}

void job_table_remove(struct job *j) {
        *j->before = j->next;
        if (j->next)
                j->next->before = j->before;
        LIST_REMOVE(j, of_id);
}

struct job *job_find(struct agent *a, uint32_t id) {
        struct job *j;

        LIST_FOREACH(j, &a->jobs_of_id[id % JOBS_HASH], of_id)
                if (j->id == id)
                        break;
        return j; /* the newest is first */
}

struct job *job_find_exactly(struct agent *a, uint32_t id, uint32_t restarts) {
        struct job *j;

        LIST_FOREACH(j, &a->jobs_of_id[id % JOBS_HASH], of_id)
                if (j->id == id && j->restarts == restarts)
                        break;
        return j;
}

bool job_terminating(const struct job *j) {
        return j->phase != JOB_PHASE_RUNNING;
}

static bool step_is_known_as(const struct step *s, uint32_t job, uint32_t restarts, uint32_t step) {
        return s->known.job == job && s->known.restarts == restarts && s->known.step == step;
}

struct step *step_find_known(struct agent *a, uint32_t job, uint32_t restarts, uint32_t step) {
        struct job *own = job_find_exactly(a, job, restarts);
        struct step *s = own ? job_find_step(own, step) : NULL;

        if (s && step_is_known_as(s, job, restarts, step))
                return s;
        for (struct job *j = a->jobs; j; j = j->next)
                for (s = j->steps; s; s = s->next)
                        if (step_is_known_as(s, job, restarts, step))
                                return s;
        return NULL;
}

struct step *job_find_step(struct job *j, uint32_t step) {
        struct step *s = j->steps;

        while (s && s->name.step != step)
                s = s->next;
        return s;
}
