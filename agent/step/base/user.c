/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step's user: uid, gid and groups; the step daemon's temporary change to the user's ids;
   children becoming the user. */
#include "agent/places/container.h"
#include "agent/step/base/stepd.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define GROUPS_MAX 65536 /* the kernel's own limit */
#define OOM_FILE   "/proc/self/oom_score_adj"
#define USER_LIFE  (60 * USEC_PER_SEC) /* maximum age; slumberd remembers users' groups as long */

static bool protected_from_oom; /* slumberd may be protected, tasks must not be */
/* Limits of this process, before RLIMIT_NOFILE is raised. */
static struct rlimit own_limits[RLIM_NLIMITS];

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

/* Result of getpwuid() for the user of the last step: the next step of a reused step daemon mostly
   has the same user. */
static struct {
        uid_t uid;
        char *name, *home, *shell;
        usec_t at; /* CLOCK_MONOTONIC; 0: nothing is known */
} known;

static bool user_is_cached(uid_t uid, usec_t now) {
        return known.at && known.uid == uid && now - known.at < USER_LIFE;
}

/* false: the user does not exist. */
static bool user_look_up(uid_t uid) {
        usec_t now = now_monotonic();

        if (user_is_cached(uid, now))
                return true;
        struct passwd *p = getpwuid(uid);
        known.at = p ? now : 0;
        if (!p)
                return false;
        known.uid = uid;
        free_and_strdup(&known.name, p->pw_name);
        free_and_strdup(&known.home, p->pw_dir);
        free_and_strdup(&known.shell, p->pw_shell);
        return true;
}

int user_find(const Slumber__CredentialBody *c, struct user *ret, struct fail *fail) {
        struct user u = { .uid = c->uid, .gid = c->gid };
        uid_t self = geteuid();

        if (self != 0 && self != u.uid)
                return fail_set(fail, -EPERM,
                                "slumberd runs as user %u here and cannot start a job of user %u",
                                self, c->uid);
        bool found = user_look_up(u.uid);
        if (!found && self == 0 && u.uid != 0)
                return fail_set(fail, -ENOENT, "there is no user with number %u on this node",
                                c->uid);
        u.name = xstrdup(found ? known.name : c->user);
        u.home = found ? xstrdup(known.home) : NULL;
        u.shell = found ? xstrdup(known.shell) : NULL;
        if (self == 0 && c->n_groups > 0) {
                u.groups = xnew(gid_t, c->n_groups);
                u.n_groups = MIN(c->n_groups, GROUPS_MAX);
                memcpy(u.groups, c->groups, u.n_groups * sizeof *u.groups);
        } else if (self == 0) {
                u.looked_up = now_monotonic();
                look_up_groups(&u);
        }
        *ret = u;
        return 0;
}

/* The way back to root needs the real user id of root; only children change the real user id. */
static bool process_is_root(void) {
        static int root = -1;

        if (root < 0)
                root = getuid() == 0;
        return root;
}

static enum { OFF, PART, ON } worn; /* user's effective ids in use: none, some, all */
static unsigned uses;               /* open uses: step_take_off_user() is still to be called */

/* The kernel may lack memory for new credentials. A failure leaves fewer rights than root's:
   operations needing root's rights fail themselves, and a task is not started (drop_rights()). */
static int take_off(void) {
        if (worn == OFF)
                return 0;
        if (seteuid(0) < 0 || setegid(0) < 0 || setgroups(0, NULL) < 0)
                return -errno;
        worn = OFF;
        return 0;
}

/* Changes effective ids only, so that they can be changed back. Ids of a failed change back are
   taken off first. */
static int put_on(const struct user *u) {
        int r = take_off();

        if (r < 0 || !process_is_root())
                return r;
        worn = PART;
        if (setgroups(u->n_groups, u->groups) < 0 || setegid(u->gid) < 0 || seteuid(u->uid) < 0)
                return -errno;
        worn = ON;
        return 0;
}

void step_keep_user(void) {
        uses++;
}

int step_put_on_user(const struct step *s) {
        return uses++ > 0 && worn == ON ? 0 : put_on(&s->user);
}

int step_take_off_user(void) {
        return --uses > 0 ? 0 : take_off();
}

/* ---- in the child ---- */

