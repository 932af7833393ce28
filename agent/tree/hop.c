/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/tree/hop.h"

#include "lib/bitset.h"
#include "lib/log.h"
#include "lib/timer.h"

#include <sys/queue.h>

/* Maximum delay of an incomplete answer */
#define NEWS         (20 * USEC_PER_MSEC)
#define PATIENCE_MIN (50 * USEC_PER_MSEC)
#define PATIENCE_MAX (60 * USEC_PER_SEC)
/* Time for which a launch is remembered, as steps may wait for a prolog */
#define LAUNCH_LIFE (24 * 3600 * USEC_PER_SEC)
#define OWN_BUCKETS 64u
/* Maximum size of kept messages, bytes; beyond it the oldest is left to the controller */
#ifndef HOPS_BYTES_MAX
#define HOPS_BYTES_MAX ((size_t)64 << 20)
#endif

/* Rows given to a slumberd below */
struct part {
        struct peer *peer;
        size_t *rows, n; /* indexes in the message's rows; the first is the slumberd's own row */
        usec_t heard;    /* last answer, CLOCK_MONOTONIC */
        bool placed;     /* each row has reached its node */
        bool over;       /* no longer waited for */
};

struct hop_row {
        uint32_t number;
        bool said[TREE_NEWS];
        bool left; /* left to the controller */
        uint64_t proofs[TREE_NEWS];
};

/* A message */
struct hop {
        struct hops *all;
        struct peers *peers;
        struct peer *from; /* NULL: the controller */
        uint64_t id;
        uint32_t width;
        Slumber__TreeMessage *m; /* NULL: each row has reached its node */
        size_t size;             /* size of m, bytes */
        bool launches;
        struct hop_row *rows;
        size_t n, n_placed, n_over; /* n_over: rows without further answers to come */
        struct part **parts;
        size_t n_parts, a_parts;
        usec_t patience, news, ends; /* news: time to send an answer; 0: none due */
        sd_event_source *timer;
        TAILQ_ENTRY(hop) next;
};

/* This node's row of a message, remembered so as to be delivered once */
struct own {
        uint64_t id;
        uint32_t number;
        usec_t ends;
        Envelope *waiting;      /* NULL: delivered */
        uint64_t after, behind; /* as in TreeRowBody */
        bool launches;
        bool said[TREE_NEWS];
        uint64_t proofs[TREE_NEWS];
        bool asked; /* the controller gets reports directly */
        SLIST_ENTRY(own) next;
        TAILQ_ENTRY(own) next_waiting;
};

struct hops {
        sd_event *event;
        const struct hops_ops *ops;
        void *user;
        TAILQ_HEAD(, hop) list;
        SLIST_HEAD(, own) own[OWN_BUCKETS];
        TAILQ_HEAD(own_list, own) waiting; /* in the order of sending */
        /* On the present connection to the controller: rows up to settled have been delivered,
           have come by the controller's own connection, or will not come any more; job_message:
           number of messages received with the last message about jobs. */
        uint64_t settled, job_message;
        size_t size; /* size of kept messages, bytes */
};

/* ---- this node's rows ---- */

static struct own *own_find(struct hops *all, uint64_t id) {
        struct own *o;

        SLIST_FOREACH(o, &all->own[id % OWN_BUCKETS], next)
        if (o->id == id)
                break;
        return o;
}

static void own_settle(struct hops *all, struct own *o) {
        if (o->waiting)
                TAILQ_REMOVE(&all->waiting, o, next_waiting);
        envelope_freep(&o->waiting);
        o->waiting = NULL;
}

static void own_free(struct hops *all, struct own *o) {
        own_settle(all, o);
        SLIST_REMOVE(&all->own[o->id % OWN_BUCKETS], o, own, next);
        free(o);
}

static bool own_is_over(const struct own *o) {
        return !o->launches || o->said[TREE_LAUNCHED] || o->said[TREE_APART];
}

