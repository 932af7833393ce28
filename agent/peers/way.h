/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/peers/way.h - by which way one end of a step's streams reaches the other: by a connection
 * between the two slumberds, or by the controller
 *
 *     NEW -> MADE -> UP <-> QUIET
 *             |       |
 *             v       v
 *          REFUSED <- AGAIN -> UP
 *             |
 *             v
 *            SLOW -> UP or REFUSED
 *
 * MADE and AGAIN become SLOW where a connection neither stands nor is refused, as where packets are
 * dropped: the step goes by the controller meanwhile.
 *
 * What a step says in its first moments, if it is little, goes by the controller: a short step then
 * waits for no handshake.  All else takes the connection.  Only while none can be made does the
 * step go by the controller.  Both ends of a stream count bytes and keep what the other has not
 * taken, so nothing is lost where the way changes: the one who asks is told that all is to be sent
 * again. Pure: now is CLOCK_MONOTONIC. */
#pragma once

#include "lib/base.h"

#define WAY_SMALL  ((size_t)16 << 10)    /* bytes that may go by the controller at first */
#define WAY_MOMENT (100 * USEC_PER_MSEC) /* ... so long */
#define WAY_STRANGE                                                                                \
        (2 * USEC_PER_SEC) /* an end that does not know the step, and was not heard before */
#define WAY_DETOUR  (100 * USEC_PER_MSEC) /* ... where another one may be tried */
#define WAY_GIVE_UP (10 * USEC_PER_SEC)   /* without a connection where there was one */
#define WAY_LATER   (30 * USEC_PER_SEC)   /* until a connection is tried again that was refused */
#define WAY_IDLE                                                                                   \
        USEC_PER_SEC /* what is only taken, and comes by the controller so long: no other way      \
                        comes */

enum way_state {
        WAY_NONE, /* the other end's address is not known, as always with an old controller */
        WAY_NEW,
        WAY_MADE,  /* the first connection is being made */
        WAY_UP,    /* it stands */
        WAY_QUIET, /* it was closed without use; the next message makes it again */
        WAY_AGAIN, /* it has broken, and is being made again, or after a pause */
        WAY_SLOW,  /* it is being made, and nobody waits for it */
        WAY_REFUSED,
};
enum way_use { WAY_BY_CONTROLLER, WAY_DIRECT, WAY_DROP };

struct way {
        enum way_state state;
        uint64_t small; /* bytes that have gone by the controller, in NEW */
        bool owed;      /* something may not have arrived */
        bool more;      /* of the owner: another slumberd may be tried, see way_next() */
        /* messages that only say what was taken, in NEW: of a row of them without a long pause */
        usec_t first, last;
        usec_t connect_at; /* a connection is wanted then; 0: none is */
        usec_t give_up_at; /* AGAIN */
        usec_t again_at;   /* all is to be sent again then; 0: no */
        usec_t pause;      /* before that, the last one */
        /* a slumberd on the way could not be reached, and is tried again then; 0: none */
        usec_t back_at;
        bool heard;     /* the other end, by a connection */
        usec_t unknown; /* since when it says that it does not know the step; 0: it has not */
};

void way_begin(struct way *w, bool has_address);
void way_adopt(struct way *w); /* right after that: an earlier process had a connection */
/* A message goes; bytes of a stream in it, 0: it only says what was taken. DIRECT: the caller sends
   it by the connection, which it makes where there is none, and says way_lost() if it cannot. */
enum way_use way_use(struct way *w, size_t bytes, usec_t now);
/* The connection stands, or the other end was heard on one; true: all is to be sent again. */
bool way_up(struct way *w);
/* It is gone, or could not be made; quiet: nothing was under way.  true: the controller is the way
   from now on, by which all is to be sent again. */
bool way_lost(struct way *w, bool quiet, usec_t now);
/* It is being made, and that takes long.  true: likewise, until it stands. */
bool way_slow(struct way *w);
/* All is to be sent again: true, now; false, when the connection that is being made stands. */
bool way_may_repeat(struct way *w);
/* It is REFUSED, and another slumberd is on the way: that is tried. */
void way_next(struct way *w, bool more, usec_t now);
/* ... instead of one that, as way_next() is about to find, does not answer. */
void way_passed_over(struct way *w, usec_t now);
/* It is to be tried again, and later once more; true once. */
bool way_tries_back(struct way *w, usec_t now);
/* There is no room for a message: all is to be sent again in a while. */
void way_dropped(struct way *w, usec_t now);
/* The other end does not know the step, not yet or not any more, or is another slumberd than it
   should be: likewise.  true: it stays so, see way_lost(). */
bool way_unknown(struct way *w, usec_t now);
/* The other end, or one on the way, has dropped what was sent: busy, for want of room, or as it
   does not know the step. */
bool way_was_lost(struct way *w, bool busy, usec_t now);
/* The other end was heard by a connection. */
void way_heard(struct way *w);
/* Of way_wants(), way_repeats() and way_tries_back(); USEC_INFINITY: never. */
usec_t way_due(const struct way *w);
bool way_wants(struct way *w, usec_t now);   /* a connection; true once */
bool way_repeats(struct way *w, usec_t now); /* all is to be sent again; true once */
