/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/requests/clone.h - long work on a copy of the process's memory, in parallel with
 * slumberctld
 *
 * The copy is a fork: exact, and as fast as copying page tables. The work runs in a child with a
 * lower priority and without slumberctld's descriptors; the child dies with slumberctld. */
#pragma once

#include "lib/fail.h"

#include <systemd/sd-event.h>

#define CLONE_RESULT_MAX ((size_t)64 << 20) /* bytes: a message */

struct clone;

struct clone_request {
        /* Runs in the child, where changes stay; *ret is malloced. */
        void (*work)(void *user, uint8_t **ret, size_t *ret_size);
        /* Called in slumberctld at the end. r: 0; -ETIMEDOUT; -EIO: the child died or had no
           result. data is borrowed. The clone is freed after the call. */
        void (*ended)(int r, const uint8_t *data, size_t size, void *user);
        void *user;
        usec_t timeout;
};

/* Starts work in a child. Returns 0, or a negative errno with fail. *ret: the caller may stop it by
   clone_stop(). SIGCHLD must be blocked in all threads. */
int clone_start(sd_event *event, const struct clone_request *req, struct clone **ret,
                struct fail *fail);
/* Kills the child; ended() is not called. */
struct clone *clone_stop(struct clone *c); /* takes NULL, returns NULL */
/* Call only in the child: forks again, runs work in the grandchild and reads size bytes of its
   result. Returns 0, or a negative errno; -EIO: the grandchild died. */
int clone_compute(void (*work)(void *user, void *result), void *user, void *result, size_t size);