/* Forgets rows older than any row that may still arrive: rows signed earlier are refused. */
static void own_forget_old(struct hops *all, uint64_t id, usec_t now) {
        struct own *o, *next;

        for (o = SLIST_FIRST(&all->own[id % OWN_BUCKETS]); o; o = next) {
                next = SLIST_NEXT(o, next);
                if (now >= o->ends + (own_is_over(o) ? 0 : LAUNCH_LIFE))
                        own_free(all, o);
        }
}

/* Joins the row's part and the common part. NULL: malformed, or a message not allowed in trees. */
static Envelope *row_envelope(const Slumber__TreeRowBody *body, const ProtobufCBinaryData *common) {
        size_t size = body->begin.len + common->len;
        _cleanup_free_ uint8_t *data = xmalloc(size + 1);
        _cleanup_envelope_ Envelope *env = NULL;

        if (body->begin.len)
                memcpy(data, body->begin.data, body->begin.len);
        if (common->len)
                memcpy(data + body->begin.len, common->data, common->len);
        if (wire_unpack(data, size, &env) < 0)
                return NULL;
        switch ((int)env->body_case) {
        case SLUMBER__ENVELOPE__BODY_LAUNCH_STEP:
        case SLUMBER__ENVELOPE__BODY_FREEZE_JOB:
        case SLUMBER__ENVELOPE__BODY_TERMINATE_JOB:
        case SLUMBER__ENVELOPE__BODY_SIGNAL_JOB:
                return TAKE(env);
        default:
                return NULL;
        }
}

static bool sent_before(const struct own *o, const struct own *other) {
        return o->after != other->after ? o->after < other->after : o->id < other->id;
}

static void own_wait(struct hops *all, struct own *o) {
        struct own *before = TAILQ_LAST(&all->waiting, own_list);

        while (before && sent_before(o, before))
                before = TAILQ_PREV(before, own_list, next_waiting);
        if (before)
                TAILQ_INSERT_AFTER(&all->waiting, before, o, next_waiting);
        else
                TAILQ_INSERT_HEAD(&all->waiting, o, next_waiting);
}

void hops_job_message(struct hops *all, uint64_t received) {
        all->job_message = received;
}

/* Answers were for the lost connection: the node now reports directly to the controller. */
void hops_controller_gone(struct hops *all) {
        struct own *o;

        if (!all)
                return;
        while ((o = TAILQ_FIRST(&all->waiting)))
                own_settle(all, o);
        for (size_t i = 0; i < OWN_BUCKETS; i++)
                SLIST_FOREACH(o, &all->own[i], next)
        o->asked = true;
        all->settled = all->job_message = 0;
}

/* ---- answers ---- */

static void part_free(struct part *part) {
        free(part->rows);
        free(part);
}

static void hop_free_message(struct hop *h) {
        if (!h->m)
                return;
        slumber__tree_message__free_unpacked(TAKE(h->m), NULL);
        h->all->size -= h->size;
}

static void hop_free(struct hop *h) {
        TAILQ_REMOVE(&h->all->list, h, next);
        for (size_t i = 0; i < h->n_parts; i++)
                part_free(h->parts[i]);
        free(h->parts);
        hop_free_message(h);
        free(h->rows);
        sd_event_source_disable_unref(h->timer);
        free(h);
}

static bool row_is_placed(const struct hop_row *r) {
        return r->left || r->said[TREE_HAD] || r->said[TREE_LAUNCHED] || r->said[TREE_APART];
}

static bool row_is_over(const struct hop *h, const struct hop_row *r) {
        return r->left || r->said[TREE_LAUNCHED] || r->said[TREE_APART] ||
               (r->said[TREE_HAD] && !h->launches);
}

static void hop_note_left(struct hop *h, size_t at) {
        struct hop_row *r = &h->rows[at];

        h->n_placed += !row_is_placed(r);
        h->n_over += !row_is_over(h, r);
        r->left = true;
}

