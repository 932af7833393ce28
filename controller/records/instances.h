/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/instances.h - instances of cloud nodes, in the accounts */
#pragma once

#include "controller/loop/controller.h"

int instances_open(struct controller *ctl, struct fail *fail); /* the accounting file */
/* nodes are as stored: the rows follow */
int instances_start(struct controller *ctl, struct fail *fail);
void instances_note(struct controller *ctl, struct node *n); /* n may have changed */
/* those of nodes that go; NULL: none */
struct hostlist *instances_of(const struct controller *ctl, const struct bitset *stay);
/* they have gone */
void instances_gone(struct controller *ctl, const struct hostlist *nodes);
void handle_instance_query(struct controller *ctl, const struct caller *caller,
                const Envelope *env);
