/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/requests/parked.h - requests waiting for the name of their user */
#pragma once

#include "controller/loop/controller.h"

/* Returns the request's user, borrowed; NULL: a look-up is running. */
const struct user *request_user(struct controller *ctl, const struct caller *caller);
/* Parks the request until its look-up has ended, or refuses the request if too many are parked. */
void request_park(struct controller *ctl, const struct caller *caller, const Envelope *env);
void requests_unpark(void *ctl);            /* a look-up has ended */
void parked_expire(struct controller *ctl); /* answers requests parked for too long */
void parked_client_gone(struct controller *ctl, const struct peer *p, uint64_t client, bool all);
void parked_free(struct controller *ctl);
