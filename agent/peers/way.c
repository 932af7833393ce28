/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/peers/way.h"

/* Pause between attempts to connect; peers.c adds growing pauses. */
#define RETRY (100 * USEC_PER_MSEC)
/* Pauses between repetitions to an end that does not know the step */
#define PAUSE_FIRST (20 * USEC_PER_MSEC)
#define PAUSE_LAST  (2 * USEC_PER_SEC)

void way_begin(struct way *w, bool has_address) {
        *w = (struct way){ .state = has_address ? WAY_NEW : WAY_NONE };
}

void way_adopt(struct way *w) {
        if (w->state == WAY_NEW)
                w->state = WAY_QUIET;
}

static enum way_use way_use_new(struct way *w, size_t bytes, usec_t now) {
        bool late = w->connect_at && now >= w->connect_at;

        if (bytes && !w->connect_at)
                w->connect_at = now + WAY_MOMENT;
        if (bytes == 0) {
                if (!w->first || now - w->last >= WAY_IDLE)
                        w->first = now;
                w->last = now;
        }
        if (bytes == 0 && !w->connect_at && now - w->first >= WAY_IDLE) {
                w->state = WAY_SLOW; /* an other end in use would have connected by now */
                w->connect_at = now;
        }
        if (bytes == 0 || (!late && w->small + bytes <= WAY_SMALL)) {
                w->small += bytes;
                w->owed = true;
                return WAY_BY_CONTROLLER;
        }
        w->state = WAY_MADE;
        w->connect_at = 0;
        return WAY_DIRECT;
}

enum way_use way_use(struct way *w, size_t bytes, usec_t now) {
        switch (w->state) {
        case WAY_NEW:
                return way_use_new(w, bytes, now);
        case WAY_QUIET:
                w->state = WAY_AGAIN;
                w->give_up_at = now + WAY_GIVE_UP;
                w->connect_at = 0;
                return WAY_DIRECT;
        case WAY_AGAIN: /* messages wait in the connection being made */
                w->owed |= w->connect_at != 0;
                return w->connect_at ? WAY_DROP : WAY_DIRECT;
        case WAY_MADE:
        case WAY_UP:
                return WAY_DIRECT;
        case WAY_REFUSED:
                if (!w->connect_at && !w->unknown)
                        w->connect_at = now + WAY_LATER;
                break;
        case WAY_SLOW:
        case WAY_NONE:
                break;
        }
        w->owed = true;
        return WAY_BY_CONTROLLER;
}

bool way_up(struct way *w) {
        bool again = w->owed && w->state != WAY_UP;

        if (w->state == WAY_UP)
                return false;
        w->state = WAY_UP;
        w->owed = false;
        w->connect_at = w->give_up_at = 0;
        return again;
}

bool way_lost(struct way *w, bool quiet, usec_t now) {
        switch (w->state) {
        case WAY_UP:
                w->state = quiet ? WAY_QUIET : WAY_AGAIN;
                w->owed = !quiet;
                w->connect_at = quiet ? 0 : now;
                w->give_up_at = now + (w->more ? 0 : WAY_GIVE_UP);
                return false;
        case WAY_AGAIN:
                w->owed = true;
                w->connect_at = now + RETRY;
                if (now < w->give_up_at)
                        return false;
                break;
        case WAY_MADE:
                break;
        case WAY_SLOW: /* data went through the controller meanwhile */
                w->state = WAY_REFUSED;
                w->connect_at = 0;
                return false;
        case WAY_NEW:
        case WAY_QUIET:
        case WAY_NONE:
        case WAY_REFUSED:
                return false;
        }
        w->state = WAY_REFUSED;
        w->connect_at = w->unknown = 0;
        return true;
}

bool way_slow(struct way *w) {
        if (w->state != WAY_MADE && w->state != WAY_AGAIN)
                return false;
        w->state = WAY_SLOW;
        w->owed = true;
        w->connect_at = w->give_up_at = 0;
        return true;
}

bool way_may_repeat(struct way *w) {
        w->owed |= w->state == WAY_AGAIN;
        return w->state != WAY_AGAIN;
}

void way_next(struct way *w, bool more, usec_t now) {
        w->state = WAY_AGAIN;
        w->more = more;
        w->owed = true;
        w->unknown = 0;
        w->connect_at = now;
        w->give_up_at = now + (more || !w->heard ? 0 : WAY_GIVE_UP);
}

/* A slumberd reporting the step unknown will not learn of the step later: no return. */
void way_passed_over(struct way *w, usec_t now) {
        if (!w->unknown)
                w->back_at = now + WAY_LATER;
}

bool way_return_is_due(struct way *w, usec_t now) {
        if (!w->back_at || now < w->back_at)
                return false;
        w->back_at = now + WAY_LATER;
        return true;
}

void way_dropped(struct way *w, usec_t now) {
        if (w->again_at)
                return;
        w->pause = MIN(MAX(w->pause * 2, PAUSE_FIRST), PAUSE_LAST);
        w->again_at = now + w->pause;
}

bool way_unknown(struct way *w, usec_t now) {
        if (w->state == WAY_REFUSED)
                return false;
        if (!w->unknown)
                w->unknown = now;
        usec_t most = w->more ? WAY_DETOUR : w->heard ? WAY_GIVE_UP : WAY_STRANGE;
        if (now - w->unknown < most) {
                way_dropped(w, now);
                return false;
        }
        w->state = WAY_REFUSED;
        w->connect_at = w->again_at = 0;
        return true;
}

bool way_message_lost(struct way *w, bool busy, usec_t now) {
        if (!busy)
                return way_unknown(w, now);
        if (w->state != WAY_REFUSED)
                way_dropped(w, now);
        return false;
}

void way_heard(struct way *w) {
        w->heard = true;
        w->unknown = 0;
        if (!w->again_at)
                w->pause = 0;
}

usec_t way_due(const struct way *w) {
        usec_t connect = w->connect_at ? w->connect_at : USEC_INFINITY,
               again = w->again_at ? w->again_at : USEC_INFINITY,
               back = w->back_at ? w->back_at : USEC_INFINITY;

        return MIN(MIN(connect, again), back);
}

bool way_connect_is_due(struct way *w, usec_t now) {
        if (!w->connect_at || now < w->connect_at)
                return false;
        w->connect_at = 0;
        if (w->state == WAY_NEW)
                w->state = WAY_MADE;
        else if (w->state == WAY_REFUSED)
                w->state = WAY_SLOW;
        return true;
}

bool way_repeat_is_due(struct way *w, usec_t now) {
        if (!w->again_at || now < w->again_at)
                return false;
        w->again_at = 0;
        return true;
}
