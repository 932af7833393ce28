/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/peers/way.h - how an end of a step's streams reaches the other end: by a connection between
 * the two slumberds, or through the controller
 *
 *     NEW -> MADE -> UP <-> QUIET
 *             |       |
 *             v       v
 *          REFUSED <- AGAIN -> UP
 *             |
 *             v
 *            SLOW -> UP or REFUSED
 *
 * MADE and AGAIN become SLOW when an attempt to connect is neither accepted nor refused, for
 * example because packets are dropped; the step uses the controller meanwhile.
 *
 * A step's first data, if little, goes through the controller, so that a short step does not wait
 * for a handshake. More data takes the connection, and the controller again only while no
 * connection can be made. Both ends of a stream count bytes and keep data not yet acknowledged, so
 * a change of the way loses no data: the caller is told to send all data again. Pure: now is
 * CLOCK_MONOTONIC. */
#pragma once

#include "lib/base.h"

#define WAY_SMALL  ((size_t)16 << 10)    /* maximum data through the controller at first, bytes */
#define WAY_MOMENT (100 * USEC_PER_MSEC) /* maximum time of the first data */
#define WAY_STRANGE                                                                                \
        (2 * USEC_PER_SEC) /* maximum time with an end not knowing the step, if never heard */
#define WAY_DETOUR  (100 * USEC_PER_MSEC) /* maximum time if a further slumberd may be tried */
#define WAY_GIVE_UP (10 * USEC_PER_SEC)   /* maximum time to connect again */
#define WAY_LATER   (30 * USEC_PER_SEC)   /* pause before a refused connection is tried again */
#define WAY_IDLE                                                                                   \
        USEC_PER_SEC /* time until a mere receiver connects if data comes by the controller */

enum way_state {
        WAY_NONE, /* the other end's address is unknown, as with an old controller */
        WAY_NEW,
        WAY_MADE,  /* the first connection is being made */
        WAY_UP,    /* connected */
        WAY_QUIET, /* closed while unused; the next message connects again */
        WAY_AGAIN, /* the connection broke, and is being made again now or after a pause */
        WAY_SLOW,  /* a connection is being made, while the controller is used */
        WAY_REFUSED,
};
enum way_use { WAY_BY_CONTROLLER, WAY_DIRECT, WAY_DROP };

struct way {
        enum way_state state;
        uint64_t small; /* bytes sent through the controller in NEW */
        bool owed;      /* a message may have been lost */
        bool more;      /* set by the owner: a further slumberd may be tried, see way_next() */
        /* Acknowledgements in NEW: first and last of a series without a long pause */
        usec_t first, last;
        usec_t connect_at; /* time to connect; 0: none */
        usec_t give_up_at; /* AGAIN: time to give up */
        usec_t again_at;   /* time to send all data again; 0: none */
        usec_t pause;      /* last pause before again_at */
        /* Time to return to a slumberd on the way that could not be reached; 0: none */
        usec_t back_at;
        bool heard;     /* the other end has sent by a connection */
        usec_t unknown; /* since when the other end reports the step unknown; 0: not reported */
};

void way_begin(struct way *w, bool has_address);
void way_adopt(struct way *w); /* called after way_begin() if an earlier process had a connection */
/* Decides the way of a message with bytes of stream data (0: acknowledgements only). WAY_DIRECT:
   the caller sends by the connection, connects if necessary, and calls way_lost() if that fails. */
enum way_use way_use(struct way *w, size_t bytes, usec_t now);
/* The connection is established, or the other end was heard by a connection. true: send all data
   again. */
bool way_up(struct way *w);
/* The connection has ended or could not be made; quiet: no message was under way. true: the
   controller is the way from now on; send all data again. */
bool way_lost(struct way *w, bool quiet, usec_t now);
/* Connecting takes long. true: as in way_lost(), until the connection is established. */
bool way_slow(struct way *w);
/* The owner has to send all data again. true: now; false: when the connection being made is
   established. */
bool way_may_repeat(struct way *w);
/* The way is REFUSED, and the owner tries a further slumberd on the way, now. */
void way_next(struct way *w, bool more, usec_t now);
/* way_next() will pass over a slumberd that does not answer: notes the time to return. */
void way_passed_over(struct way *w, usec_t now);
/* Returns true once at the time to try the passed-over slumberd; sets the next time. */
bool way_return_is_due(struct way *w, usec_t now);
/* A message had no room: all data is sent again after a pause. */
void way_dropped(struct way *w, usec_t now);
/* The other end does not know the step (yet), or is the wrong slumberd: all data is sent again
   after a pause. true: no longer a transient state, see way_lost(). */
bool way_unknown(struct way *w, usec_t now);
/* A slumberd on the way or at the other end has dropped a message; busy: for lack of room,
   otherwise because the step is unknown. */
bool way_message_lost(struct way *w, bool busy, usec_t now);
/* The other end has sent by a connection. */
void way_heard(struct way *w);
/* Earliest time of way_connect_is_due(), way_repeat_is_due() and way_return_is_due();
   USEC_INFINITY: none. */
usec_t way_due(const struct way *w);
bool way_connect_is_due(struct way *w, usec_t now); /* time to connect; true once */
bool way_repeat_is_due(struct way *w, usec_t now);  /* time to send all data again; true once */
