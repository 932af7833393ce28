/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_container/tmpfs on the node: the base folder, the settings for step daemons, the removal.
 *
 * A job's mount namespace is made by the first step daemon in need of the namespace, and removed
 * with the last process of the job on the node. Folders of unknown jobs are removed at the start.
 */
#include "agent/jobs/containers.h"
#include "agent/machine/program.h"
#include "agent/places/container.h"
#include "agent/state/agent.h"

struct containers {
        Slumber__JobContainer *config;
        int lock;    /* lock of the base folder; -1: none */
        char *error; /* why the base folder cannot be used and no job is launched; NULL: usable */
};

static char *container_path(const struct agent *a, uint32_t job, uint32_t restarts) {
        return xasprintf("%s/%u-%u", a->containers->config->folder, job, restarts);
}

static bool is_known(uint32_t job, uint32_t restarts, void *user) {
        return job_find_exactly(user, job, restarts) != NULL;
}

static void removal_watch(pid_t pid, void *user) {
        struct agent *a = user;
        struct fail fail = { 0 };

        if (program_reap(a->event, pid, &fail) < 0)
                log_warning(0, "The removal of a job's private folders is not waited for: %s",
                                fail.text);
}

static void containers_start(struct agent *a, const Slumber__JobContainer *m) {
        struct containers *c = a->containers = xnew0(struct containers, 1);
        struct fail fail = { 0 };

        c->config = wire_copy(&m->base);
        c->lock = -1;
        if (container_base(m->folder, a->node, m->auto_base, &c->lock, &fail) < 0) {
                c->error = xstrdup(fail.text);
                log_fields(LOG_ERR, 0, 0, a->node, "No job can be launched here: %s", fail.text);
                return;
        }
        container_clean(m->folder, is_known, removal_watch, a);
}

/* The base folder cannot change at run time: running jobs have folders in the old one. */
void containers_configure(struct agent *a, const Slumber__JobContainer *m) {
        const Slumber__JobContainer *had = a->containers ? a->containers->config : NULL;

        if (!had && m) {
                containers_start(a, m);
        } else if (had && (!m || !streq(had->folder, m->folder))) {
                log_warning(0, "BasePath of job_container.conf has changed: that counts from the next start of slumberd");
        } else if (had) {
                slumber__job_container__free_unpacked(a->containers->config, NULL);
                a->containers->config = wire_copy(&m->base);
        }
}

void containers_done(struct agent *a) {
        if (!a->containers)
                return;
        slumber__job_container__free_unpacked(a->containers->config, NULL);
        free(a->containers->error);
        if (a->containers->lock >= 0)
                close(a->containers->lock);
        free(TAKE(a->containers));
}

int containers_check(struct agent *a, struct fail *fail) {
        struct containers *c = a->containers;

        if (!c || !c->error)
                return 0;
        int r = container_base(c->config->folder, a->node, c->config->auto_base, &c->lock, fail);
        if (r < 0)
                return r;
        free(TAKE(c->error));
        container_clean(c->config->folder, is_known, removal_watch, a);
        return 0;
}

bool containers_fill(const struct agent *a, const struct step_name *name,
                Slumber__JobContainer *m) {
        if (!a->containers)
                return false;
        *m = *a->containers->config;
        m->folder = container_path(a, name->job, name->restarts);
        return true;
}

char *containers_namespace(const struct job *j) {
        if (!j->agent->containers)
                return NULL;
        _cleanup_free_ char *path = container_path(j->agent, j->id, j->restarts);
        return xasprintf("%s/ns", path);
}

void containers_interrupt(const struct job *j) {
        const struct containers *c = j->agent->containers;

        if (!c || c->error || isempty(c->config->init_script))
                return;
        _cleanup_free_ char *path = container_path(j->agent, j->id, j->restarts);
        container_interrupt(path);
}

void containers_end(struct agent *a, uint32_t job, uint32_t restarts) {
        struct fail fail = { 0 };
        pid_t pid = 0;

        /* the folder may belong to a different slumberd */
        if (!a->containers || a->containers->error)
                return;
        _cleanup_free_ char *path = container_path(a, job, restarts);
        if (container_end(path, &pid, &fail) < 0)
                log_fields(LOG_ERR, 0, job, a->node, "Job %u: %s", job, fail.text);
        if (pid > 0)
                removal_watch(pid, a);
}
