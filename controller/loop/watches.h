/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/loop/watches.h - connections waiting for news of a job */
#pragma once

#include "controller/loop/controller.h"
#include "controller/loop/peers.h"

/* Kinds of commands waiting for news of a job. */
enum watch_kind {
        WATCH_HOLDER, /* srun, salloc: the job ends with the connection */
        WATCH_END,    /* sbatch --wait */
        WATCH_READY,  /* scontrol wait_job */
        WATCH_X11,    /* X11 forwarders of srun --x11 and salloc --x11 */
};

/* Returns whether the command may add no more watches. */
bool watches_full(const struct controller *ctl, const struct address *to);
/* InactiveLimit: asks commands holding jobs for a sign of life */
void watch_ask_holders(struct controller *ctl);
/* Ends, after a restart, allocations whose commands on this host have ended meanwhile. Returns
   whether commands may still come back. */
bool watch_look_for_holders(struct controller *ctl);
void watch_add(struct controller *ctl, enum watch_kind kind, uint32_t job,
                const struct address *to);
void watch_replace(struct controller *ctl, enum watch_kind kind, uint32_t job,
                const struct address *to);
/* Sends env to every watcher of that kind and job; drop: and removes the watches. */
void watch_tell(struct controller *ctl, enum watch_kind kind, uint32_t job, Envelope *env,
                bool drop);
bool watch_exists(const struct controller *ctl, enum watch_kind kind, uint32_t job);
bool watch_of(const struct controller *ctl, enum watch_kind kind, uint32_t job,
                const struct address *to);
/* Returns the first watcher's address, borrowed until the watch is removed; NULL if none. */
const struct address *watch_address(const struct controller *ctl, enum watch_kind kind,
                uint32_t job);
/* Returns the job of watch i (below ctl->n_watches) and its watcher. */
uint32_t watch_job(const struct controller *ctl, size_t i, const struct address **ret_to);
void watches_client_gone(struct controller *ctl, const struct peer *p, uint64_t client, bool all);
/* The process with uid's token, which held an allocation, has ended. */
void watch_command_dead(struct controller *ctl, uint64_t token, uid_t uid);
void watches_free(struct controller *ctl);
