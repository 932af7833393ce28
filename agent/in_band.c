/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The host's own BMC, if the kernel has a driver: the BMC's address is sent to the controller, so
 * that power.yaml needs only credentials, and the power consumption is sent with each heartbeat.
 *
 * A child (slumber-power --in-band) reads the BMC. slumberd requests a reading at each heartbeat
 * and sends the result with the next one. Without a device, nothing is run or logged. */
#include "agent/in_band.h"
#include "agent/bmc.h"
#include "agent/machine/program.h"
#include "agent/state/agent.h"
#include "lib/child.h"

#include <sys/socket.h>
#include <sys/wait.h>

static const char *find_device(void) {
        static const char *const devices[] = { "/dev/ipmi0", "/dev/ipmi/0", "/dev/ipmidev/0" };

        for (size_t i = 0; i < ELEMENTSOF(devices); i++)
                if (access(devices[i], R_OK | W_OK) == 0)
                        return devices[i];
        return NULL;
}

static void in_band_on_message(struct conn *c, Envelope *env, void *user) {
        const Slumber__BmcReport *m = env->bmc_report;
        struct agent *a = user;

        (void)c;
        if (env->body_case != SLUMBER__ENVELOPE__BODY_BMC_REPORT)
                return;
        a->in_band.has_watts = m->watts;
        a->in_band.watts = m->watts ? m->watts->value : 0;
        if (!*m->address || (streq(strempty(a->in_band.address), m->address) &&
                                            streq(strempty(a->in_band.mac), m->mac)))
                return;
        free_and_strdup(&a->in_band.address, m->address);
        free_and_strdup(&a->in_band.mac, m->mac);
        log_info("The BMC of this machine is at %s", m->address);
        upstream_send(a, env);
}

static void in_band_on_closed(struct conn *c, int r, const char *why, void *user) {
        struct agent *a = user;

        (void)c, (void)r, (void)why;
        if (a->in_band.address)
                log_warning(0, "The BMC of this machine is not read any more: slumber-power has ended");
        a->in_band.conn = NULL;
        a->in_band.has_watts = false;
}

static int in_band_start_child(struct agent *a, const char *device, struct fail *fail) {
        static const struct conn_ops ops = { .message = in_band_on_message,
                .closed = in_band_on_closed };
        _cleanup_free_ char *program = agent_power_program();
        char *argv[] = {
                (char *)"slumber-power",
                (char *)"--in-band",
                (char *)(uintptr_t)device,
                NULL,
        };
        int fds[2];
        pid_t pid;

        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
                return fail_set(fail, -errno, "cannot make a socket: %s", strerror(errno));
        _cleanup_close_ int ours = fds[0], theirs = fds[1];
        const struct child_program s = { program, argv, { (char *)(uintptr_t)CHILD_PATH },
                CHILD_NOTHING, CHILD_NOTHING, theirs };
        int r = child_start(&s, &pid, fail);
        if (r < 0)
                return r;
        r = program_reap(a->event, pid, fail);
        if (r < 0)
                return r;
        r = conn_adopt(a->event, TAKE_FD(ours), &ops, a, &a->in_band.conn);
        return r < 0 ? fail_set(fail, r, "slumber-power cannot be watched: %s", strerror(-r)) : 0;
}

void in_band_start(struct agent *a) {
        const char *device = find_device();
        struct fail fail = { 0 };

        if (device && in_band_start_child(a, device, &fail) < 0) {
                a->in_band.conn = NULL;
                log_warning(0, "The BMC of this machine is not read: %s", fail.text);
        }
}

void in_band_beat(struct agent *a) {
        Slumber__BmcReport m = SLUMBER__BMC_REPORT__INIT;

        ENVELOPE(env, BMC_REPORT, bmc_report, &m);
        if (a->in_band.conn && conn_queued(a->in_band.conn) == 0)
                (void)conn_send(a->in_band.conn, &env);
}

void in_band_done(struct agent *a) {
        if (a->in_band.conn)
                conn_close(TAKE(a->in_band.conn)); /* makes the child end */
        free(TAKE(a->in_band.address));
        free(TAKE(a->in_band.mac));
}