static void hop_note_said(struct hop *h, size_t at, enum tree_news what, uint64_t proof) {
        struct hop_row *r = &h->rows[at];
        bool placed = row_is_placed(r), over = row_is_over(h, r);

        if (r->said[what])
                return;
        r->said[what] = true;
        r->proofs[what] = proof;
        h->n_placed += row_is_placed(r) && !placed;
        h->n_over += row_is_over(h, r) && !over;
}

/* The caller frees the result and *ret_proofs. */
static char *hop_news_numbers(const struct hop *h, enum tree_news what, uint64_t **ret_proofs,
                size_t *ret) {
        _cleanup_(bitset_freep) struct bitset *set = bitset_new(
                        (size_t)h->rows[h->n - 1].number + 1);
        uint64_t *proofs = xnew(uint64_t, h->n);

        *ret = 0;
        for (size_t i = 0; i < h->n; i++) {
                if (!h->rows[i].said[what])
                        continue;
                bitset_add(set, h->rows[i].number);
                proofs[(*ret)++] = h->rows[i].proofs[what];
        }
        *ret_proofs = proofs;
        return bitset_text(set);
}

static void hop_send_news(struct hop *h) {
        Slumber__TreeAnswer m = SLUMBER__TREE_ANSWER__INIT;
        char *texts[TREE_NEWS];
        uint64_t *proofs[TREE_NEWS];
        size_t n;

        m.id = h->id;
        for (enum tree_news what = 0; what < TREE_NEWS; what++) {
                texts[what] = hop_news_numbers(h, what, &proofs[what], &n);
                tree_answer_say(&m, what, texts[what], proofs[what], n);
        }
        h->news = 0;
        ENVELOPE(env, TREE_ANSWER, tree_answer, &m);
        if (!h->from || !peer_send(h->from, &env))
                h->all->ops->tell(&m, h->all->user);
        for (enum tree_news what = 0; what < TREE_NEWS; what++) {
                free(texts[what]);
                free(proofs[what]);
        }
}

/* Sets the timer to the earliest deadline. */
static void hop_arm_timer(struct hop *h, usec_t now) {
        usec_t due = h->news ? MIN(h->news, h->ends) : h->ends;

        for (size_t i = 0; i < h->n_parts; i++)
                if (!h->parts[i]->over && !h->parts[i]->placed)
                        due = MIN(due, h->parts[i]->heard + h->patience);
        timer_arm(h->timer, due > now ? due - now : 0);
}

/* Frees the message when all rows have reached their nodes. */
static void hop_check_placed(struct hop *h, usec_t now) {
        if (h->m && h->n_placed == h->n) {
                hop_free_message(h);
                h->ends = now + LAUNCH_LIFE;
        }
        hop_arm_timer(h, now);
}

/* May free h. */
static void has_news(struct hop *h) {
        usec_t now = now_monotonic();

        if (h->n_over == h->n) {
                hop_send_news(h);
                hop_free(h);
                return;
        }
        if (!h->news)
                h->news = now + NEWS;
        hop_check_placed(h, now);
}

/* Notes news of this node's own row. */
static void own_said(struct hops *all, struct own *o, enum tree_news what) {
        struct hop *h, *next;

        o->said[what] = true;
        for (h = TAILQ_FIRST(&all->list); h; h = next) {
                next = TAILQ_NEXT(h, next);
                if (h->id != o->id || h->rows[0].said[what])
                        continue;
                hop_note_said(h, 0, what, o->proofs[what]);
                has_news(h);
        }
}

/* Returns whether o follows a row still to come. */
static bool own_is_behind(const struct hops *all, const struct own *o) {
        return o->behind > all->settled;
}

void hops_go_on(struct hops *all, uint64_t received) {
        struct own *o;

        while ((o = TAILQ_FIRST(&all->waiting)) && received >= o->after && !own_is_behind(all, o)) {
                _cleanup_envelope_ Envelope *env = TAKE(o->waiting);
                uint64_t id = o->id;
                TAILQ_REMOVE(&all->waiting, o, next_waiting);
                all->settled = MAX(all->settled, id);
                own_said(all, o, TREE_HAD);
                all->ops->deliver(env, id, all->user);
        }
}

