/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/step_begin.h - a request for a step becomes a step of its job */
#pragma once

#include "controller/launch/run.h"
#include "controller/steps/step_parts.h"

/* Where a step fits: as a whole and, of several components, each of them. */
struct fits {
        struct fit whole, *parts;
        size_t n; /* of parts; 0: there is one component */
};

void fits_done(struct fits *f);
static inline const struct fit *fits_part(const struct fits *f, size_t part) {
        return f->n ? &f->parts[part] : &f->whole;
}

/* The step of that number that r asks for, on those nodes; r->cpus says what it takes.  ports:
   its own, which it keeps, or NULL. */
struct step *step_begin(struct controller *ctl, struct run *r, struct job *j, const struct fits *f,
                uint32_t id, char *ports);
