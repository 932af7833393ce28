/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sender sends pieces in order, as far as the window allows. The sender goes back to the
 * first unacknowledged piece when pieces may be lost: after an undelivered message, a new link, a
 * request to repeat, a long silence. Then pieces go one at a time until one is acknowledged. The
 * receiver takes the next piece in order, drops repeated pieces, and asks once to repeat missing
 * pieces. */
#include "agent/common/reliable.h"

#include <sys/queue.h>

#define PAUSE_FIRST (10 * USEC_PER_MSEC)
#define PAUSE_LAST  (2 * USEC_PER_SEC)
/* Maximum wait for an acknowledgement without a sign of loss. */
#define ANSWER_FIRST (5 * USEC_PER_SEC)
#define ANSWER_LAST  (60 * USEC_PER_SEC)

struct kept {
        uint64_t serial;
        uint32_t kind;
        bool more;
        size_t start, size; /* offset and size within data */
        struct shared_bytes *data;
        TAILQ_ENTRY(kept) next;
};

struct reliable {
        TAILQ_HEAD(, kept) kept;
        struct kept *unsent;    /* the first piece not under way; NULL: all are */
        uint64_t serial;        /* number of the last piece queued */
        size_t held, under_way; /* bytes */
        unsigned failures;      /* since the last acknowledgement */
        bool alone;             /* only one piece may be under way */
        usec_t pause_until;     /* 0: none */
        usec_t answer_by;       /* 0: no piece is under way */

        uint64_t had;   /* pieces up to here were received */
        bool owes;      /* an acknowledgement is to be sent */
        bool repeat;    /* a request to repeat is to be sent */
        uint64_t asked; /* had + 1 at the time of the last request to repeat */
        size_t message_max;
        uint8_t *in; /* the pieces of the incoming message so far */
        size_t in_size, in_allocated;
        uint32_t in_kind;
        bool in_whole; /* the message was returned to the caller */
};

struct shared_bytes *shared_bytes_new(size_t size) {
        struct shared_bytes *b = xmalloc(sizeof *b + size);

        b->refs = 1;
        b->size = size;
        return b;
}

static struct shared_bytes *shared_bytes_ref(struct shared_bytes *b) {
        b->refs++;
        return b;
}

struct shared_bytes *shared_bytes_unref(struct shared_bytes *b) {
        if (b && --b->refs == 0)
                free(b);
        return NULL;
}

struct reliable *reliable_new(size_t message_max) {
        struct reliable *q = xnew0(struct reliable, 1);

        TAILQ_INIT(&q->kept);
        q->message_max = message_max;
        return q;
}

static void drop_first(struct reliable *q) {
        struct kept *k = TAILQ_FIRST(&q->kept);

        TAILQ_REMOVE(&q->kept, k, next);
        q->held -= k->size + RELIABLE_EXTRA;
        shared_bytes_unref(k->data);
        free(k);
}

struct reliable *reliable_free(struct reliable *q) {
        if (!q)
                return NULL;
        while (!TAILQ_EMPTY(&q->kept))
                drop_first(q);
        free(q->in);
        free(q);
        return NULL;
}

/* ---- sending ---- */

void reliable_put(struct reliable *q, uint32_t kind, struct shared_bytes *data) {
        size_t at = 0;

        do {
                struct kept *k = xnew(struct kept, 1);
                size_t size = MIN(data->size - at, RELIABLE_PIECE);

                *k = (struct kept){
                        .serial = ++q->serial,
                        .kind = kind,
                        .more = at + size < data->size,
                        .start = at,
                        .size = size,
                        .data = shared_bytes_ref(data),
                };
                TAILQ_INSERT_TAIL(&q->kept, k, next);
                q->held += size + RELIABLE_EXTRA;
                if (!q->unsent)
                        q->unsent = k;
                at += size;
        } while (at < data->size);
}

static bool nothing_under_way(const struct reliable *q) {
        return q->unsent == TAILQ_FIRST(&q->kept);
}

static bool may_send(const struct reliable *q, usec_t now) {
        if (!q->unsent || now < q->pause_until)
                return false;
        if (nothing_under_way(q))
                return true;
        return !q->alone && q->under_way + q->unsent->size <= RELIABLE_WINDOW;
}

static void go_back(struct reliable *q) {
        q->unsent = TAILQ_FIRST(&q->kept);
        q->under_way = 0;
        q->answer_by = 0;
        q->alone = true;
}