/* ---- the slumberds below ---- */

static bool part_is_placed(const struct hop *h, const struct part *part) {
        size_t i = 0;

        while (i < part->n && row_is_placed(&h->rows[part->rows[i]]))
                i++;
        return i == part->n;
}

static bool part_is_over(const struct hop *h, const struct part *part) {
        size_t i = 0;

        while (i < part->n && row_is_over(h, &h->rows[part->rows[i]]))
                i++;
        return i == part->n;
}

static bool part_find(const struct part *part, size_t at) {
        size_t low = 0, high = part->n;

        while (low < high) {
                size_t mid = (low + high) / 2;
                if (part->rows[mid] < at)
                        low = mid + 1;
                else
                        high = mid;
        }
        return low < part->n && part->rows[low] == at;
}

static bool part_send(struct hop *h, struct part *part) {
        Slumber__TreeMessage m = SLUMBER__TREE_MESSAGE__INIT;
        _cleanup_free_ Slumber__TreeRow **rows = xnew(Slumber__TreeRow *, part->n);
        _cleanup_free_ Slumber__TreeBlock **blocks = xnew(Slumber__TreeBlock *, h->m->n_blocks);

        m.id = h->id;
        m.width = h->width;
        m.patience = h->m->patience;
        m.common = h->m->common;
        m.rows = rows;
        m.blocks = blocks;
        for (size_t i = 0; i < part->n; i++) {
                Slumber__TreeRow *row = rows[m.n_rows++] = h->m->rows[part->rows[i]];
                if (m.n_blocks && tree_block_of(&blocks[m.n_blocks - 1], 1, row->number))
                        continue;
                Slumber__TreeBlock *b = tree_block_of(h->m->blocks, h->m->n_blocks, row->number);
                if (b)
                        blocks[m.n_blocks++] = b;
        }
        ENVELOPE(env, TREE_MESSAGE, tree_message, &m);
        part->peer = peers_get(h->peers, rows[0]->address);
        return part->peer && peer_send(part->peer, &env);
}

static void part_take_over(struct hop *h, struct part *part);

/* Sends the rows in up to width parts. */
static void hand_on(struct hop *h, const size_t *rows, size_t n) {
        for (size_t k = 0; n && k < MIN(n, (size_t)h->width); k++) {
                struct part *part = xnew0(struct part, 1);
                size_t first = tree_part(n, h->width, k, &part->n);
                part->rows = xnew(size_t, part->n);
                memcpy(part->rows, rows + first, part->n * sizeof *rows);
                part->heard = now_monotonic();
                GROW(h->parts, h->a_parts, h->n_parts);
                h->parts[h->n_parts++] = part;
                if (!part_send(h, part))
                        part_take_over(h, part);
        }
}

/* Sends the rows of a silent slumberd to the slumberds further below. */
static void part_take_over(struct hop *h, struct part *part) {
        _cleanup_free_ size_t *rows = xnew(size_t, part->n);
        size_t n = 0;

        part->over = true;
        hop_note_left(h, part->rows[0]);
        for (size_t i = 1; i < part->n; i++)
                if (!row_is_placed(&h->rows[part->rows[i]]))
                        rows[n++] = part->rows[i];
        if (n)
                log_info("The slumberd at %s hands nothing on: %zu nodes below it are told from here",
                                h->m->rows[part->rows[0]]->address, n);
        hand_on(h, rows, n);
}

