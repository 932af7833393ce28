/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/state_seen.h - the controller's state as last seen by the node, kept in the file
 * SPOOL/state_seen
 *
 * A controller knowing less than the node reports at registration has an older copy of its state
 * (controller/records/identity.h). The file is one line of fixed size, overwritten in place by a
 * single write: old or new, never mixed. */
#pragma once

#include "lib/wire.h"

struct state_seen_kept {
        Slumber__StateSeen seen; /* state 0: unknown */
        bool unsynced;           /* the file has changes not synced to disk */
};

/* Reads the file of an earlier slumberd; a missing or damaged file means unknown. */
void state_seen_read(struct state_seen_kept *kept);
/* Records and writes the state told by the controller that accepted the node (NULL: none told).
   Within one start of the controller the highest job ID counts; a new start replaces everything.
   sync: a thread syncs the file, to survive a power failure. */
void state_seen_take(struct state_seen_kept *kept, const Slumber__StateSeen *told, bool sync);
