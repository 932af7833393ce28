/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/loop/tree.h"

#include "controller/jobs/job_events.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"
#include "lib/abilities.h"
#include "lib/frame.h"
#include "lib/log.h"
#include "lib/timer.h"
#include "lib/tree_rows.h"

#include <sys/random.h>

/* Limit of input and acknowledgements of streams held back until the step has started. */
#define HELD_MAX ((size_t)256 << 10)
/* Time for reports about the subtree of a lost slumberd to arrive by way of other slumberd. */
#define DOUBT USEC_PER_SEC
/* Delay before the subtree of a lost slumberd is split anew, so that further losses are known. */
#define SOON (20 * USEC_PER_MSEC)
/* Interval between checks whether the job is over, once all rows are sent. */
#define LOOK (300 * USEC_PER_SEC)
/* Limit in bytes for rows not yet received; above the limit the rows of the oldest message are sent
   directly. */
#ifndef TREES_BYTES_MAX
#define TREES_BYTES_MAX ((size_t)256 << 20)
#endif

struct signal_kept {
        uint32_t job;
        int signal;
        bool batch_only, full;
};

struct tree_row {
        struct tree *tree;
        size_t number, head;     /* head: the row whose slumberd was last given this row */
        const struct node *node; /* compared only: the node may be deleted */
        struct peer *peer;       /* NULL: the row is done, or the connection closed */
        uint8_t *begin;          /* of the message, until signed */
        size_t size;
        char *address;
        ProtobufCBinaryData body;
        struct signal_kept signal; /* 0: no signal, or not kept for the node */
        bool had;                  /* received, or sent by the node's own connection */
        bool again;                /* was given to a second slumberd, as the first was silent */
        bool asked;                /* the node was asked whether its step has started */
        /* heard: CLOCK_MONOTONIC, for a head. doubt: a slumberd of the head's subtree was lost,
           perhaps with reports. */
        usec_t heard;
        bool doubt;
        bool lies; /* a false report for a node below was logged */
        TAILQ_ENTRY(tree_row) of_peer;
};

struct tree {
        struct controller *ctl;
        struct tree_wish wish;
        uint64_t id;
        uint32_t width;
        struct wire_tail *common; /* TreeMessage.common; NULL: all nodes have their rows */
        struct tree_row **rows;   /* by number */
        size_t n, allocated;
        size_t left;  /* rows not known to be received */
        size_t open;  /* rows with reports to come */
        size_t bytes; /* kept for sending */
        Slumber__TreeBlock **blocks;
        size_t n_blocks;
        usec_t ask_at; /* when to ask nodes in doubt; 0: no doubt */
        usec_t ends;
        bool over; /* rows are all sent; only starts are waited for */
        sd_event_source *timer;
        LIST_ENTRY(tree) next;
};

struct tree_held {
        size_t size;
        STAILQ_ENTRY(tree_held) next;
        uint8_t frame[];
};

bool tree_takes(const struct controller *ctl, const struct node *n) {
        const struct peer *p = ctl->agents[n->index];

        return p && p->conn && (p->can & CAN_TREE) && p->listens;
}

bool tree_is_worth_it(uint32_t width, size_t n) {
        return n > MAX(width, 2u);
}

/* ---- the end of a tree ---- */

static void row_had(struct tree_row *row);

/* Frees all data kept for sending. */
static void tree_forget_message(struct tree *t) {
        for (size_t i = 0; i < t->n_blocks; i++)
                slumber__tree_block__free_unpacked(t->blocks[i], NULL);
        t->n_blocks = 0;
        free(TAKE(t->blocks));
        t->common = wire_tail_unref(t->common);
        t->ctl->trees_bytes -= t->bytes;
        t->bytes = 0;
}

static void tree_destroy(struct tree *t) {
        for (size_t i = 0; i < t->n; i++) {
                struct tree_row *row = t->rows[i];
                row_had(row); /* no message waits for the row any more */
                if (row->peer)
                        TAILQ_REMOVE(&row->peer->tree_rows, row, of_peer);
                free(row->begin);
                free(row->address);
                free(row->body.data);
                free(row);
        }
        tree_forget_message(t);
        free(t->rows);
        wire_tail_unref(t->wish.common);
        sd_event_source_disable_unref(t->timer);
        LIST_REMOVE(t, next);
        free(t);
}