static int hop_on_timer(sd_event_source *source, uint64_t t, void *user) {
        struct hop *h = user;
        usec_t now = now_monotonic();
        size_t n = h->n_parts; /* new parts have just begun */

        (void)source, (void)t;
        if (now >= h->ends) {
                if (h->news)
                        hop_send_news(h);
                hop_free(h);
                return 0;
        }
        for (size_t i = 0; i < n; i++) {
                struct part *part = h->parts[i];
                if (part->over || part->placed || now < part->heard + h->patience)
                        continue;
                part->placed = part_is_placed(h, part); /* a launch may take longer */
                if (!part->placed)
                        part_take_over(h, part);
        }
        if (h->n_over == h->n) {
                has_news(h);
                return 0;
        }
        if (h->news && now >= h->news)
                hop_send_news(h);
        hop_check_placed(h, now_monotonic());
        return 0;
}

/* Answers to the lost slumberd are lost, too: the slumberds below tell the controller. */
static void part_lost(struct hop *h, struct part *part, const struct peer *p) {
        if (part->peer != p)
                return;
        part->peer = NULL;
        if (part->over)
                return;
        part_take_over(h, part);
        for (size_t i = 0; i < part->n; i++)
                if (row_is_placed(&h->rows[part->rows[i]]))
                        hop_note_left(h, part->rows[i]);
}

void hops_lost(struct hops *all, const struct peer *p, bool quiet) {
        struct hop *h;

        TAILQ_FOREACH(h, &all->list, next) {
                size_t n = h->n_parts;
                bool parent = h->from == p;
                if (parent)
                        h->from = NULL;
                for (size_t i = 0; i < n; i++)
                        part_lost(h, h->parts[i], p);
                if (parent && !quiet)
                        hop_send_news(h); /* the last answer may be lost */
                if (h->n_over == h->n)    /* freed soon by the timer: callers may hold h */
                        h->news = now_monotonic();
                hop_check_placed(h, now_monotonic());
        }
}

bool hops_wait_for(const struct hops *all, const struct peer *p) {
        const struct hop *h;

        TAILQ_FOREACH(h, &all->list, next)
                for (size_t i = 0; i < h->n_parts; i++)
                        if (h->parts[i]->peer == p && !part_is_over(h, h->parts[i]))
                                return true;
        return false;
}

/* ---- incoming messages ---- */

static struct hop *hop_new(struct hops *all, struct peers *peers, struct peer *from,
                Slumber__TreeMessage *m) {
        struct hop *h = xnew0(struct hop, 1);

        *h = (struct hop){ .all = all,
                .peers = peers,
                .from = from,
                .id = m->id,
                .width = m->width,
                .m = m,
                .size = slumber__tree_message__get_packed_size(m),
                .rows = xnew0(struct hop_row, m->n_rows),
                .n = m->n_rows,
                .patience = MIN(MAX(m->patience * USEC_PER_MSEC, PATIENCE_MIN), PATIENCE_MAX),
                .ends = now_monotonic() + TREE_LIFE };
        for (size_t i = 0; i < h->n; i++)
                h->rows[i].number = m->rows[i]->number;
        all->size += h->size;
        TAILQ_INSERT_TAIL(&all->list, h, next);
        return h;
}

/* Drops the oldest kept messages. */
static void hops_make_room(struct hops *all) {
        struct hop *h = TAILQ_FIRST(&all->list), *next;

        for (; h && all->size > HOPS_BYTES_MAX; h = next) {
                next = TAILQ_NEXT(h, next);
                if (!h->m)
                        continue;
                log_warning(0, "Messages for many nodes take %zu MB: one for %zu of them is left to the controller",
                                all->size >> 20, h->n);
                hop_send_news(h);
                hop_free(h);
        }
}

