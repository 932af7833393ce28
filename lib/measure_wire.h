/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/measure_wire.h - struct measures as messages and stored records have it */
#pragma once

#include "lib/measure.h"
#include "proto/slumber.pb-c.h"

struct measures_message {
        Slumber__Measure of[MEASURE_MAX], *list[MEASURE_MAX];
};

/* Texts stay those of m, which must outlive the message. */
void measures_pack(const struct measures *m, struct measures_message *ret);
/* The caller calls measures_done(). */
struct measures measures_unpack(Slumber__Measure *const *list, size_t n);
