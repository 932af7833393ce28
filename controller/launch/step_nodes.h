/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/step_nodes.h - the nodes of a step, and where their slumberds listen */
#pragma once

#include "controller/loop/controller.h"

/* The nodes of all components that the step is over, in their order; NULL among them: it is no node
   any more.  The caller frees. */
struct node **step_nodes_list(const struct controller *ctl, const struct job *j,
                const struct step *s, size_t *ret_n);
/* Those of j alone, n[1-3,7]; the caller frees. */
char *step_nodes_text(const struct job *j, const struct step *s);
/* Where the slumberds of all of them listen (lib/addresses.h); the caller frees the rows. */
char **step_nodes_addresses(const struct controller *ctl, const struct job *j, const struct step *s,
                size_t *ret_n);
/* An agent that does not reach a node of its step asks that. */
void step_nodes_addresses_asked(struct controller *ctl, struct peer *p, const Envelope *env);
/* No slumberd of the step's nodes is of an earlier build that takes no streams, or shows no token;
   of one that is away this is not known, and it counts as new.  *ret_input_of_rank: all are known
   to take input for one task. */
bool step_nodes_have_streams(const struct controller *ctl, const struct job *j,
                const struct step *s, bool *ret_input_of_rank);
/* Where other slumberds reach the one that relays srun, HOST:PORT; the caller frees.  NULL: srun is
   on this host, or its slumberd takes no streams, and those of the step go by the controller. */
char *relay_address(const struct peer *p);
