/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs cannot stay in the service's own cgroup: to give jobs memory and CPU limits, the cgroup must
 * delegate controllers, and the kernel then allows no processes directly inside - systemd could not
 * restart the service while a job runs ("status=219/CGROUP"). A scope has no main program to be
 * started in it.
 *
 * Steps: look for the scope; if missing, start the holder, ask systemd to put it into a new scope,
 * wait for systemd's job. Then move the holder to a leaf, because the scope's own cgroup must
 * delegate controllers. */
#include "cgroup/scope.h"

#include "lib/base.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-login.h>

#define PATIENCE (10 * USEC_PER_SEC)
#define STOP_TIMEOUT                                                                               \
        (10 * USEC_PER_SEC) /* at machine shutdown: frozen jobs do not react to SIGTERM */

#define MANAGER      "org.freedesktop.systemd1"
#define MANAGER_PATH "/org/freedesktop/systemd1"
#define MANAGER_FACE "org.freedesktop.systemd1.Manager"

char *scope_unit(void) {
        const char *started = getenv("SYSTEMD_EXEC_PID");
        _cleanup_free_ char *unit = NULL;
        char *end;

        if (!started || strtol(started, NULL, 10) != (long)getpid() ||
                        sd_pid_get_unit(0, &unit) < 0)
                return NULL;
        end = strrchr(unit, '.');
        if (!end || !streq(end, ".service"))
                return NULL;
        *end = 0;
        return TAKE(unit);
}

/* Returns the scope's cgroup path; "" for no such scope. */
static int scope_find_path(sd_bus *bus, const char *name, char **ret, struct fail *fail) {
        _cleanup_(sd_bus_error_free) sd_bus_error error = SD_BUS_ERROR_NULL;
        _cleanup_free_ char *object = NULL;
        int r = sd_bus_path_encode(MANAGER_PATH "/unit", name, &object);

        if (r >= 0)
                r = sd_bus_get_property_string(bus, MANAGER, object, MANAGER ".Scope",
                                "ControlGroup", &error, ret);
        return r < 0 ? fail_set(fail, r, "systemd does not say where %s is: %s", name,
                                       error.message ? error.message : strerror(-r))
                     : 0;
}

/* Starts the holder as a grandchild: this process would not reap it. */
static pid_t start_holder(const char *program) {
        char *argv[] = { (char *)"slumberstepd", (char *)"--hold", NULL };
        pid_t middle, holder = -1;
        int fds[2];

        if (pipe2(fds, O_CLOEXEC) < 0)
                return -errno;
        middle = fork();
        if (middle == 0) {
                sigset_t none;

                holder = fork();
                if (holder != 0)
                        _exit(holder < 0 || write(fds[1], &holder, sizeof holder) != sizeof holder);
                (void)setsid();
                sigemptyset(&none);
                (void)sigprocmask(SIG_SETMASK, &none, NULL);
                execv(program, argv);
                _exit(1);
        }
        close(fds[1]);
        if (middle > 0)
                (void)waitpid(middle, NULL, 0);
        if (middle < 0 || read(fds[0], &holder, sizeof holder) != sizeof holder)
                holder = -EAGAIN;
        close(fds[0]);
        return holder;
}

struct job { /* a job of systemd */
        const char *path;
        bool over, done;
};

static int on_job_removed(sd_bus_message *m, void *user, sd_bus_error *error) {
        const char *path, *result;
        struct job *job = user;
        uint32_t id;

        (void)error;
        if (sd_bus_message_read(m, "uoss", &id, &path, NULL, &result) < 0 || !job->path ||
                        !streq(path, job->path))
                return 0;
        job->over = true;
        job->done = streq(result, "done");
        return 0;
}

static int scope_request(sd_bus *bus, const char *name, pid_t holder, sd_bus_message **ret,
                sd_bus_error *error) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;
        _cleanup_free_ char *unit = NULL, *slice = NULL;
        int r = sd_pid_get_unit(0, &unit);

        if (r >= 0)
                r = sd_pid_get_slice(0, &slice);
        if (r >= 0)
                r = sd_bus_message_new_method_call(bus, &m, MANAGER, MANAGER_PATH, MANAGER_FACE,
                                "StartTransientUnit");
        if (r >= 0)
                r = sd_bus_message_append(m, "ss", name, "fail");
        /* "Before": at shutdown slumberd stops first and does not report ends of jobs that the
           controller shall requeue. */
        if (r >= 0)
                r = sd_bus_message_append(m, "a(sv)a(sa(sv))", 8, "Description", "s",
                                "Jobs of Slumber", "PIDs", "au", 1, (uint32_t)holder, "Delegate",
                                "b", 1, "Slice", "s", slice, "Before", "as", 1, unit, "TasksMax",
                                "t", UINT64_MAX, "TimeoutStopUSec", "t", (uint64_t)STOP_TIMEOUT,
                                "CollectMode", "s", "inactive-or-failed", 0);
        return r < 0 ? r : sd_bus_call(bus, m, PATIENCE, error, ret);
}

