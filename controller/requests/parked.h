/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/requests/parked.h - requests that wait for the name of their user */
#pragma once

#include "controller/loop/controller.h"

/* NULL: is being looked up */
const struct user *request_user(struct controller *ctl, const struct caller *caller);
/* until a user has been looked up */
void request_park(struct controller *ctl, const struct caller *caller, const Envelope *env);
void requests_unpark(void *ctl);            /* a user has been looked up */
void parked_expire(struct controller *ctl); /* those that have waited too long are answered */
void parked_client_gone(struct controller *ctl, const struct peer *p, uint64_t client, bool all);
void parked_free(struct controller *ctl);