void trees_free(struct controller *ctl) {
        ctl->gathering.tree = NULL;
        while (!LIST_EMPTY(&ctl->trees))
                tree_destroy(LIST_FIRST(&ctl->trees));
}

static void release_held(struct peer *p) {
        struct tree_held *h;

        while ((h = STAILQ_FIRST(&p->tree_held))) {
                STAILQ_REMOVE_HEAD(&p->tree_held, next);
                if (p->conn)
                        (void)conn_send_packed(p->conn, h->frame, h->size);
                free(h);
        }
        p->tree_held_size = 0;
}

static void row_over(struct tree_row *row) {
        if (!row->peer)
                return;
        TAILQ_REMOVE(&row->peer->tree_rows, row, of_peer);
        row->peer = NULL;
        row->tree->open--;
}

/* Notes that row's node has the row; held messages for the node leave. */
static void row_had(struct tree_row *row) {
        struct peer *p = row->peer;

        if (row->had)
                return;
        row->had = true;
        free(TAKE(row->body.data));
        if (row->begin) /* the row was not sent yet */
                return;
        free(TAKE(row->address));
        if (--row->tree->left == 0)
                tree_forget_message(row->tree);
        if (p && --p->tree_left == 0)
                release_held(p);
        if (!row->tree->wish.job)
                row_over(row);
}

static void free_if_over(struct tree *t) {
        if (t->open == 0 && t->timer)
                tree_destroy(t);
}

static void miss_signal(const struct peer *p, const struct tree_row *row) {
        struct controller *ctl = p->ctl;
        struct job *j = cluster_job(ctl->cluster, row->signal.job);

        if (j && p->node)
                job_signal_missed(ctl->cluster, j, p->node, row->signal.signal,
                                row->signal.batch_only, row->signal.full);
}

/* Doubts the subtree after the loss of row's slumberd: rows or reports of nodes below may be
   lost. */
static void doubt_subtree(struct tree *t, struct tree_row *row) {
        usec_t now = now_monotonic();

        if (!t->timer)
                return; /* the tree was not sent yet */
        row->heard = 0;
        row->doubt = t->rows[row->head]->doubt = true;
        if (!t->ask_at)
                t->ask_at = now + DOUBT;
        timer_arm(t->timer, t->left ? SOON : t->ask_at > now ? t->ask_at - now : 0);
}

void tree_peer_gone(struct peer *p) {
        struct tree_row *row;

        while ((row = TAILQ_FIRST(&p->tree_rows))) {
                struct tree *t = row->tree;
                if (!row->had && row->signal.signal)
                        miss_signal(p, row);
                row_had(row);
                row_over(row);
                doubt_subtree(t, row);
                free_if_over(t);
        }
        release_held(p);
}

/* ---- sending ---- */

static Slumber__TreeBlock *block_of(const struct tree *t, size_t number) {
        return t->blocks[number / TREE_BLOCK];
}

static void peer_flush_rows(struct peer *p, const struct tree_row *until);

/* Sends rows to the slumberd of the first row, after the first row's earlier messages. */
static void tree_send_rows(struct tree *t, const size_t *numbers, size_t n) {
        Slumber__TreeMessage m = SLUMBER__TREE_MESSAGE__INIT;
        struct tree_row *first = t->rows[numbers[0]];
        _cleanup_free_ Slumber__TreeRow *rows = xnew(Slumber__TreeRow, n);
        _cleanup_free_ Slumber__TreeRow **list = xnew(Slumber__TreeRow *, n);
        _cleanup_free_ Slumber__TreeBlock **blocks = xnew(Slumber__TreeBlock *, t->n_blocks);
        _cleanup_free_ uint8_t *begin = NULL;
        size_t size;

        if (!t->blocks)
                return; /* every row was received or sent meanwhile */
        if (first->peer)
                peer_flush_rows(first->peer, first);
        first->heard = now_monotonic();
        m.id = t->id;
        m.width = t->width;
        m.patience = (uint32_t)(t->wish.patience / USEC_PER_MSEC);
        m.rows = list;
        m.blocks = blocks;
        for (size_t i = 0; i < n; i++) {
                struct tree_row *row = t->rows[numbers[i]];
                row->head = first->number;
                rows[i] = (Slumber__TreeRow)SLUMBER__TREE_ROW__INIT;
                rows[i].number = (uint32_t)numbers[i];
                rows[i].address = row->address;
                rows[i].body = row->body;
                list[m.n_rows++] = &rows[i];
                if (m.n_blocks == 0 || blocks[m.n_blocks - 1] != block_of(t, numbers[i]))
                        blocks[m.n_blocks++] = block_of(t, numbers[i]);
        }
        ENVELOPE(env, TREE_MESSAGE, tree_message, &m);
        if (first->peer && first->peer->conn &&
                        wire_pack_before(&env, t->common, &begin, &size) >= 0 &&
                        conn_send_with_tail(first->peer->conn, begin, size, t->common) >= 0)
                row_had(first);
}

