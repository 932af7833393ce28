/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading the configuration again takes as long as its files and slumber-power's look at power.yaml
 * do, seconds where a disk or a name service is slow: a thread does it, and touches nothing of the
 * controller's.  A request that comes while it reads may follow a change of a file since it began:
 * another reading follows for it. */
#include "controller/reading.h"

#include "controller/check.h"
#include "controller/loop/controller.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "lib/thread.h"

#include <stdatomic.h>
#include <sys/eventfd.h>

struct reading {
        struct controller *ctl;
        char *path;
        int done; /* eventfd: told by the thread */
        sd_event_source *source;
        pthread_t thread;
        bool over;
        atomic_bool left;   /* by its thread or by the controller: the second one frees it */
        struct address *to; /* those that wait for it */
        size_t n_to;
        int r;
        struct config *config;
        struct fail fail;
        struct faults faults;
};

/* Without the source, which belongs to the loop. */
static void reading_free(struct reading *rd) {
        if (rd->done >= 0)
                close(rd->done);
        config_free(rd->config);
        faults_done(&rd->faults);
        free(rd->path);
        free(rd->to);
        free(rd);
}

static void *work(void *user) {
        struct reading *rd = user;
        uint64_t one = 1;

        rd->r = configuration_read(rd->path, false, &rd->config, &rd->fail);
        if (write(rd->done, &one, sizeof one) < 0)
                assert(errno == EAGAIN); /* an eventfd takes a first one */
        if (atomic_exchange(&rd->left, true))
                reading_free(rd);
        return NULL;
}

static int on_done(sd_event_source *source, int fd, uint32_t events, void *user) {
        struct reading *rd = user;

        (void)fd, (void)events;
        (void)sd_event_source_set_enabled(source, SD_EVENT_OFF);
        (void)pthread_join(rd->thread, NULL);
        rd->over = true;
        controller_changed(rd->ctl);
        return 0;
}

void reading_begin(struct controller *ctl) {
        struct reading *rd = xnew0(struct reading, 1);

        ctl->reconfigure_wanted = false;
        *rd = (struct reading){ .ctl = ctl,
                .path = xstrdup(ctl->conf_path),
                .to = TAKE(ctl->reconfigure),
                .n_to = ctl->n_reconfigure };
        ctl->n_reconfigure = ctl->a_reconfigure = 0;
        ctl->reading = rd;
        rd->fail.all = &rd->faults;
        rd->done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (rd->done >= 0 &&
                        sd_event_add_io(ctl->event, &rd->source, rd->done, EPOLLIN, on_done, rd) >=
                                        0 &&
                        thread_start(&rd->thread, "slurm.conf", work, rd) >= 0)
                return;
        /* No descriptor or thread is left: read here, which holds up the loop and works. */
        rd->r = configuration_read(rd->path, false, &rd->config, &rd->fail);
        rd->over = true;
        controller_changed(ctl);
}

bool reading_is_over(const struct controller *ctl) {
        return ctl->reading && ctl->reading->over;
}

int reading_take(struct controller *ctl, struct config **ret, struct fail *fail) {
        struct reading *rd = ctl->reading;

        *ret = TAKE(rd->config);
        *fail = rd->fail;
        return rd->r;
}

void reading_end(struct controller *ctl, int r, const struct fail *fail) {
        struct reading *rd = TAKE(ctl->reading);
        _cleanup_free_ char *why = r < 0 && rd->faults.n ? faults_text(&rd->faults)
                                                         : xstrdup(fail->text);

        for (size_t i = 0; i < rd->n_to; i++) {
                reply_result(ctl, &rd->to[i], r < 0 ? SLUMBER_FAILED : SLUMBER_OK, why);
                address_done(&rd->to[i]);
        }
        sd_event_source_disable_unref(rd->source);
        reading_free(rd);
}

/* Its thread may still read: nothing waits for that. */
void reading_drop(struct controller *ctl) {
        struct reading *rd = TAKE(ctl->reading);

        if (!rd)
                return;
        for (size_t i = 0; i < rd->n_to; i++)
                address_done(&rd->to[i]);
        sd_event_source_disable_unref(rd->source);
        if (!rd->over)
                (void)pthread_detach(rd->thread);
        if (rd->over || atomic_exchange(&rd->left, true))
                reading_free(rd);
}
