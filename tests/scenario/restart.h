/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/scenario/restart.h - the controller of a world dies and comes back: what it knows then is
   what was written */
#pragma once

#include "tests/scenario/world.h"

struct record {
        uint8_t *data;
        size_t size;
};
struct trigger_row {
        char *key;
        struct record record; /* without data: it was deleted */
};
/* The store: rows as of the last commit. */
struct records {
        struct record *jobs, *nodes; /* by id; by index */
        struct record reservations, brake;
        struct trigger_row *triggers;
        size_t n_jobs, n_nodes, n_triggers;
        uint32_t next_job_id;
        int64_t clock_set;
};

void records_commit(struct records *s, const struct world *w); /* what this turn has changed */
/* A new cluster from the rows; every connection is lost, its agents register again within a second.
   clock: by how much the wall clock was set meanwhile. */
void records_restart(struct records *s, struct world *w, int64_t clock);
void records_done(struct records *s);