void tasks_prepare(void) {
        _cleanup_fclose_ FILE *f = fopen(OOM_FILE, "re");
        int points = 0;

        protected_from_oom = !f || fscanf(f, "%d", &points) != 1 || points != 0;
        for (int sig = 1; sig < NSIG; sig++)
                (void)signal(sig, SIG_DFL);
        for (int i = 0; i < RLIM_NLIMITS; i++)
                (void)getrlimit(i, &own_limits[i]);
}

static bool rlimit_differs(const struct rlimit *a, const struct rlimit *b) {
        return a->rlim_cur != b->rlim_cur || a->rlim_max != b->rlim_max;
}

static void find_limits(const struct step *s, Slumber__Rlimit *const *limits, size_t n,
                struct rlimit ret[RLIM_NLIMITS]) {
        memcpy(ret, own_limits, sizeof own_limits);
        ret[RLIMIT_NOFILE] = s->files;
        for (size_t i = 0; i < n; i++) {
                if (limits[i]->resource >= RLIM_NLIMITS)
                        continue;
                /* applies to root, too: the user's limits might allow real-time priority */
                struct rlimit *to = &ret[limits[i]->resource];
                to->rlim_max = MIN(limits[i]->hard, to->rlim_max);
                to->rlim_cur = MIN(limits[i]->soft, to->rlim_max);
        }
}

static void set_limits(const struct rlimit limits[RLIM_NLIMITS]) {
        for (int i = 0; i < RLIM_NLIMITS; i++)
                if (i == RLIMIT_NOFILE || rlimit_differs(&limits[i], &own_limits[i]))
                        (void)setrlimit(i, &limits[i]); /* failure: the limit stays */
}

static int drop_rights(const struct user *u) {
        int r = take_off();

        if (r < 0 || !process_is_root())
                return r;
        if (setgroups(u->n_groups, u->groups) < 0 || setresgid(u->gid, u->gid, u->gid) < 0 ||
                        setresuid(u->uid, u->uid, u->uid) < 0)
                return -errno;
        return u->uid != 0 && setuid(0) == 0 ? -EPERM : 0;
}

/* drop_rights() for a child sharing the memory of the step daemon, which belongs to root: only root
 * may look into the memory, even if fs.suid_dumpable is 1. The child keeps its capabilities until
 * the memory is not dumpable, as other users cannot trace a process with capabilities. Signals are
 * blocked until then, so that the child cannot dump core.
 *
 * Invariant: no libc functions for ids are used. libc would change the ids of all its threads in
 * the shared memory. */
static int drop_rights_shared(const struct user *u) {
        struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
        const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };
        bool watched = u->uid != 0;

        if (!process_is_root())
                return 0;
        if ((watched && prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) < 0) ||
                        syscall(SYS_setgroups, u->n_groups, u->groups) < 0 ||
                        syscall(SYS_setresgid, u->gid, u->gid, u->gid) < 0 ||
                        syscall(SYS_setresuid, u->uid, u->uid, u->uid) < 0)
                return -errno;
        if (watched && (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 ||
                                       syscall(SYS_capset, &header, none) < 0))
                return -errno;
        return watched && syscall(SYS_setuid, 0) == 0 ? -EPERM : 0;
}

/* Signals other than SIGPIPE are as set by tasks_prepare(). */
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

void task_becomes(const struct step *s, struct becoming *ret) {
        const Slumber__JobScript *script = s->launch->script;
        const Slumber__StepSpec *spec = s->launch->spec;
        bool batch = s->launch->batch;

        find_limits(s, batch ? script->rlimits : spec->rlimits,
                        batch ? script->n_rlimits : spec->n_rlimits, ret->limits);
        ret->user = &s->user;
        ret->umask = (mode_t)(batch ? script->umask : spec->umask) & 0777;
}

/* Changes from root to the user; signals come last, see drop_rights_shared(). */
static int child_become_user(const struct becoming *b, int (*drop)(const struct user *u)) {
        protect_less();
        set_limits(b->limits);
        int r = drop(b->user);
        if (r < 0)
                return r;
        set_signals();
        umask(b->umask);
        return 0;
}

int task_become_shared(const struct becoming *b) {
        return worn == OFF ? child_become_user(b, drop_rights_shared) : -EPERM;
}

int task_become_user(struct step *s) {
        struct becoming b;

        task_becomes(s, &b);
        return child_become_user(&b, drop_rights);
}
