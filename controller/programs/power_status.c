/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A child with a pipe as standard output, which is collected continuously and parsed when the child
 * has ended. */
#include "controller/programs/power_status.h"

#include "lib/child.h"

#include <fcntl.h>
#include <json-c/json.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUTPUT_MAX ((size_t)8 << 20) /* a few hundred nodes of 250 bytes are expected */

struct power_status {
        pid_t pid;
        int fd;
        sd_event_source *output, *child, *timer;
        char *text;
        size_t size, allocated;
        bool too_long, timed_out;
        power_status_done_t done;
        void *user;
};

/* ---- output ---- */

static const char *power_status_json_text(struct json_object *o, const char *key) {
        struct json_object *v;

        return json_object_object_get_ex(o, key, &v) && json_object_is_type(v, json_type_string)
                               ? json_object_get_string(v)
                               : NULL;
}

static bool read_node(struct json_object *o, struct power_reading *ret) {
        const char *state = power_status_json_text(o, "state"),
                   *error = power_status_json_text(o, "error");
        struct json_object *watts;

        *ret = (struct power_reading){ .node = power_status_json_text(o, "node"),
                .wrong = power_status_json_text(o, "wrong"),
                .kind = POWER_READ_FAILED,
                .watts = -1 };
        if (json_object_object_get_ex(o, "watts", &watts) &&
                        json_object_is_type(watts, json_type_int))
                ret->watts = json_object_get_double(watts);
        if (!ret->node || !state)
                return false;
        if (streq(state, "on"))
                ret->kind = POWER_READ_ON;
        else if (streq(state, "off"))
                ret->kind = POWER_READ_OFF;
        else if (!power_status_json_text(o, "bmc"))
                ret->kind = POWER_READ_NO_BMC;
        else
                ret->error = error ? error : "its BMC does not report it";
        ret->silent = ret->kind == POWER_READ_FAILED &&
                      streq(strempty(power_status_json_text(o, "fault")), "silent");
        return true;
}

int power_status_parse(const char *text, struct json_object **ret_root,
                struct power_reading **ret_list, size_t *ret_n, struct fail *fail) {
        struct json_object *root = json_tokener_parse(text), *nodes = NULL;
        size_t n = 0;

        if (!root || !json_object_is_type(root, json_type_object) ||
                        !json_object_object_get_ex(root, "nodes", &nodes) ||
                        !json_object_is_type(nodes, json_type_array)) {
                json_object_put(root);
                return fail_set(fail, -EBADMSG,
                                "slumber-power has printed something other than node states");
        }
        size_t all = json_object_array_length(nodes);
        struct power_reading *list = xnew0(struct power_reading, all);
        for (size_t i = 0; i < all; i++)
                n += read_node(json_object_array_get_idx(nodes, i), &list[n]);
        *ret_root = root;
        *ret_list = list;
        *ret_n = n;
        return 0;
}

/* ---- the child ---- */

struct power_status *power_status_free(struct power_status *s) {
        if (!s)
                return NULL;
        sd_event_source_disable_unref(s->output);
        sd_event_source_disable_unref(s->timer);
        if (sd_event_source_disable_unref(s->child), s->pid > 0) {
                (void)kill(s->pid, SIGKILL);
                while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
                        ;
        }
        if (s->fd >= 0)
                close(s->fd);
        free(s->text);
        free(s);
        return NULL;
}

static void power_status_collect(struct power_status *s) {
        char buf[16384];
        ssize_t n;

        while ((n = read(s->fd, buf, sizeof buf)) > 0 || (n < 0 && errno == EINTR)) {
                if (n < 0)
                        continue;
                s->too_long |= s->size + (size_t)n > OUTPUT_MAX;
                if (s->too_long)
                        continue;
                if (s->size + (size_t)n >= s->allocated) {
                        s->allocated = 2 * (s->size + (size_t)n);
                        s->text = xrenew(s->text, s->allocated);
                }
                memcpy(s->text + s->size, buf, (size_t)n);
                s->size += (size_t)n;
                s->text[s->size] = 0;
        }
        if (n == 0)
                s->output = sd_event_source_disable_unref(s->output);
}

