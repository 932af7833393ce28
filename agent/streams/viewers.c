/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/streams/viewers.h"

#include <sys/queue.h>

#define ANY     UINT64_MAX /* a filter letting all ranks through */
#define UNKNOWN UINT64_MAX /* offset of a stream before its first piece: a sattach begins there */

struct viewer {
        struct peer *peer;
        usec_t heard;        /* when the viewer last sent BEGIN */
        Slumber__View about; /* step and token, copied into each message to the viewer */
        uint64_t only[2];    /* rank wanted of standard output and of standard error, or ANY */
        LIST_ENTRY(viewer) next;
};

struct viewers {
        LIST_HEAD(, viewer) list;
        size_t n;
        uint32_t num_tasks;
        uint64_t *given[2]; /* bytes of each rank's streams given to srun */
};

struct viewers *viewers_new(uint32_t num_tasks) {
        struct viewers *v = xnew0(struct viewers, 1);

        v->num_tasks = num_tasks;
        for (int k = 0; k < 2; k++) {
                v->given[k] = xnew(uint64_t, MAX(num_tasks, 1u));
                memset(v->given[k], 0xff, MAX(num_tasks, 1u) * sizeof v->given[k][0]);
        }
        return v;
}

static void viewer_free(struct viewers *v, struct viewer *w) {
        LIST_REMOVE(w, next);
        free(w);
        v->n--;
}

struct viewers *viewers_free(struct viewers *v) {
        struct viewer *w;

        if (!v)
                return NULL;
        while ((w = LIST_FIRST(&v->list)))
                viewer_free(v, w);
        free(v->given[0]);
        free(v->given[1]);
        free(v);
        return NULL;
}

bool viewers_are_none(const struct viewers *v) {
        return !v || v->n == 0;
}

/* ---- messages ---- */

static void view_address(Slumber__View *m, const Slumber__View *about) {
        m->job_id = about->job_id;
        m->restarts = about->restarts;
        m->step_id = about->step_id;
        m->viewer = about->viewer;
        m->token = about->token;
        m->to_viewer = true;
}

void viewer_say(struct peer *p, const Slumber__View *about, Slumber__View__Kind kind) {
        Slumber__View m = SLUMBER__VIEW__INIT;

        view_address(&m, about);
        m.kind = kind;
        ENVELOPE(env, VIEW, view, &m);
        (void)peer_send(p, &env);
}

static void viewer_send(const struct viewer *w, const Slumber__View *m) {
        Slumber__View copy = *m;

        view_address(&copy, &w->about);
        ENVELOPE(env, VIEW, view, &copy);
        if (copy.data.len == 0 || peer_queued(w->peer) < VIEWER_QUEUE)
                (void)peer_send(w->peer, &env);
}

static struct viewer *viewer_find(const struct viewers *v, uint64_t id) {
        struct viewer *w;

        LIST_FOREACH(w, &v->list, next)
                if (w->about.viewer == id)
                        break;
        return w;
}

/* Removes viewers without a BEGIN for VIEWER_SILENT. */
static void forget_silent(struct viewers *v, usec_t now) {
        struct viewer *w, *next;

        for (w = LIST_FIRST(&v->list); w; w = next) {
                next = LIST_NEXT(w, next);
                if (now >= w->heard + VIEWER_SILENT)
                        viewer_free(v, w);
        }
}

void viewers_begin(struct viewers *v, struct peer *p, const Slumber__View *m, usec_t now) {
        forget_silent(v, now);
        struct viewer *w = viewer_find(v, m->viewer);

        if (!w && v->n >= VIEWERS_MAX) {
                viewer_say(p, m, SLUMBER__VIEW__KIND__FULL);
                return;
        }
        if (!w) {
                w = xnew0(struct viewer, 1);
                slumber__view__init(&w->about);
                view_address(&w->about, m);
                LIST_INSERT_HEAD(&v->list, w, next);
                v->n++;
        }
        w->peer = p;
        w->heard = now;
        w->only[0] = m->out_rank ? m->out_rank->value : ANY;
        w->only[1] = m->err_rank ? m->err_rank->value : ANY;
        viewer_say(p, m, SLUMBER__VIEW__KIND__BEGIN);
}

/* Sets m to the part of a piece not yet given to srun; false: there is none. */
static bool take_new(struct viewers *v, const Slumber__StepIo *io, Slumber__View *m) {
        uint64_t *given = &v->given[io->stream - 1][io->rank];
        uint64_t known = *given == UNKNOWN || io->offset >= *given ? 0 : *given - io->offset;

        if ((*given != UNKNOWN && io->offset > *given) || known > io->data.len ||
                        (known == io->data.len && !io->eof))
                return false;
        *given = io->offset + io->data.len;
        m->kind = SLUMBER__VIEW__KIND__OUTPUT;
        m->rank = io->rank;
        m->stream = io->stream;
        m->offset = io->offset + known;
        m->data.data = io->data.data + known;
        m->data.len = io->data.len - (size_t)known;
        m->eof = io->eof;
        return true;
}

void viewers_output(struct viewers *v, const Slumber__StepIo *io) {
        Slumber__View m = SLUMBER__VIEW__INIT;
        struct viewer *w;

        if ((io->stream != 1 && io->stream != 2) || io->rank >= v->num_tasks ||
                        (io->data.len == 0 && !io->eof) || !take_new(v, io, &m))
                return;
        LIST_FOREACH(w, &v->list, next)
                if (w->only[io->stream - 1] == ANY || w->only[io->stream - 1] == io->rank)
                        viewer_send(w, &m);
}

void viewers_exit(struct viewers *v, const Slumber__StepNotice *notice) {
        Slumber__View m = SLUMBER__VIEW__INIT;
        struct viewer *w;

        m.kind = SLUMBER__VIEW__KIND__TASK_EXIT;
        m.ranks = notice->ranks;
        m.n_ranks = notice->n_ranks;
        m.exit_code = notice->exit_code;
        LIST_FOREACH(w, &v->list, next)
                viewer_send(w, &m);
}

void viewers_forget(struct viewers *v, uint64_t id) {
        struct viewer *w = viewer_find(v, id);

        if (w)
                viewer_free(v, w);
}

void viewers_send(struct viewers *v, const Slumber__View *m) {
        const struct viewer *w = viewer_find(v, m->viewer);

        if (w)
                viewer_send(w, m);
}

void viewers_end(struct viewers *v) {
        struct viewer *w;

        LIST_FOREACH(w, &v->list, next)
                viewer_say(w->peer, &w->about, SLUMBER__VIEW__KIND__GONE);
}

void viewers_lost(struct viewers *v, const struct peer *p) {
        struct viewer *w, *next;

        for (w = LIST_FIRST(&v->list); w; w = next) {
                next = LIST_NEXT(w, next);
                if (w->peer == p)
                        viewer_free(v, w);
        }
}
