/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/loop/watches.h - connections that wait to hear of a job */
#pragma once

#include "controller/loop/controller.h"
#include "controller/loop/peers.h"

/* Commands that want to hear of a job. */
enum watch_kind {
        WATCH_HOLDER, /* srun, salloc: the job lives as long as this connection */
        WATCH_END,    /* sbatch --wait */
        WATCH_READY,  /* scontrol wait_job */
        WATCH_X11,    /* what srun --x11 and salloc --x11 have started */
};

/* that command may watch no more */
bool watches_full(const struct controller *ctl, const struct address *to);
/* InactiveLimit: the commands that hold jobs are asked whether they are there */
void watch_ask_holders(struct controller *ctl);
/* After a restart: allocations end whose commands were connected here before it, and have ended.
   true: some of them may still come back. */
bool watch_look_for_holders(struct controller *ctl);
void watch_add(struct controller *ctl, enum watch_kind kind, uint32_t job,
                const struct address *to);
void watch_replace(struct controller *ctl, enum watch_kind kind, uint32_t job,
                const struct address *to);
/* Sends to every watcher of that kind; drop: and forgets them. */
void watch_tell(struct controller *ctl, enum watch_kind kind, uint32_t job, Envelope *env,
                bool drop);
bool watch_exists(const struct controller *ctl, enum watch_kind kind, uint32_t job);
bool watch_of(const struct controller *ctl, enum watch_kind kind, uint32_t job,
                const struct address *to);
/* Of the first one of that kind, until that goes; NULL: there is none. */
const struct address *watch_address(const struct controller *ctl, enum watch_kind kind,
                uint32_t job);
/* The job of the i-th of ctl->n_watches, and what waits for it. */
uint32_t watch_job(const struct controller *ctl, size_t i, const struct address **ret_to);
void watches_client_gone(struct controller *ctl, const struct peer *p, uint64_t client, bool all);
/* The process with that token of uid's, which held an allocation, has ended. */
void watch_command_dead(struct controller *ctl, uint64_t token, uid_t uid);
void watches_free(struct controller *ctl);
