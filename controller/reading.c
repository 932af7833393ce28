/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the configuration again.  Reading takes as long as the files and slumber-power's check of
 * power.yaml take, seconds if a disk or a name service is slow: a thread reads, without touching
 * data of slumberctld.  A request that arrives during a reading may follow a change of a file: a
 * further reading is started for the request. */
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
        int done; /* eventfd, signalled by the thread */
        sd_event_source *source;
        pthread_t thread;
        bool over;
        /* set by thread and controller when done; the second one frees the reading */
        atomic_bool left;
        struct address *to; /* waiting requests */
        size_t n_to;
        int r;
        struct config *config;
        struct fail fail;
        struct faults faults;
};

/* The source is freed by the event loop's thread. */
static void reading_free(struct reading *rd) {
        if (rd->done >= 0)
                close(rd->done);
        config_free(rd->config);
        faults_done(&rd->faults);
        free(rd->path);
        free(rd->to);
        free(rd);
}

static void *reading_work(void *user) {
        struct reading *rd = user;
        uint64_t one = 1;

        rd->r = configuration_read(rd->path, false, &rd->config, &rd->fail);
        if (write(rd->done, &one, sizeof one) < 0)
                assert(errno == EAGAIN); /* an eventfd accepts a first number */
        if (atomic_exchange(&rd->left, true))
                reading_free(rd);
        return NULL;
}

static int reading_on_done(sd_event_source *source, int fd, uint32_t events, void *user) {
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
                        sd_event_add_io(ctl->event, &rd->source, rd->done, EPOLLIN, reading_on_done,
                                        rd) >= 0 &&
                        thread_start(&rd->thread, "slurm.conf", reading_work, rd) >= 0)
                return;
        /* no descriptor or thread is left: read here, which blocks the event loop but works */
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

/* Does not wait for the thread, which may still be reading. */
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
