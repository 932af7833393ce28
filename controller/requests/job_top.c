/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol top: selects the jobs. */
#include "controller/requests/job_top.h"

#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/loop/wall_clock.h"
#include "controller/model/het.h"
#include "controller/orders/viewer.h"
#include "controller/requests/job_refs.h"
#include "controller/updates/priority_top.h"

struct tops {
        struct job **list; /* order of the request */
        size_t n, allocated;
        struct id_set ids, listed; /* ids in the request; ids in list */
        size_t names;
};

static void tops_done(struct tops *t) {
        free(t->list);
        id_set_done(&t->ids);
        id_set_done(&t->listed);
}

static enum slumber_error tops_check_access(const struct controller *ctl,
                const struct caller *caller, const struct tops *t, const struct job *j,
                struct fail *fail) {
        return priority_top_access(ctl->cluster, j, t->n ? t->list[0] : NULL, caller->uid,
                        caller->operator, fail);
}

/* Checks how a component is named: only the whole heterogeneous job, by its leader's id, has a
   place. */
static enum slumber_error tops_check_component(const struct job_ref *ref, const struct job *j) {
        if (ref->how == NAMED_COMPONENT)
                return SLUMBER_BAD_JOB_ID;
        return ref->how == NAMED_ITSELF && j->het ? SLUMBER_NOT_WHOLE_HET_JOB : SLUMBER_OK;
}

/* Adds the waiting tasks of an array and the leader of a heterogeneous job. Jobs unlike the first
   job (priority_is_like()) are left in place, as in Slurm. */
static enum slumber_error tops_add_refs(struct tops *t, struct controller *ctl,
                const struct caller *caller, const struct job_refs *refs, struct fail *fail) {
        enum slumber_error e = SLUMBER_BAD_JOB_ID;
        bool any = false;

        for (size_t i = 0; i < refs->n; i++) {
                struct job *j = refs->list[i].unknown ? NULL
                                                      : cluster_job(ctl->cluster, refs->list[i].id);
                if (!j || (refs->list[i].how == NAMED_WHOLE && job_is_het_follower(j)))
                        continue;
                e = tops_check_access(ctl, caller, t, j, fail);
                if (e == SLUMBER_OK)
                        e = tops_check_component(&refs->list[i], j);
                if (e != SLUMBER_OK)
                        return e;
                e = priority_top_check(j, fail);
                if (e != SLUMBER_OK)
                        continue;
                any = true;
                if ((t->n && !priority_is_like(j, t->list[0])) || !id_set_add(&t->listed, j->id))
                        continue;
                GROW(t->list, t->allocated, t->n);
                t->list[t->n++] = j;
        }
        return any ? SLUMBER_OK : e;
}

static enum slumber_error tops_add_tasks(struct tops *t, struct controller *ctl,
                const struct caller *caller, const Slumber__JobTasks *m, struct fail *fail) {
        _cleanup_(job_refs_done) struct job_refs refs = { 0 };
        const struct viewer viewer = viewer_of(ctl, caller);
        const struct job *any = viewer_job(&viewer, m->job);
        enum slumber_error e = SLUMBER_OK;

        if (t->names > NAMES_MAX)
                return SLUMBER_TOO_BIG;
        if (any && any->array) /* before tasks are taken out of the rest */
                e = tops_check_access(ctl, caller, t, any, fail);
        if (e != SLUMBER_OK)
                return e;
        if (job_refs_add_tasks(&refs, ctl->cluster, &viewer, m->job, m->tasks, fail) == -ENOSPC)
                return SLUMBER_TOO_MANY_JOBS;
        t->names += refs.n + strlen(m->tasks);
        return tops_add_refs(t, ctl, caller, &refs, fail);
}

enum slumber_error job_top(struct controller *ctl, const struct caller *caller,
                const Slumber__JobAction *m, struct fail *fail) {
        _cleanup_(tops_done) struct tops t = { 0 };
        const struct viewer viewer = viewer_of(ctl, caller);
        enum slumber_error e = m->n_ids || m->n_tasks ? SLUMBER_OK : SLUMBER_BAD_JOB_ID;

        for (size_t i = 0; e == SLUMBER_OK && i < m->n_ids; i++) {
                _cleanup_(job_refs_done) struct job_refs refs = { 0 };
                if (!id_set_add(&t.ids, m->ids[i]))
                        continue;
                (void)job_refs_add(&refs, &viewer, m->ids[i]);
                e = tops_add_refs(&t, ctl, caller, &refs, fail);
        }
        for (size_t i = 0; e == SLUMBER_OK && i < m->n_tasks; i++)
                e = tops_add_tasks(&t, ctl, caller, m->tasks[i], fail);
        if (e == SLUMBER_OK)
                priority_top(ctl->cluster, t.list, t.n, controller_now(ctl));
        return e;
}
