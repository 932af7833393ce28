/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/state_seen.h - what controllers have told this node of their state, kept in the
 * spool folder as SPOOL/state_seen
 *
 * A controller that knows less than the node reports at its registration has an older copy of its
 * state (controller/records/identity.h).  The file is one line of fixed size that is written in
 * place: it is old or new, never half. */
#pragma once

#include "lib/wire.h"

struct state_seen_kept {
        Slumber__StateSeen seen; /* state 0: nothing */
        bool unsynced;           /* the file was written since it was last synced */
};

/* What an earlier slumberd has written; a file that is missing or damaged says nothing. */
void state_seen_read(struct state_seen_kept *kept);
/* Notes what the controller that accepted this node has told (NULL: nothing) and writes it.  Within
   one start of the controller the highest job id counts; another start replaces the whole.  sync:
   a thread syncs the file, so that it outlives a power failure. */
void state_seen_take(struct state_seen_kept *kept, const Slumber__StateSeen *told, bool sync);
