/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/requests/requests.h - what commands ask */
#pragma once

#include "controller/loop/controller.h"

void request_handle(struct peer *p, Envelope *env);

struct handler {
        const char *name;
        void (*handle)(struct controller *ctl, const struct caller *caller, const Envelope *env);
        /* _TOO: an AdminLevel makes a difference */
        enum { FOR_ALL, FOR_OPERATORS_TOO, FOR_SUPER } right;
        bool needs_user; /* request_user() is not NULL */
        bool is_plain;   /* no text of it may have a control character */
        unsigned shows;  /* enum private_data: what its answers could tell of others */
        const char *rpc; /* Slurm's name for it, and number; NULL: Slurm has none such */
        unsigned rpc_number;
        /* its answer waits for the store: refused at once while that cannot be written */
        bool stores;
};

const struct handler *request_handler(unsigned body); /* NULL: it is no request */