/* Remembers a valid row, for delivery once. NULL: a message not allowed in trees. */
static struct own *own_take(struct hops *all, const Slumber__TreeMessage *m,
                const Slumber__TreeRowBody *body, const struct tree_node *node) {
        struct own *o = own_find(all, m->id);

        if (o)
                return o;
        Envelope *env = row_envelope(body, &m->common);
        if (!env)
                return NULL;
        o = xnew0(struct own, 1);
        *o = (struct own){ .id = m->id,
                .number = m->rows[0]->number,
                .ends = now_monotonic() + 2 * TREE_LIFE,
                .waiting = env,
                .after = body->after,
                .behind = body->behind,
                .launches = env->body_case == SLUMBER__ENVELOPE__BODY_LAUNCH_STEP };
        for (enum tree_news what = 0; what < TREE_NEWS; what++)
                o->proofs[what] = tree_proof(node->proof_key, o->id, what);
        SLIST_INSERT_HEAD(&all->own[m->id % OWN_BUCKETS], o, next);
        own_wait(all, o);
        return o;
}

/* Refuses a row that was kept by a slumberd above for too long: the controller sends a later
   message only after the confirmation of the row, by the node's own connection
   behind the row, or in a row naming the earlier row in "behind". */
static int hops_check_order(struct hops *all, const struct peer *from,
                const Slumber__TreeMessage *m, const Slumber__TreeRowBody *body,
                struct fail *fail) {
        if (!from || own_find(all, m->id))
                return 0;
        if (m->id > all->settled && body->after >= all->job_message)
                return 0;
        return fail_set(fail, -ESTALE, "row %u came behind what was sent after it",
                        m->rows[0]->number);
}

/* Missing earlier rows will not arrive: the controller has sent earlier rows first by this
   connection, or considers the rows done. */
static void hops_note_order(struct hops *all, const struct peer *from, const struct own *o) {
        if (!from || !o->behind)
                all->settled = MAX(all->settled, o->id);
}

static void hand_on_rest(struct hop *h) {
        size_t n = h->n - 1;
        _cleanup_free_ size_t *rows = xnew(size_t, n);

        for (size_t i = 0; i < n; i++)
                rows[i] = i + 1;
        hand_on(h, rows, n);
}

/* Notes the known news of this node's row. */
static void hop_note_own(struct hop *h, const struct own *o) {
        if (!o) {
                hop_note_left(h, 0);
                return;
        }
        h->launches = o->launches;
        for (enum tree_news what = 0; what < TREE_NEWS; what++)
                if (o->said[what])
                        hop_note_said(h, 0, what, o->proofs[what]);
}

int hops_take(struct hops *all, struct peers *peers, struct peer *from, Slumber__TreeMessage **m,
                const struct tree_node *node, uint64_t received, struct fail *fail) {
        Slumber__TreeRowBody *body = NULL;
        int r = tree_message_check(*m, fail);

        if (r >= 0)
                r = tree_row_open(*m, node, &body, fail);
        if (r < 0)
                return r;
        r = hops_check_order(all, from, *m, body, fail);
        if (r < 0) {
                slumber__tree_row_body__free_unpacked(body, NULL);
                return r;
        }
        hops_make_room(all);
        struct hop *h = hop_new(all, peers, from, TAKE(*m));
        r = timer_new(all->event, USEC_PER_MSEC, hop_on_timer, h, &h->timer);
        if (r < 0) {
                hop_free(h);
                slumber__tree_row_body__free_unpacked(body, NULL);
                return fail_set(fail, r, "cannot make a timer: %s", strerror(-r));
        }
        hand_on_rest(h); /* before the delivery, which may take long */
        own_forget_old(all, h->id, now_monotonic());
        struct own *o = own_take(all, h->m, body, node);
        slumber__tree_row_body__free_unpacked(body, NULL);
        hop_note_own(h, o);
        if (o)
                hops_note_order(all, from, o);
        has_news(h);
        if (o && !own_is_behind(all, o) && !o->said[TREE_HAD])
                own_said(all, o, TREE_HAD);
        hops_go_on(all, received);
        return 0;
}

/* Returns the index of the row with the number; n: none. */
static size_t row_find(const struct hop *h, uint32_t number) {
        size_t low = 0, high = h->n;

        while (low < high) {
                size_t mid = (low + high) / 2;
                if (h->rows[mid].number < number)
                        low = mid + 1;
                else
                        high = mid;
        }
        return low < h->n && h->rows[low].number == number ? low : h->n;
}

