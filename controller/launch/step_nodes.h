/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/step_nodes.h - the nodes of a step and the addresses of their slumberds */
#pragma once

#include "controller/loop/controller.h"

/* Returns the nodes of the step, of all components in order; NULL entries: nodes no longer
   configured. The caller frees. */
struct node **step_nodes_list(const struct controller *ctl, const struct job *j,
                const struct step *s, size_t *ret_n);
/* Returns the nodes of the step in j only, as "n[1-3,7]"; the caller frees. */
char *step_nodes_text(const struct job *j, const struct step *s);
/* Returns the addresses of all nodes' slumberds (lib/addresses.h); the caller frees the rows. */
char **step_nodes_addresses(const struct controller *ctl, const struct job *j, const struct step *s,
                size_t *ret_n);
/* StepAddresses: an agent that cannot reach a node of its step asks for current addresses. */
void step_nodes_addresses_asked(struct controller *ctl, struct peer *p, const Envelope *env);
/* Returns whether all slumberds of the step's nodes take streams and show a token, unlike
   earlier builds; a slumberd that is away counts as able. *ret_input_of_rank: all slumberds are
   connected and can take input for a single task. */
bool step_nodes_have_streams(const struct controller *ctl, const struct job *j,
                const struct step *s, bool *ret_input_of_rank);
/* Returns HOST:PORT at which other slumberds reach the slumberd that relays srun; the caller
   frees. NULL: srun is on this host, or the slumberd takes no streams; the step's streams then
   go through the controller. */
char *relay_address(const struct peer *p);