static int start_scope(sd_bus *bus, const char *name, pid_t holder, struct fail *fail) {
        _cleanup_(sd_bus_error_free) sd_bus_error error = SD_BUS_ERROR_NULL;
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        usec_t until = now_monotonic() + PATIENCE;
        struct job job = { 0 };
        int r;

        (void)sd_bus_call_method(bus, MANAGER, MANAGER_PATH, MANAGER_FACE, "Subscribe", NULL, NULL,
                        NULL);
        r = sd_bus_match_signal(bus, NULL, NULL, MANAGER_PATH, MANAGER_FACE, "JobRemoved",
                        on_job_removed, &job);
        if (r >= 0)
                r = scope_request(bus, name, holder, &reply, &error);
        if (r >= 0)
                r = sd_bus_message_read(reply, "o", &job.path);
        while (r >= 0 && !job.over) {
                r = sd_bus_process(bus, NULL);
                if (r == 0 && now_monotonic() > until)
                        r = -ETIMEDOUT;
                if (r == 0)
                        r = sd_bus_wait(bus, USEC_PER_SEC);
        }
        if (r >= 0 && !job.done)
                r = -EIO;
        return r < 0 ? fail_set(fail, r, "systemd does not make %s: %s", name,
                                       error.message ? error.message : strerror(-r))
                     : 0;
}

static int pid_write(const char *path, pid_t number) {
        _cleanup_close_ int fd = open(path, O_WRONLY | O_CLOEXEC);

        return fd < 0 || dprintf(fd, "%d", (int)number) < 0 ? -errno : 0;
}

static bool scope_procs_are_empty(const char *procs) {
        _cleanup_close_ int fd = open(procs, O_RDONLY | O_CLOEXEC);
        char byte;

        return fd < 0 || read(fd, &byte, 1) <= 0;
}

/* Moves holder, a process in the scope, to the leaf; 0: starts one if none is left. */
static int settle_holder(const char *mount, const char *path, const char *program, pid_t holder,
                struct fail *fail) {
        _cleanup_free_ char *leaf = xasprintf("%s%s/holder", mount, path);
        _cleanup_free_ char *procs = xasprintf("%s/cgroup.procs", leaf);
        int r = mkdir(leaf, 0755) < 0 && errno != EEXIST ? -errno : 0;

        if (r >= 0 && holder == 0 && !scope_procs_are_empty(procs))
                return 0;
        if (r >= 0 && holder == 0)
                r = holder = start_holder(program);
        if (r >= 0)
                r = pid_write(procs, holder);
        return r < 0 ? fail_set(fail, r, "cannot put a process into %s: %s", leaf, strerror(-r))
                     : 0;
}

/* True if the scope has a holder's leaf: a real Slurm's scope has an equal name. */
static bool scope_is_ours(const char *mount, const char *path) {
        _cleanup_free_ char *leaf = xasprintf("%s%s/holder", mount, path);

        return access(leaf, F_OK) >= 0;
}

/* Opens the system bus; root reaches the manager even without a bus daemon. */
static int open_bus(sd_bus **ret) {
        _cleanup_(sd_bus_flush_close_unrefp) sd_bus *bus = NULL;
        int r = sd_bus_open_system(ret);

        if (r >= 0)
                return r;
        r = sd_bus_new(&bus);
        if (r >= 0)
                r = sd_bus_set_address(bus, "unix:path=/run/systemd/private");
        if (r >= 0)
                r = sd_bus_start(bus);
        if (r >= 0)
                *ret = TAKE(bus);
        return r;
}

int scope_open(const char *name, const char *mount, const char *holder, char **ret_path,
                struct fail *fail) {
        _cleanup_(sd_bus_flush_close_unrefp) sd_bus *bus = NULL;
        _cleanup_free_ char *path = NULL;
        pid_t pid = 0;
        int r = open_bus(&bus);

        if (r < 0)
                return fail_set(fail, r, "cannot reach systemd: %s", strerror(-r));
        r = scope_find_path(bus, name, &path, fail);
        if (r >= 0 && isempty(path)) {
                free(TAKE(path));
                r = pid = start_holder(holder);
                if (r < 0)
                        return fail_set(fail, r, "cannot run %s: %s", holder, strerror(-r));
                r = start_scope(bus, name, pid, fail);
                if (r < 0)
                        (void)kill(pid, SIGKILL);
                else
                        r = scope_find_path(bus, name, &path, fail);
        } else if (r >= 0 && !scope_is_ours(mount, path))
                r = fail_set(fail, -EBUSY, "%s is another program's", name);
        if (r >= 0 && isempty(path))
                r = fail_set(fail, -ENOENT, "%s is gone again", name);
        if (r >= 0)
                r = settle_holder(mount, path, holder, pid, fail);
        if (r >= 0)
                *ret_path = TAKE(path);
        return r;
}

/* True if the unit has a MemoryHigh drop-in of "systemctl set-property": below /etc permanent,
   below /run until reboot. */
static bool has_limit(const char *below, const char *unit) {
        _cleanup_free_ char *path = xasprintf("%s/systemd/system.control/%s.d/50-MemoryHigh.conf",
                        below, unit);

        return access(path, F_OK) >= 0;
}

int scope_limit_service(uint64_t memory, struct fail *fail) {
        _cleanup_(sd_bus_flush_close_unrefp) sd_bus *bus = NULL;
        _cleanup_(sd_bus_error_free) sd_bus_error error = SD_BUS_ERROR_NULL;
        _cleanup_free_ char *unit = NULL;
        int r = sd_pid_get_unit(0, &unit);

        if (r < 0)
                return fail_set(fail, r, "systemd has not started this process");
        if (has_limit("/etc", unit) || (!memory && !has_limit("/run", unit)))
                return 0;
        r = open_bus(&bus);
        if (r >= 0)
                r = sd_bus_call_method(bus, MANAGER, MANAGER_PATH, MANAGER_FACE,
                                "SetUnitProperties", &error, NULL, "sba(sv)", unit, 1, 1,
                                "MemoryHigh", "t", memory ? memory : UINT64_MAX);
        return r < 0 ? fail_set(fail, r, "systemd does not limit %s: %s", unit,
                                       error.message ? error.message : strerror(-r))
                     : 0;
}
