/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/step_begin.h - creates the step for a request */
#pragma once

#include "controller/launch/run.h"
#include "controller/steps/step_parts.h"

/* The place of a step: of the whole step and, if there are several components, of each. */
struct fits {
        struct fit whole, *parts;
        size_t n; /* number of parts; 0: a single component */
};

void fits_done(struct fits *f);
static inline const struct fit *fits_part(const struct fits *f, size_t part) {
        return f->n ? &f->parts[part] : &f->whole;
}

/* Creates the step with this id for r on the nodes of f, and sets r->cpus to the CPUs that the
   step takes. ports: the reserved ports, owned by the step from now on; NULL: none. */
struct step *step_begin(struct controller *ctl, struct run *r, struct job *j, const struct fits *f,
                uint32_t id, char *ports);