/* A slumberd may report only rows given to it. */
static bool was_given(const struct hop *h, const struct peer *p, size_t at) {
        for (size_t i = 0; i < h->n_parts; i++)
                if (h->parts[i]->peer == p && part_find(h->parts[i], at))
                        return true;
        return false;
}

static bool note_answer(struct hop *h, const struct peer *p, const Slumber__TreeAnswer *m,
                enum tree_news what) {
        _cleanup_(bitset_freep) struct bitset *set = NULL;
        const uint64_t *proofs;

        if (tree_answer_rows(m, what, (size_t)h->rows[h->n - 1].number + 1, &set, &proofs) < 0)
                return false;
        bitset_for_each(number, set) {
                size_t at = row_find(h, (uint32_t)number);
                if (at == h->n || !was_given(h, p, at))
                        return false;
                hop_note_said(h, at, what, *proofs++);
        }
        return true;
}

static bool hop_note_peer(struct hop *h, const struct peer *p) {
        bool given = false;

        for (size_t i = 0; i < h->n_parts; i++)
                if (h->parts[i]->peer == p) {
                        h->parts[i]->heard = now_monotonic();
                        given = true;
                }
        return given;
}

bool hops_answered(struct hops *all, struct peer *p, Slumber__TreeAnswer *m) {
        struct hop *h, *next;
        bool good = true, heard = false;

        for (h = TAILQ_FIRST(&all->list); h; h = next) {
                next = TAILQ_NEXT(h, next);
                if (h->id != m->id || !hop_note_peer(h, p))
                        continue;
                heard = true;
                for (enum tree_news what = 0; what < TREE_NEWS; what++)
                        good &= note_answer(h, p, m, what);
                has_news(h);
        }
        if (!heard && own_find(all, m->id)) /* forgotten here: the controller still waits */
                all->ops->tell(m, all->user);
        return good;
}

static bool hops_has_message(const struct hops *all, uint64_t id) {
        const struct hop *h;

        TAILQ_FOREACH(h, &all->list, next)
                if (h->id == id)
                        return true;
        return false;
}

bool hops_launched(struct hops *all, uint64_t id) {
        struct own *o = own_find(all, id);
        bool told = o && hops_has_message(all, id) && !o->asked;

        if (o)
                own_said(all, o, TREE_LAUNCHED);
        return told;
}

void hops_apart(struct hops *all, uint64_t id) {
        struct own *o = own_find(all, id);

        if (o)
                own_said(all, o, TREE_APART);
}

void hops_asked(struct hops *all, uint64_t id) {
        Slumber__TreeAnswer m = SLUMBER__TREE_ANSWER__INIT;
        struct own *o = own_find(all, id);
        char number[16];

        if (!o)
                return;
        o->asked = true;
        snprintf(number, sizeof number, "%u", o->number);
        m.id = id;
        for (enum tree_news what = 0; what < TREE_NEWS; what++)
                if (o->said[what])
                        tree_answer_say(&m, what, number, &o->proofs[what], 1);
        all->ops->tell(&m, all->user);
}

/* ---- life cycle ---- */

struct hops *hops_new(sd_event *event, const struct hops_ops *ops, void *user) {
        struct hops *all = xnew0(struct hops, 1);

        all->event = event;
        all->ops = ops;
        all->user = user;
        TAILQ_INIT(&all->list);
        TAILQ_INIT(&all->waiting);
        return all;
}

struct hops *hops_free(struct hops *all) {
        struct hop *h;

        if (!all)
                return NULL;
        while ((h = TAILQ_FIRST(&all->list)))
                hop_free(h);
        for (size_t i = 0; i < OWN_BUCKETS; i++)
                while (!SLIST_EMPTY(&all->own[i]))
                        own_free(all, SLIST_FIRST(&all->own[i]));
        free(all);
        return NULL;
}