/* Sends row by the node's own connection, which keeps the order: the row counts as received. */
static void send_directly(struct tree_row *row) {
        tree_send_rows(row->tree, &row->number, 1);
        row_had(row);
}

/* Returns when row's node counts as silent. A slumberd above checks after patience and reports only
   then. */
static usec_t row_silent_at(const struct tree *t, const struct tree_row *row) {
        return t->over ? 0 : t->rows[row->head]->heard + t->wish.patience * 3 / 2;
}

static void send_split(struct tree *t, const size_t *numbers, size_t n) {
        for (size_t k = 0; k < MIN(n, (size_t)t->width); k++) {
                size_t part, first = tree_part(n, t->width, k, &part);
                tree_send_rows(t, numbers + first, part);
        }
}

/* Sends all waiting rows of p directly; with until, only the rows before it. */
static void peer_flush_rows(struct peer *p, const struct tree_row *until) {
        struct tree_row *row, *next;

        for (row = TAILQ_FIRST(&p->tree_rows); row && row != until && p->tree_left; row = next) {
                struct tree *t = row->tree;
                next = TAILQ_NEXT(row, of_peer);
                if (row->had || row->begin)
                        continue;
                send_directly(row);
                free_if_over(t); /* row is t's only row of p */
        }
}

static bool peer_hold_message(struct peer *p, const Envelope *env) {
        _cleanup_free_ uint8_t *frame = NULL;
        size_t size;

        if (wire_pack(env, &frame, &size) < 0 || p->tree_held_size + size > HELD_MAX)
                return false;
        struct tree_held *h = xmalloc(sizeof *h + size);
        h->size = size;
        memcpy(h->frame, frame, size);
        STAILQ_INSERT_TAIL(&p->tree_held, h, next);
        p->tree_held_size += size;
        return true;
}

/* Returns whether the launch of io's step is under way. */
static bool awaits_launch(const struct peer *p, const Slumber__StepIo *io) {
        const struct tree_row *row;

        TAILQ_FOREACH(row, &p->tree_rows, of_peer)
                if (!row->had && row->tree->wish.job == io->job_id &&
                                row->tree->wish.step == io->step_id)
                        return true;
        return false;
}

bool tree_before(struct peer *p, const Envelope *env) {
        if (p->tree_left == 0)
                return false;
        if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_IO) {
                if (!awaits_launch(p, env->step_io))
                        return false;
                if (peer_hold_message(p, env))
                        return true;
        } else if (!tree_keeps_order(env)) {
                return false;
        }
        peer_flush_rows(p, NULL);
        return false;
}

/* Retries rows of silent slumberd: first split anew, the second time sent directly. */
static void tree_repeat_rows(struct tree *t, usec_t now) {
        _cleanup_free_ size_t *numbers = xnew(size_t, t->n);
        size_t n = 0, n_direct = 0;

        for (size_t i = 0; i < t->n; i++) {
                struct tree_row *row = t->rows[i];
                if (row->had || now < row_silent_at(t, row))
                        continue;
                if (row->again || t->over) {
                        send_directly(row);
                        n_direct++;
                } else {
                        row->again = true;
                        numbers[n++] = i;
                }
        }
        if (n + n_direct)
                log_info("A message for %zu nodes: %zu of them are told again, %zu directly", t->n,
                                n, n_direct);
        if (n)
                send_split(t, numbers, n);
}

/* Asks nodes in doubtful subtrees about the start of the step: reports may be lost. */
static void tree_ask(struct tree *t) {
        Slumber__TreeAnswer m = SLUMBER__TREE_ANSWER__INIT;

        m.id = t->id;
        ENVELOPE(env, TREE_ANSWER, tree_answer, &m);
        for (size_t i = 0; i < t->n; i++) {
                struct tree_row *row = t->rows[i];
                if (!row->peer || !row->had || row->asked || !t->rows[row->head]->doubt)
                        continue;
                row->asked = true;
                (void)conn_send(row->peer->conn, &env);
        }
}

