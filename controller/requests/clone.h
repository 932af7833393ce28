/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/requests/clone.h - long work on a copy of everything that this process has in memory,
 * while the process goes on
 *
 * The copy is a fork: exact, and made in the time that it takes to copy page tables.  The work runs
 * in the child, which has nothing of ours open, is less urgent than we are and ends with us. */
#pragma once

#include "lib/fail.h"

#include <systemd/sd-event.h>

#define CLONE_RESULT_MAX ((size_t)64 << 20) /* bytes: a message */

struct clone;

struct clone_request {
        /* In the child, where everything may be changed and nothing reaches the outside; *ret is
           malloced. */
        void (*work)(void *user, uint8_t **ret, size_t *ret_size);
        /* Here, when it is over.  0; -ETIMEDOUT; -EIO when it died or had no result.  data is lent.
           The clone is freed after this call. */
        void (*ended)(int r, const uint8_t *data, size_t size, void *user);
        void *user;
        usec_t timeout;
};

/* SIGCHLD must be blocked in all threads. */
int clone_start(sd_event *event, const struct clone_request *req, struct clone **ret,
                struct fail *fail);
/* Ends the work; ended() is not called. */
struct clone *clone_stop(struct clone *c); /* takes NULL, returns NULL */
/* For the child: forks once more, does work there and reads size bytes of its result. -EIO: it
   died. */
int clone_compute(void (*work)(void *user, void *result), void *user, void *result, size_t size);
