/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/instances.h - rows of the accounts for instances of cloud nodes */
#pragma once

#include "controller/loop/controller.h"

int instances_open(struct controller *ctl, struct fail *fail); /* opens the accounting file */
/* Brings the rows in line with the restored nodes. */
int instances_start(struct controller *ctl, struct fail *fail);
/* called when n may have changed */
void instances_note(struct controller *ctl, struct node *n);
/* Names of nodes with an instance that are not in stay; NULL: none; the caller frees. */
struct hostlist *instances_of(const struct controller *ctl, const struct bitset *stay);
/* Ends the instances of removed nodes. */
void instances_gone(struct controller *ctl, const struct hostlist *nodes);
void handle_instance_query(struct controller *ctl, const struct caller *caller,
                const Envelope *env);