static void tree_arm(struct tree *t, usec_t now) {
        usec_t due = t->ask_at ? MIN(t->ask_at, t->ends) : t->ends;

        for (size_t i = 0; t->left && i < t->n; i++)
                if (!t->rows[i]->had)
                        due = MIN(due, row_silent_at(t, t->rows[i]));
        timer_arm(t->timer, due > now ? due - now : 0);
}

/* Returns whether no step of the tree's message can start any more. */
static bool job_is_over(const struct tree *t) {
        const struct job *j = cluster_job(t->ctl->cluster, t->wish.job);

        return !j || j->restarts != t->wish.restarts || job_is_finished(j);
}

static int tree_on_timer(sd_event_source *source, uint64_t usec, void *user) {
        struct tree *t = user;
        usec_t now = now_monotonic();
        bool ends = now >= t->ends;

        (void)source, (void)usec;
        if (ends && t->over && job_is_over(t)) {
                tree_destroy(t);
                return 0;
        }
        t->over |= ends; /* slumberd accepts rows of this age from slumberctld only */
        if (ends)
                t->ends = now + LOOK;
        if (t->left)
                tree_repeat_rows(t, now);
        if (t->ask_at && now >= t->ask_at) {
                tree_ask(t);
                t->ask_at = t->left ? now + DOUBT : 0;
        }
        if (t->open == 0)
                tree_destroy(t);
        else
                tree_arm(t, now);
        return 0;
}

/* ---- building a tree ---- */

uint64_t tree_next(struct controller *ctl) {
        while (!ctl->trees_of)
                (void)getrandom(&ctl->trees_of, sizeof ctl->trees_of, 0);
        return tree_id(ctl->trees_of, ctl->n_trees + 1);
}

struct tree *tree_new(struct controller *ctl, const struct tree_wish *w) {
        static const Slumber__TreeMessage none = SLUMBER__TREE_MESSAGE__INIT;
        struct tree *t = xnew0(struct tree, 1);

        *t = (struct tree){ .ctl = ctl,
                .wish = *w,
                .width = MAX(w->width ? w->width : ctl->cluster->config->tree_width, 2u),
                .ends = now_monotonic() + TREE_LIFE };
        t->wish.common = w->common ? wire_tail_ref(w->common) : wire_tail_new(&none.base);
        LIST_INSERT_HEAD(&ctl->trees, t, next);
        return t;
}

/* Signals for one step are not kept: returns a signal to keep for the whole job; 0: none. */
static struct signal_kept signal_of(const Envelope *env) {
        const Slumber__SignalJob *m = env->body_case == SLUMBER__ENVELOPE__BODY_SIGNAL_JOB
                                                      ? env->signal_job
                                                      : NULL;

        if (!m || m->step || m->terminate)
                return (struct signal_kept){ 0 };
        return (struct signal_kept){ m->job_id, (int)m->signal, m->batch_only, m->full };
}

bool tree_add(struct tree *t, const struct node *n, Envelope *env) {
        struct peer *p = t->ctl->agents[n->index];
        uint8_t *begin;
        size_t size;

        if (wire_pack_before(env, t->wish.common, &begin, &size) < 0)
                return false;
        struct tree_row *row = xnew0(struct tree_row, 1);
        *row = (struct tree_row){ .tree = t,
                .number = t->n,
                .node = n,
                .peer = p,
                .begin = begin,
                .size = size,
                .signal = signal_of(env),
                .address = xasprintf("%s:%u", peer_slumberd_host(n, p), p->listens) };
        TAILQ_INSERT_TAIL(&p->tree_rows, row, of_peer);
        GROW(t->rows, t->allocated, t->n);
        t->rows[t->n++] = row;
        t->open++;
        return true;
}

/* Returns the last row sent to the same node before row and not known to be received; NULL if
   none. */
static const struct tree_row *row_before(const struct tree_row *row) {
        do
                row = TAILQ_PREV(row, tree_rows, of_peer);
        while (row && (row->had || row->begin));
        return row;
}

