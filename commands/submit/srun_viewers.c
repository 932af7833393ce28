/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Input from sattaches is appended to the step's single input stream, and kept and resent like
 * srun's own input. srun acknowledges each sattach's bytes; bytes without room are dropped, and
 * requested again when the tasks have taken some input. */
#include "commands/submit/srun.h"

struct srun_viewer {
        uint64_t id, taken;
        bool waits; /* for room */
};

static struct srun_viewer *viewer_get(struct srun *s, uint64_t id) {
        for (size_t i = 0; i < s->n_viewers; i++)
                if (s->viewers[i].id == id)
                        return &s->viewers[i];
        GROW(s->viewers, s->a_viewers, s->n_viewers);
        s->viewers[s->n_viewers] = (struct srun_viewer){ .id = id };
        return &s->viewers[s->n_viewers++];
}

/* Returns whether the tasks read another input, or no more input. */
static bool takes_none(const struct srun *s) {
        return !s->input_open || step_input_unwanted(s->input);
}

static void viewer_acknowledge(struct srun *s, const struct srun_viewer *v, bool resume) {
        Slumber__View m = SLUMBER__VIEW__INIT;

        m.kind = SLUMBER__VIEW__KIND__TAKEN;
        m.job_id = s->job;
        m.step_id = s->step;
        m.viewer = v->id;
        m.taken = v->taken;
        m.resume = resume;
        m.eof = takes_none(s);
        ENVELOPE(env, VIEW, view, &m);
        (void)srun_send(s, &env, false);
}

void srun_viewer_input(struct srun *s, const Slumber__View *m) {
        if (s->phase != SRUN_RUNNING || m->kind != SLUMBER__VIEW__KIND__INPUT ||
                        m->job_id != s->job || m->step_id != s->step)
                return;
        struct srun_viewer *v = viewer_get(s, m->viewer);
        uint64_t known = v->taken - MIN(v->taken, m->offset);
        if (m->offset > v->taken || known >= m->data.len || takes_none(s)) {
                viewer_acknowledge(s, v, m->offset > v->taken);
                return;
        }
        if (s->held) { /* no node knows a held step */
                v->waits = true;
                return;
        }
        struct step_input_part part = { .data = m->data.data + known,
                .size = MIN(m->data.len - (size_t)known, step_input_room(s->input)),
                .rank = m->rank };
        v->waits = part.size < m->data.len - (size_t)known;
        v->taken += part.size;
        if (part.size) {
                part.offset = step_input_add(s->input, part.rank, part.data, part.size, false);
                srun_send_input(s, "", &part);
        }
        viewer_acknowledge(s, v, false);
}

void srun_viewers_room(struct srun *s) {
        for (size_t i = 0; i < s->n_viewers; i++)
                if (s->viewers[i].waits && step_input_room(s->input) > 0) {
                        s->viewers[i].waits = false;
                        viewer_acknowledge(s, &s->viewers[i], true);
                }
}

void srun_viewers_done(struct srun *s) {
        free(TAKE(s->viewers));
        s->n_viewers = 0;
}
