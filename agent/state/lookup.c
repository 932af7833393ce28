/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Look-up of jobs and steps by id, of error texts by code */
#include "agent/state/agent.h"

void set_error(Slumber__Error *e, int code, const char *text) {
        e->code = (uint32_t)code;
        e->text = (char *)(isempty(text) ? slumber_error_text(code) : text);
}

struct job *job_find(struct agent *a, uint32_t id) {
        struct job *j = a->jobs;

        while (j && j->id != id)
                j = j->next;
        return j; /* the newest is first */
}

struct job *job_find_exactly(struct agent *a, uint32_t id, uint32_t restarts) {
        struct job *j = a->jobs;

        while (j && (j->id != id || j->restarts != restarts))
                j = j->next;
        return j;
}

bool job_terminating(const struct job *j) {
        return j->phase != JOB_PHASE_RUNNING;
}

static bool is_known_as(const struct step *s, uint32_t job, uint32_t restarts, uint32_t step) {
        return s->known.job == job && s->known.restarts == restarts && s->known.step == step;
}

struct step *step_find_known(struct agent *a, uint32_t job, uint32_t restarts, uint32_t step) {
        struct job *own = job_find_exactly(a, job, restarts);
        struct step *s = own ? job_find_step(own, step) : NULL;

        if (s && is_known_as(s, job, restarts, step))
                return s;
        for (struct job *j = a->jobs; j; j = j->next)
                for (s = j->steps; s; s = s->next)
                        if (is_known_as(s, job, restarts, step))
                                return s;
        return NULL;
}

struct step *job_find_step(struct job *j, uint32_t step) {
        struct step *s = j->steps;

        while (s && s->name.step != step)
                s = s->next;
        return s;
}