static int power_status_on_output(sd_event_source *source, int fd, uint32_t events, void *user) {
        (void)source, (void)fd, (void)events;
        power_status_collect(user);
        return 0;
}

static int power_status_on_timeout(sd_event_source *source, uint64_t usec, void *user) {
        struct power_status *s = user;

        (void)source, (void)usec;
        s->timed_out = true;
        (void)kill(s->pid, SIGKILL);
        return 0;
}

static int power_status_on_exit(sd_event_source *source, const siginfo_t *si, void *user) {
        struct power_status *s = user;
        _cleanup_free_ struct power_reading *list = NULL;
        struct json_object *root = NULL;
        struct fail fail = { 0 };
        size_t n = 0;
        int r;

        (void)source;
        s->pid = 0; /* the event loop reaps the child */
        power_status_collect(s);
        if (s->timed_out || s->too_long)
                r = fail_set(&fail, -EIO, "slumber-power %s",
                                s->timed_out ? "has not ended in time" : "prints without end");
        else if (si->si_code != CLD_EXITED || si->si_status > 2)
                r = fail_set(&fail, -EIO, "slumber-power has ended with %s %d",
                                si->si_code == CLD_EXITED ? "exit status" : "signal",
                                si->si_status);
        else
                r = power_status_parse(s->text ? s->text : "", &root, &list, &n, &fail);
        s->done(list, n, r < 0 ? fail.text : NULL, s->user);
        json_object_put(root);
        power_status_free(s);
        return 0;
}

static int power_status_spawn(const struct power_status_request *req, int output, pid_t *ret,
                struct fail *fail) {
        static const char *const verbs[] = { "status", "watts", "check" };
        _cleanup_free_ char *conf = xasprintf("SLURM_CONF=%s", req->slurm_conf);
        _cleanup_free_ char *deadline = xasprintf("%llu",
                        (unsigned long long)(req->deadline / USEC_PER_SEC));
        const char *argv[] = { "slumber-power", verbs[req->verb], "--json", "--config",
                req->power_file, "--deadline", deadline, "--", req->hostlist, NULL };
        const struct child_program s = { req->program, (char **)(uintptr_t)argv, { conf }, output,
                CHILD_NOTHING, CHILD_NOTHING };

        return child_start(&s, ret, fail);
}

static int power_status_watch(struct power_status *s, sd_event *event, usec_t deadline) {
        int r = sd_event_add_io(event, &s->output, s->fd, EPOLLIN, power_status_on_output, s);

        if (r >= 0)
                r = sd_event_add_child(event, &s->child, s->pid, WEXITED, power_status_on_exit, s);
        if (r >= 0)
                r = sd_event_add_time_relative(event, &s->timer, CLOCK_MONOTONIC, 2 * deadline,
                                100 * USEC_PER_MSEC, power_status_on_timeout, s);
        return r;
}

int power_status_start(sd_event *event, const struct power_status_request *req,
                power_status_done_t done, void *user, struct power_status **ret,
                struct fail *fail) {
        int fds[2], r;

        assert(event && req && done && ret);
        if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) < 0)
                return fail_set(fail, -errno, "cannot make a pipe: %s", strerror(errno));
        _cleanup_close_ int reader = fds[0], writer = fds[1];
        /* The child writes as to a file: only our end must not block. */
        if (fcntl(writer, F_SETFL, 0) < 0)
                return fail_set(fail, -errno, "cannot prepare a pipe: %s", strerror(errno));
        struct power_status *s = xnew0(struct power_status, 1);
        s->fd = TAKE_FD(reader);
        s->done = done;
        s->user = user;
        r = power_status_spawn(req, writer, &s->pid, fail);
        if (r >= 0 && (r = power_status_watch(s, event, req->deadline)) < 0)
                fail_set(fail, r, "cannot watch %s: %s", req->program, strerror(-r));
        if (r < 0) {
                power_status_free(s);
                return r;
        }
        *ret = s;
        return 0;
}
