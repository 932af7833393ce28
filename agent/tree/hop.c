/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/tree/hop.h"

#include "lib/bitset.h"
#include "lib/log.h"
#include "lib/timer.h"

#include <sys/queue.h>

/* News of a subtree that is not complete waits for more so long. */
#define NEWS         (20 * USEC_PER_MSEC)
#define PATIENCE_MIN (50 * USEC_PER_MSEC)
#define PATIENCE_MAX (60 * USEC_PER_SEC)
#define OWN_BUCKETS  64u

/* Rows that a slumberd below was given. */
struct part {
        struct peer *peer;
        size_t *rows, n; /* places in the message; the first is its own */
        usec_t heard;    /* CLOCK_MONOTONIC */
        bool over;       /* it is not waited for any more */
};

struct hop { /* one message */
        struct hops *all;
        struct peers *peers;
        struct peer *from; /* NULL: the controller */
        Slumber__TreeMessage *m;
        bool launches;
        bool *had, *launched; /* of each row */
        size_t n_had, n_launched;
        struct part **parts;
        size_t n_parts, a_parts;
        usec_t patience, news, ends; /* news: when it is told; 0: there is none */
        sd_event_source *timer;
        TAILQ_ENTRY(hop) next;
};

struct own { /* this node's row of one, so that it is delivered once */
        uint64_t id;
        uint32_t number;
        usec_t ends;
        Envelope *waiting; /* NULL: it is delivered */
        uint64_t after;
        bool launches, launched;
        bool asked; /* the controller hears of it from here */
        SLIST_ENTRY(own) next;
        TAILQ_ENTRY(own) next_waiting;
};