static void pack_row(struct tree_row *row) {
        Slumber__TreeRowBody body = SLUMBER__TREE_ROW_BODY__INIT;

        TAILQ_REMOVE(&row->peer->tree_rows, row, of_peer);
        TAILQ_INSERT_TAIL(&row->peer->tree_rows, row, of_peer);
        const struct tree_row *before = row_before(row);
        body.node = row->node->name;
        body.after = conn_sent(row->peer->conn);
        body.behind = before ? before->tree->id : 0;
        body.begin = (ProtobufCBinaryData){ row->size - FRAME_HEADER, row->begin + FRAME_HEADER };
        row->body.len = slumber__tree_row_body__get_packed_size(&body);
        row->body.data = xmalloc(row->body.len);
        slumber__tree_row_body__pack(&body, row->body.data);
        row->tree->bytes += row->body.len;
        free(TAKE(row->begin));
}

static void tree_sign(struct tree *t) {
        Slumber__TreeMessage m = SLUMBER__TREE_MESSAGE__INIT;
        _cleanup_free_ ProtobufCBinaryData *bodies = xnew(ProtobufCBinaryData, t->n);
        uint8_t common[DIGEST_SIZE];
        size_t size;
        const uint8_t *data = wire_tail_data(t->wish.common, &size);

        m.common = (ProtobufCBinaryData){ size, (uint8_t *)(uintptr_t)data };
        t->common = wire_tail_new(&m.base);
        digest_of(data, size, common);
        t->bytes += size + t->n * DIGEST_SIZE;
        for (size_t i = 0; i < t->n; i++)
                bodies[i] = t->rows[i]->body;
        t->blocks = xnew(Slumber__TreeBlock *, t->n / TREE_BLOCK + 1);
        for (size_t i = 0; i < t->n; i += TREE_BLOCK)
                t->blocks[t->n_blocks++] = tree_block_sign(t->ctl->signing_key, t->id,
                                controller_now(t->ctl), (uint32_t)i, common, bodies + i,
                                MIN(t->n - i, (size_t)TREE_BLOCK));
        t->wish.common = wire_tail_unref(t->wish.common);
}

/* Sends the rows without a tree, being too few. */
static void send_plainly(struct tree *t) {
        for (size_t i = 0; i < t->n; i++) {
                struct tree_row *row = t->rows[i];
                if (!row->peer || !row->peer->conn)
                        continue;
                peer_flush_rows(row->peer, NULL);
                (void)conn_send_with_tail(row->peer->conn, row->begin, row->size, t->wish.common);
        }
        tree_destroy(t);
}

/* Sends rows of the oldest messages directly until bytes more are within the limit. */
static void tree_make_room(struct controller *ctl, size_t bytes) {
        while (ctl->trees_bytes && ctl->trees_bytes + bytes > TREES_BYTES_MAX) {
                struct tree *t, *oldest = NULL;
                LIST_FOREACH(t, &ctl->trees, next)
                        if (t->common)
                                oldest = t;
                if (!oldest)
                        return;
                log_warning(0, "Messages for many nodes take %zu MB: one for %zu of them goes directly",
                                (ctl->trees_bytes + bytes) >> 20, oldest->left);
                for (size_t i = 0; i < oldest->n && oldest->left; i++)
                        if (!oldest->rows[i]->had)
                                send_directly(oldest->rows[i]);
                free_if_over(oldest);
        }
}

void tree_send(struct tree *t) {
        _cleanup_free_ size_t *numbers = xnew(size_t, t->n + 1);
        size_t n = 0;

        if (!t->wish.job && !tree_is_worth_it(t->ctl->cluster->config->tree_width, t->n)) {
                send_plainly(t);
                return;
        }
        for (size_t i = 0; i < t->n; i++) {
                struct tree_row *row = t->rows[i];
                if (!row->peer)
                        continue; /* the connection is closed meanwhile */
                pack_row(row);
                row->peer->tree_left++;
                t->left++;
                numbers[n++] = i;
        }
        if (n == 0) {
                tree_destroy(t);
                return;
        }
        t->id = tree_next(t->ctl);
        t->ctl->n_trees++;
        tree_sign(t);
        tree_make_room(t->ctl, t->bytes);
        t->ctl->trees_bytes += t->bytes;
        if (timer_new(t->ctl->event, USEC_PER_MSEC, tree_on_timer, t, &t->timer) < 0)
                out_of_memory(); /* only the first timer of a clock needs a descriptor */
        send_split(t, numbers, n);
        tree_arm(t, now_monotonic());
        free_if_over(t);
}