bool reliable_next(struct reliable *q, usec_t now, struct reliable_piece *ret) {
        if (q->answer_by && now >= q->answer_by) {
                q->failures++;
                go_back(q);
        }
        bool sends = may_send(q, now);
        if (!sends && !q->owes)
                return false;
        *ret = (struct reliable_piece){ .acknowledged = q->had, .repeat = q->repeat };
        q->owes = q->repeat = false;
        if (!sends)
                return true;
        struct kept *k = q->unsent;
        ret->serial = k->serial;
        ret->kind = k->kind;
        ret->more = k->more;
        ret->data = k->data->data + k->start;
        ret->size = k->size;
        q->unsent = TAILQ_NEXT(k, next);
        q->under_way += k->size;
        q->answer_by = now + MIN(ANSWER_FIRST << MIN(q->failures, 8u), ANSWER_LAST);
        return true;
}

void reliable_undelivered(struct reliable *q, usec_t now) {
        if (TAILQ_EMPTY(&q->kept) || now < q->pause_until)
                return; /* a single pause covers the pieces under way */
        go_back(q);
        q->pause_until = now + MIN(PAUSE_FIRST << MIN(q->failures, 16u), PAUSE_LAST);
        q->failures++;
}

void reliable_resume(struct reliable *q) {
        go_back(q);
        q->failures = 0;
        q->pause_until = 0;
        q->owes = q->had > 0 || q->serial > 0;
}

usec_t reliable_due(const struct reliable *q) {
        if (q->unsent && nothing_under_way(q))
                return q->pause_until;
        return q->answer_by ? q->answer_by : USEC_INFINITY;
}

size_t reliable_held(const struct reliable *q) {
        return q->held;
}

bool reliable_idle(const struct reliable *q) {
        return TAILQ_EMPTY(&q->kept) && !q->owes;
}

bool reliable_heard(const struct reliable *q) {
        const struct kept *k = TAILQ_FIRST(&q->kept);

        return q->had > 0 || (k ? k->serial > 1 : q->serial > 0);
}

/* Frees acknowledged pieces; an acknowledgement of pieces never queued is an error. */
static int take_acknowledged(struct reliable *q, uint64_t serial) {
        struct kept *k = TAILQ_FIRST(&q->kept);
        bool any = k && k->serial <= serial;

        if (serial > q->serial)
                return -EBADMSG;
        while ((k = TAILQ_FIRST(&q->kept)) && k->serial <= serial) {
                if (q->unsent == k)
                        q->unsent = TAILQ_NEXT(k, next);
                else
                        q->under_way -= MIN(k->size, q->under_way);
                drop_first(q);
        }
        if (any) {
                q->failures = 0;
                q->alone = false;
                q->pause_until = 0;
        }
        if (nothing_under_way(q))
                q->answer_by = 0;
        return 0;
}

/* ---- receiving ---- */

static int piece_append(struct reliable *q, const struct reliable_piece *p) {
        if (q->in_whole && q->in_allocated > RELIABLE_PIECE) {
                free(TAKE(q->in));
                q->in_allocated = 0;
        }
        if (q->in_whole)
                q->in_size = 0;
        q->in_whole = false;
        if (q->in_size > 0 && p->kind != q->in_kind)
                return -EBADMSG;
        if (p->size > q->message_max - q->in_size)
                return -EMSGSIZE;
        if (q->in_size + p->size > q->in_allocated) {
                q->in_allocated = MAX(q->in_allocated * 2, q->in_size + p->size);
                q->in = xrenew(q->in, q->in_allocated);
        }
        if (p->size)
                memcpy(q->in + q->in_size, p->data, p->size);
        q->in_size += p->size;
        q->in_kind = p->kind;
        return 0;
}

/* Takes the next piece in order. */
static int take_piece(struct reliable *q, const struct reliable_piece *p,
                struct reliable_message *ret) {
        int r = piece_append(q, p);

        if (r < 0)
                return r;
        q->had = p->serial;
        if (p->more)
                return 0;
        q->in_whole = true;
        *ret = (struct reliable_message){ .kind = p->kind, .data = q->in, .size = q->in_size };
        return 1;
}

int reliable_receive(struct reliable *q, const struct reliable_piece *p,
                struct reliable_message *ret) {
        int r = take_acknowledged(q, p->acknowledged);

        if (r < 0)
                return r;
        if (p->repeat)
                go_back(q);
        if (p->serial == 0)
                return 0;
        q->owes = true;
        if (p->serial <= q->had)
                return 0;
        if (p->serial > q->had + 1) {
                q->repeat = q->asked != q->had + 1;
                q->asked = q->had + 1;
                return 0;
        }
        return take_piece(q, p, ret);
}
