/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Usage of running steps up to now, requested from their nodes as by sstat. */
#include "commands/accounts/sacct.h"

#include "lib/errors.h"
#include "lib/step/measure_wire.h"

#define STEPS_AT_ONCE 100 /* steps in a request */

void sacct_step_measure(EndedStep *e, const Slumber__StepStatOf *m) {
        _cleanup_(measures_done) struct measures all = measures_unpack(m->measures, m->n_measures);
        char **parts[] = SACCT_STEP_PARTS(e);

        for (size_t i = 0; i < ELEMENTSOF(parts); i++)
                *parts[i] = measures_text(&all, (enum measure_part)i);
        e->nodes = m->nodes;
        e->num_tasks = m->num_tasks;
        e->consumed_energy = (int64_t)(m->energy / 1000);
        e->user_cpu = (int64_t)all.of[MEASURE_CPU].sum;
        e->max_rss = (int64_t)all.of[MEASURE_RSS].most.value;
        e->max_rss_node = xstrdup(strempty(all.of[MEASURE_RSS].most.node));
        e->sum_rss = (int64_t)all.of[MEASURE_RSS].sum;
}

void sacct_step_measure_done(EndedStep *e) {
        char **parts[] = SACCT_STEP_PARTS(e);

        for (size_t i = 0; i < ELEMENTSOF(parts); i++)
                free(*parts[i]);
        free(e->max_rss_node);
}

/* Asks for the steps of list; *ret may be NULL: no figures. */
static int sacct_figures_query(struct wire *w, EndedStep *list, size_t n, Envelope **ret,
                struct fail *fail) {
        Slumber__StepStatQuery q = SLUMBER__STEP_STAT_QUERY__INIT;
        _cleanup_free_ Slumber__StepName *names = xnew(Slumber__StepName, n);
        _cleanup_free_ Slumber__StepName **pointers = xnew(Slumber__StepName *, n);
        uint32_t code = SLUMBER_OK;

        for (size_t i = 0; i < n; i++) {
                pointers[i] = &names[i];
                slumber__step_name__init(&names[i]);
                names[i].job_id = (uint32_t)list[i].job_id;
                names[i].step_id = (uint32_t)list[i].step_id;
                names[i].part = (uint32_t)list[i].part;
        }
        q.steps = pointers;
        q.n_steps = n;
        ENVELOPE(request, STEP_STAT_QUERY, step_stat_query, &q);
        int r = wire_call(w, &request, ret, &code, fail);
        if (r == -EREMOTE) /* for example too many at once: the rest of the list is still useful */
                return 0;
        if (r >= 0 && ((*ret)->body_case != SLUMBER__ENVELOPE__BODY_STEP_STAT_REPLY ||
                                      (*ret)->step_stat_reply->n_steps != n))
                r = fail_set(fail, -EPROTO, "%s", slumber_error_text(SLUMBER_PROTOCOL));
        return r;
}

int sacct_steps_measure(struct sacct_steps *s, struct wire *w, struct fail *fail) {
        for (size_t from = 0; from < s->n_live; from += STEPS_AT_ONCE) {
                size_t n = MIN(s->n_live - from, (size_t)STEPS_AT_ONCE);
                Envelope *reply = NULL;
                int r = sacct_figures_query(w, &s->live[from], n, &reply, fail);
                for (size_t i = 0; r >= 0 && reply && i < n; i++) {
                        const Slumber__StepStatOf *m = reply->step_stat_reply->steps[i];
                        /* No figures for steps just ended, or of other users. */
                        if (m->code || !m->step)
                                continue;
                        char *nodes = s->live[from + i].nodes;
                        sacct_step_measure(&s->live[from + i], m);
                        /* Borrowed from the reply, which is freed */
                        s->live[from + i].nodes = nodes;
                        s->measured[from + i] = true;
                }
                if (reply)
                        slumber__envelope__free_unpacked(reply, NULL);
                if (r < 0)
                        return r;
        }
        return 0;
}