bool tree_gather(struct controller *ctl, int kind, uint32_t job, struct wire_tail *common,
                const struct node *n, Envelope *env) {
        struct tree_gathering *g = &ctl->gathering;

        if (!tree_takes(ctl, n))
                return common ? agent_send_with_tail(ctl, n, env, common) : agent_send(ctl, n, env);
        const struct tree_row *last = TAILQ_LAST(&ctl->agents[n->index]->tree_rows, tree_rows);
        bool twice = g->tree && last && last->tree == g->tree;
        if (twice || g->kind != kind || g->job != job || g->common != common)
                tree_gathered(ctl);
        if (!g->tree) {
                const struct tree_wish wish = { .common = common,
                        .patience = TREE_URGENT_PATIENCE };
                *g = (struct tree_gathering){ tree_new(ctl, &wish), kind, job, common };
        }
        return tree_add(g->tree, n, env);
}

void tree_gathered(struct controller *ctl) {
        struct tree *t = TAKE(ctl->gathering.tree);

        if (t)
                tree_send(t);
}

/* ---- answers ---- */

static struct tree_row *tree_row_find(const struct tree *t, const struct peer *p) {
        size_t i = 0;

        while (i < t->n && t->rows[i]->node != p->node)
                i++;
        return i < t->n ? t->rows[i] : NULL;
}

struct tree_news_of { /* the report of a slumberd */
        struct bitset *rows;
        const uint64_t *proofs;
};

static void row_note_lie(struct tree_row *own, const struct peer *p, const struct tree_row *row) {
        if (!own->lies)
                log_fields(LOG_WARNING, 0, 0, p->node->name,
                                "Agent %s: it speaks for node %s, which has not said so: that is told again",
                                p->node->name, row->peer->node->name);
        own->lies = true;
}

/* Takes from a report the rows with proof of their nodes. */
static size_t tree_take_news(struct tree *t, const struct peer *p, struct tree_row *own,
                enum tree_news what, struct tree_news_of *news, struct node **started) {
        const uint64_t *proof = news->proofs;
        size_t n = 0;

        bitset_for_each(i, news->rows) {
                struct tree_row *row = t->rows[i];
                uint64_t said = *proof++;
                if (!row->peer || (what == TREE_HAD && row->had))
                        continue;
                if (said != tree_proof(row->peer->tree_key, t->id, what)) {
                        row_note_lie(own, p, row);
                        continue;
                }
                if (what == TREE_LAUNCHED)
                        started[n++] = row->peer->node;
                row_had(row);
                if (what != TREE_HAD)
                        row_over(row);
        }
        return n;
}

void tree_answer(struct controller *ctl, const struct peer *p, const Slumber__TreeAnswer *m,
                void (*launched)(struct controller *ctl, const struct tree_wish *w,
                                struct node *n)) {
        struct tree_news_of news[TREE_NEWS] = { 0 };
        struct tree *t;
        int r = 0;

        LIST_FOREACH(t, &ctl->trees, next)
                if (t->id == m->id)
                        break;
        struct tree_row *own = t ? tree_row_find(t, p) : NULL;
        if (!own)
                return; /* late, or p has no row */
        for (enum tree_news what = 0; what < TREE_NEWS && r >= 0; what++)
                r = tree_answer_rows(m, what, t->n, &news[what].rows, &news[what].proofs);
        if (r < 0) {
                log_fields(LOG_WARNING, 0, 0, p->node->name,
                                "Agent %s: an answer for nodes that it was not given is dropped",
                                p->node->name);
        } else {
                const struct tree_wish wish = t->wish;
                _cleanup_free_ struct node **started = xnew(struct node *, t->n);
                size_t n = 0, left = t->left;
                for (enum tree_news what = 0; what < TREE_NEWS; what++)
                        n += tree_take_news(t, p, own, what, &news[what], started + n);
                if (t->left < left)
                        own->heard = now_monotonic();
                free_if_over(t);
                for (size_t i = 0; i < n && wish.job; i++)
                        launched(ctl, &wish, started[i]);
        }
        for (enum tree_news what = 0; what < TREE_NEWS; what++)
                bitset_free(news[what].rows);
}
