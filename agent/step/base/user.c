/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step's user: uid, gid and groups, its rights put on for a while, a child that becomes it. */
#include "agent/places/container.h"
#include "agent/step/base/stepd.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/stat.h>

#define GROUPS_MAX 65536 /* the kernel's own limit */
#define OOM_FILE   "/proc/self/oom_score_adj"

static bool protected_from_oom; /* as slumberd may be, and no task */

void user_done(struct user *user) {
        free(user->groups);
        free(user->name);
        free(user->home);
        free(user->shell);
        *user = (struct user){ 0 };
}

static void look_up_groups(struct user *u) {
        int n = 32;

        for (;;) {
                u->groups = xrenew(u->groups, (size_t)n);
                int asked = n;

                if (getgrouplist(u->name, u->gid, u->groups, &n) >= 0 || n <= asked ||
                                n > GROUPS_MAX)
                        break;
        }
        u->n_groups = (size_t)MAX(n, 0);
}

int user_find(const Slumber__CredentialBody *c, struct user *ret, struct fail *fail) {
        struct user u = { .uid = c->uid, .gid = c->gid, .name = xstrdup(c->user) };
        struct passwd *p;

        if (geteuid() != 0 && geteuid() != u.uid) {
                free(u.name);
                return fail_set(fail, -EPERM,
                                "slumberd runs as user %u here and cannot start a job of user %u",
                                geteuid(), c->uid);
        }
        p = getpwuid(u.uid);
        if (!p && geteuid() == 0 && u.uid != 0) {
                free(u.name);
                return fail_set(fail, -ENOENT, "there is no user with number %u on this node",
                                c->uid);
        }
        if (p) {
                free_and_strdup(&u.name, p->pw_name);
                u.home = xstrdup(p->pw_dir);
                u.shell = xstrdup(p->pw_shell);
        }
        if (geteuid() == 0 && c->n_groups > 0) {
                u.groups = xnew(gid_t, c->n_groups);
                u.n_groups = MIN(c->n_groups, GROUPS_MAX);
                memcpy(u.groups, c->groups, u.n_groups * sizeof *u.groups);
        } else if (geteuid() == 0) {
                u.looked_up = now_monotonic();
                look_up_groups(&u);
        }
        *ret = u;
        return 0;
}

/* The kernel may lack memory for new credentials.  What is still the user's is no more than root
   has: whatever needs root's fails by itself, and a task is not started (drop_rights). */
static int take_off(void) {
        if (getuid() != 0)
                return 0;
        return seteuid(0) < 0 || setegid(0) < 0 || setgroups(0, NULL) < 0 ? -errno : 0;
}

/* Effective rights only, so that there is a way back: also of those that could not be taken off
   last time. */
static int put_on(const struct user *u) {
        int r = take_off();

        if (r < 0 || getuid() != 0)
                return r;
        if (setgroups(u->n_groups, u->groups) < 0 || setegid(u->gid) < 0 || seteuid(u->uid) < 0)
                return -errno;
        return 0;
}

int step_put_on_user(const struct step *s) {
        return put_on(&s->user);
}

int step_take_off_user(void) {
        return take_off();
}

/* ---- in the child ---- */

void tasks_prepare(void) {
        _cleanup_fclose_ FILE *f = fopen(OOM_FILE, "re");
        int points = 0;

        protected_from_oom = !f || fscanf(f, "%d", &points) != 1 || points != 0;
        for (int sig = 1; sig < NSIG; sig++)
                (void)signal(sig, SIG_DFL);
}

static void set_limits(struct step *s, Slumber__Rlimit *const *limits, size_t n) {
        (void)setrlimit(RLIMIT_NOFILE, &s->files);
        for (size_t i = 0; i < n; i++) {
                struct rlimit now, l = { limits[i]->soft, limits[i]->hard };

                if (limits[i]->resource >= RLIM_NLIMITS ||
                                getrlimit((int)limits[i]->resource, &now) < 0)
                        continue;
                /* also as root: the numbers are the user's choice, and could ask for real-time
                   priority */
                l.rlim_max = MIN(l.rlim_max, now.rlim_max);
                l.rlim_cur = MIN(l.rlim_cur, l.rlim_max);
                if (l.rlim_cur != now.rlim_cur || l.rlim_max != now.rlim_max)
                        (void)setrlimit((int)limits[i]->resource, &l); /* as far as we may */
        }
}

static int drop_rights(const struct user *u) {
        int r = take_off();

        if (r < 0 || getuid() != 0)
                return r;
        if (setgroups(u->n_groups, u->groups) < 0 || setresgid(u->gid, u->gid, u->gid) < 0 ||
                        setresuid(u->uid, u->uid, u->uid) < 0)
                return -errno;
        return u->uid != 0 && setuid(0) == 0 ? -EPERM : 0;
}

/* All but SIGPIPE stand as tasks_prepare() left them. */
static void set_signals(void) {
        sigset_t none;

        sigemptyset(&none);
        (void)signal(SIGPIPE, SIG_DFL);
        (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static void protect_less(void) {
        _cleanup_close_ int fd = protected_from_oom ? open(OOM_FILE, O_WRONLY | O_CLOEXEC) : -1;

        if (fd >= 0)
                (void)!write(fd, "0", 1);
}

int task_enter(struct step *s, struct cg *group, bool inside) {
        int r = inside ? 0 : cg_enter(group);

        return r < 0 || s->container < 0 ? r : container_enter(s->container);
}

int task_become_user(struct step *s) {
        const Slumber__JobScript *script = s->launch->script;
        const Slumber__StepSpec *spec = s->launch->spec;
        bool batch = s->launch->batch;

        protect_less();
        set_limits(s, batch ? script->rlimits : spec->rlimits,
                        batch ? script->n_rlimits : spec->n_rlimits);
        int r = drop_rights(&s->user);
        if (r < 0)
                return r;
        set_signals();
        umask((mode_t)(batch ? script->umask : spec->umask) & 0777);
        return 0;
}
