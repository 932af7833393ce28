/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/trigger_record.h - triggers, as the store and strigger have them */
#pragma once

#include "controller/model/cluster.h"
#include "lib/wire.h"

/* Of the store: a row for each trigger and run, and a head for what they have in common. */
struct trigger_rows {
        void (*put)(const char *key, uint8_t *data, size_t size, void *user); /* takes data */
        void (*drop)(const char *key, void *user);
        void *user;
};
/* Those that have changed, and the head. */
void trigger_record_save(struct cluster *c, const char *boot_id, const struct trigger_rows *to);
/* A row, which come in the order of their keys.  1: it is one of triggers', 0: it is not, -EBADMSG:
   it cannot be read, or has no program or no pid.  Programs of another boot than boot_id run no
   more. */
int trigger_record_restore(struct cluster *c, const char *boot_id, const char *key,
                const uint8_t *data, size_t size);
/* Those whose programs have not been asked for: that wait, and that have fired and start later. */
void trigger_record_fill_waiting(const struct cluster *c, Slumber__TriggerList *m);
void trigger_record_done(Slumber__TriggerList *m);
/* What a user asks for: borrows from m. */
struct trigger trigger_of(const Slumber__Trigger *m);
