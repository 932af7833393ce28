/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/step/measure_wire.h - struct measures as messages and stored records have it */
#pragma once

#include "lib/step/measure.h"
#include "proto/slumber.pb-c.h"

/* MEASURE_MAX of them, one piece of memory that the caller frees.  Texts stay those of m. */
Slumber__Measure **measures_pack(const struct measures *m);
/* The caller calls measures_done(). */
struct measures measures_unpack(Slumber__Measure *const *list, size_t n);