struct hops {
        sd_event *event;
        const struct hops_ops *ops;
        void *user;
        TAILQ_HEAD(, hop) list;
        SLIST_HEAD(, own) own[OWN_BUCKETS];
        TAILQ_HEAD(own_list, own) waiting; /* in the order in which they were sent */
        /* of this connection to the controller: the latest row that came, and how many messages had
           come with the last one about jobs */
        uint64_t newest, job_message;
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

/* As late as a row of it can come: what was signed longer ago is refused. */
static void forget_old(struct hops *all, uint64_t id, usec_t now) {
        struct own *o, *next;

        for (o = SLIST_FIRST(&all->own[id % OWN_BUCKETS]); o; o = next) {
                next = SLIST_NEXT(o, next);
                if (now >= o->ends)
                        own_free(all, o);
        }
}

/* NULL: it is malformed, or none of those that may come so. */
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

void hops_go_on(struct hops *all, uint64_t received) {
        struct own *o;

        while ((o = TAILQ_FIRST(&all->waiting)) && received >= o->after) {
                _cleanup_envelope_ Envelope *env = TAKE(o->waiting);
                TAILQ_REMOVE(&all->waiting, o, next_waiting);
                all->ops->deliver(env, o->id, all->user);
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

void hops_controller_gone(struct hops *all) {
        struct own *o;

        if (!all)
                return;
        while ((o = TAILQ_FIRST(&all->waiting)))
                own_settle(all, o);
        all->newest = all->job_message = 0;
}

/* ---- answers ---- */

static void part_free(struct part *part) {
        free(part->rows);
        free(part);
}

static void hop_free(struct hop *h) {
        TAILQ_REMOVE(&h->all->list, h, next);
        for (size_t i = 0; i < h->n_parts; i++)
                part_free(h->parts[i]);
        free(h->parts);
        free(h->had);
        free(h->launched);
        sd_event_source_disable_unref(h->timer);
        slumber__tree_message__free_unpacked(h->m, NULL);
        free(h);
}

static bool is_complete(const struct hop *h) {
        return h->n_had == h->m->n_rows && (!h->launches || h->n_launched == h->m->n_rows);
}

static char *numbers(const struct hop *h, const bool *of) {
        uint32_t last = h->m->rows[h->m->n_rows - 1]->number;
        _cleanup_(bitset_freep) struct bitset *set = bitset_new((size_t)last + 1);

        for (size_t i = 0; i < h->m->n_rows; i++)
                if (of[i])
                        bitset_add(set, h->m->rows[i]->number);
        return bitset_text(set);
}

static void tell(struct hop *h) {
        Slumber__TreeAnswer m = SLUMBER__TREE_ANSWER__INIT;
        _cleanup_free_ char *had = numbers(h, h->had), *launched = numbers(h, h->launched);

        m.id = h->m->id;
        m.had = had;
        m.launched = launched;
        h->news = 0;
        ENVELOPE(env, TREE_ANSWER, tree_answer, &m);
        if (!h->from || !peer_send(h->from, &env))
                h->all->ops->tell(&m, h->all->user);
}

/* The earliest of what it waits for. */
static void arm(struct hop *h, usec_t now) {
        usec_t due = h->news ? MIN(h->news, h->ends) : h->ends;

        for (size_t i = 0; i < h->n_parts; i++)
                if (!h->parts[i]->over)
                        due = MIN(due, h->parts[i]->heard + h->patience);
        timer_arm(h->timer, due > now ? due - now : 0);
}

/* May free h. */
static void has_news(struct hop *h) {
        usec_t now = now_monotonic();

        if (is_complete(h)) {
                tell(h);
                hop_free(h);
                return;
        }
        if (!h->news)
                h->news = now + NEWS;
        arm(h, now);
}

/* ---- the slumberds below ---- */

static bool part_has_all(const struct hop *h, const struct part *part) {
        size_t i = 0;

        while (i < part->n && h->had[part->rows[i]])
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

static bool send_part(struct hop *h, struct part *part) {
        Slumber__TreeMessage m = SLUMBER__TREE_MESSAGE__INIT;
        _cleanup_free_ Slumber__TreeRow **rows = xnew(Slumber__TreeRow *, part->n);
        _cleanup_free_ Slumber__TreeBlock **blocks = xnew(Slumber__TreeBlock *, h->m->n_blocks);

        m.id = h->m->id;
        m.width = h->m->width;
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
        part->peer = peers_at(h->peers, rows[0]->address);
        return part->peer && peer_send(part->peer, &env);
}

static void take_over(struct hop *h, struct part *part);

/* As many parts as the tree is wide. */
static void hand_on(struct hop *h, const size_t *rows, size_t n) {
        for (size_t k = 0; n && k < MIN(n, (size_t)h->m->width); k++) {
                struct part *part = xnew0(struct part, 1);
                size_t first = tree_part(n, h->m->width, k, &part->n);
                part->rows = xnew(size_t, part->n);
                memcpy(part->rows, rows + first, part->n * sizeof *rows);
                part->heard = now_monotonic();
                GROW(h->parts, h->a_parts, h->n_parts);
                h->parts[h->n_parts++] = part;
                if (!send_part(h, part))
                        take_over(h, part);
        }
}

/* What its slumberd was given goes to those below it. */
static void take_over(struct hop *h, struct part *part) {
        _cleanup_free_ size_t *rows = xnew(size_t, part->n);
        size_t n = 0;

        part->over = true;
        for (size_t i = 1; i < part->n; i++)
                if (!h->had[part->rows[i]])
                        rows[n++] = part->rows[i];
        if (n)
                log_info("The slumberd at %s hands nothing on: %zu nodes below it are told from here",
                                h->m->rows[part->rows[0]]->address, n);
        hand_on(h, rows, n);
}

static int on_timer(sd_event_source *source, uint64_t t, void *user) {
        struct hop *h = user;
        usec_t now = now_monotonic();
        size_t n = h->n_parts; /* those that are made meanwhile have just begun */

        (void)source, (void)t;
        if (now >= h->ends) {
                if (h->news)
                        tell(h);
                hop_free(h);
                return 0;
        }
        for (size_t i = 0; i < n; i++) {
                struct part *part = h->parts[i];
                if (part->over || now < part->heard + h->patience)
                        continue;
                if (part_has_all(h, part)) /* what is launched there may take its time */
                        part->heard = now;
                else
                        take_over(h, part);
        }
        if (h->news && now >= h->news)
                tell(h);
        arm(h, now_monotonic());
        return 0;
}

static void part_lost(struct hop *h, struct part *part, const struct peer *p) {
        if (part->peer != p)
                return;
        part->peer = NULL;
        if (!part->over)
                take_over(h, part);
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
                        tell(h); /* what it was told may be lost with it */
                arm(h, now_monotonic());
        }
}

/* ---- what comes ---- */

static struct hop *hop_new(struct hops *all, struct peers *peers, struct peer *from,
                Slumber__TreeMessage *m) {
        struct hop *h = xnew0(struct hop, 1);

        *h = (struct hop){ .all = all,
                .peers = peers,
                .from = from,
                .m = m,
                .had = xnew0(bool, m->n_rows),
                .launched = xnew0(bool, m->n_rows),
                .patience = MIN(MAX(m->patience * USEC_PER_MSEC, PATIENCE_MIN), PATIENCE_MAX),
                .ends = now_monotonic() + TREE_LIFE };
        TAILQ_INSERT_TAIL(&all->list, h, next);
        return h;
}

static void note_launched(struct hop *h, size_t at) {
        h->n_launched += !h->launched[at];
        h->launched[at] = true;
}

static void note_had(struct hop *h, size_t at) {
        h->n_had += !h->had[at];
        h->had[at] = true;
}

/* The row is good: what it says is to be done, once.  NULL: it is none that may come so. */
static struct own *own_take(struct hops *all, const Slumber__TreeMessage *m,
                const Slumber__TreeRowBody *body, uint64_t received) {
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
                .launches = env->body_case == SLUMBER__ENVELOPE__BODY_LAUNCH_STEP };
        SLIST_INSERT_HEAD(&all->own[m->id % OWN_BUCKETS], o, next);
        all->newest = MAX(all->newest, o->id);
        own_wait(all, o);
        hops_go_on(all, received);
        return o;
}

/* The controller sends what is to follow a row when it knows that the row is here, or behind it by
   this node's own connection: a row that comes later was kept by a slumberd above. */
static int check_order(struct hops *all, const struct peer *from, const Slumber__TreeMessage *m,
                const Slumber__TreeRowBody *body, struct fail *fail) {
        if (!from || own_find(all, m->id))
                return 0;
        if (m->id > all->newest && body->after >= all->job_message)
                return 0;
        return fail_set(fail, -ESTALE, "row %u came behind what was sent after it",
                        m->rows[0]->number);
}

static void hand_on_rest(struct hop *h) {
        size_t n = h->m->n_rows - 1;
        _cleanup_free_ size_t *rows = xnew(size_t, n);

        for (size_t i = 0; i < n; i++)
                rows[i] = i + 1;
        hand_on(h, rows, n);
}

int hops_take(struct hops *all, struct peers *peers, struct peer *from, Slumber__TreeMessage **m,
                const struct tree_node *node, uint64_t received, struct fail *fail) {
        Slumber__TreeRowBody *body = NULL;
        int r = tree_message_check(*m, fail);

        if (r >= 0)
                r = tree_row_open(*m, node, &body, fail);
        if (r < 0)
                return r;
        r = check_order(all, from, *m, body, fail);
        if (r < 0) {
                slumber__tree_row_body__free_unpacked(body, NULL);
                return r;
        }
        struct hop *h = hop_new(all, peers, from, TAKE(*m));
        r = timer_new(all->event, USEC_PER_MSEC, on_timer, h, &h->timer);
        if (r < 0) {
                hop_free(h);
                slumber__tree_row_body__free_unpacked(body, NULL);
                return fail_set(fail, r, "cannot make a timer: %s", strerror(-r));
        }
        hand_on_rest(h); /* before what may take long here */
        forget_old(all, h->m->id, now_monotonic());
        const struct own *o = own_take(all, h->m, body, received);
        slumber__tree_row_body__free_unpacked(body, NULL);
        if (o) {
                h->launches = o->launches;
                note_had(h, 0);
        }
        if (o && o->launched)
                note_launched(h, 0);
        has_news(h);
        return 0;
}

/* Of the message, by its number; n_rows: it is none of them. */
static size_t row_find(const Slumber__TreeMessage *m, uint32_t number) {
        size_t low = 0, high = m->n_rows;

        while (low < high) {
                size_t mid = (low + high) / 2;
                if (m->rows[mid]->number < number)
                        low = mid + 1;
                else
                        high = mid;
        }
        return low < m->n_rows && m->rows[low]->number == number ? low : m->n_rows;
}

/* A slumberd speaks for what it was given, no more. */
static bool was_given(const struct hop *h, const struct peer *p, size_t at) {
        for (size_t i = 0; i < h->n_parts; i++)
                if (h->parts[i]->peer == p && part_find(h->parts[i], at))
                        return true;
        return false;
}

static bool note_answer(struct hop *h, const struct peer *p, const char *text,
                void (*note)(struct hop *h, size_t at)) {
        uint32_t last = h->m->rows[h->m->n_rows - 1]->number;
        _cleanup_(bitset_freep) struct bitset *set = bitset_new((size_t)last + 1);

        if (*text && bitset_parse(set, text) < 0)
                return false;
        bitset_for_each(number, set) {
                size_t at = row_find(h->m, (uint32_t)number);
                if (at == h->m->n_rows || !was_given(h, p, at))
                        return false;
                note(h, at);
        }
        return true;
}

static bool hear(struct hop *h, const struct peer *p) {
        bool given = false;

        for (size_t i = 0; i < h->n_parts; i++)
                if (h->parts[i]->peer == p) {
                        h->parts[i]->heard = now_monotonic();
                        given = true;
                }
        return given;
}

bool hops_answered(struct hops *all, struct peer *p, const Slumber__TreeAnswer *m) {
        struct hop *h, *next;
        bool good = true;

        for (h = TAILQ_FIRST(&all->list); h; h = next) {
                next = TAILQ_NEXT(h, next);
                if (h->m->id != m->id || !hear(h, p))
                        continue;
                good &= note_answer(h, p, m->had, note_had) &&
                        note_answer(h, p, m->launched, note_launched);
                has_news(h);
        }
        return good;
}

bool hops_launched(struct hops *all, uint64_t id) {
        struct own *o = own_find(all, id);
        struct hop *h, *next;
        bool told = false;

        if (!o)
                return false;
        o->launched = true;
        for (h = TAILQ_FIRST(&all->list); h; h = next) {
                next = TAILQ_NEXT(h, next);
                if (h->m->id != id)
                        continue;
                told = true;
                note_launched(h, 0);
                has_news(h);
        }
        return told && !o->asked;
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
        m.had = number;
        m.launched = o->launched ? number : (char *)"";
        all->ops->tell(&m, all->user);
}

/* ---- */

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
