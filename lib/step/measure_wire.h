/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/step/measure_wire.h - struct measures in messages and stored records */
#pragma once

#include "lib/step/measure.h"
#include "proto/slumber.pb-c.h"

/* Returns MEASURE_MAX messages in a single allocation, freed by the caller. Texts are borrowed from
   m. */
Slumber__Measure **measures_pack(const struct measures *m);
/* The caller calls measures_done() on the result. */
struct measures measures_unpack(Slumber__Measure *const *list, size_t n);
