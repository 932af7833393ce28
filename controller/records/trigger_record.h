/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/trigger_record.h - triggers as messages, for the store and strigger */
#pragma once

#include "controller/model/cluster.h"
#include "lib/wire.h"

/* Access to the store: a row for each trigger and run, and a head for common members. */
struct trigger_rows {
        /* takes ownership of data */
        void (*put)(const char *key, uint8_t *data, size_t size, void *user);
        void (*drop)(const char *key, void *user);
        void *user;
};
/* Stores the changed rows and the head. */
void trigger_record_save(struct cluster *c, const char *boot_id, const struct trigger_rows *to);
/* Restores a row; rows must come sorted by key.  Returns 1 for a row of triggers, 0 for any other
   row, -EBADMSG for an unreadable row, a row without a program or with a wrong pid.  Programs
   started in a different boot than boot_id are treated as ended. */
int trigger_record_restore(struct cluster *c, const char *boot_id, const char *key,
                const uint8_t *data, size_t size);
/* Lists triggers whose program was not issued yet: waiting, or fired with a later start. */
void trigger_record_fill_waiting(const struct cluster *c, Slumber__TriggerList *m);
void trigger_record_done(Slumber__TriggerList *m);
