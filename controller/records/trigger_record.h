/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/trigger_record.h - triggers, as the store and strigger have them */
#pragma once

#include "controller/model/cluster.h"
#include "lib/wire.h"

/* All for the store; boot_id is borrowed. */
void trigger_record_fill(const struct cluster *c, const char *boot_id, Slumber__TriggerList *m);
/* Those whose programs have not been asked for: that wait, and that have fired and start later. */
void trigger_record_fill_waiting(const struct cluster *c, Slumber__TriggerList *m);
void trigger_record_done(Slumber__TriggerList *m);
/* Programs of another boot than boot_id run no more. */
void trigger_record_restore(struct cluster *c, const char *boot_id, const Slumber__TriggerList *m);
/* What a user asks for: borrows from m. */
struct trigger trigger_of(const Slumber__Trigger *m);
