/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocking: which jobs wait behind a job that the pass cannot start.
 *
 * The job waits         blocked jobs
 * outside reservations  later jobs of its partition, whose nodes are kept for the job
 * in a reservation      later jobs of its partition in the reservation, and jobs of further
 *                       partitions there that need nodes of its partition
 *
 * A heterogeneous job blocks by each of its components. */
#include "controller/sched/pass.h"

#include "controller/accounts/bids.h"
#include "controller/model/het.h"
#include "controller/reservations/reservation.h"

void pass_close_queue(struct pass *p, struct queue *q) {
        q->passed = NULL;
        p->left -= q->left;
        q->left = 0;
}

/* The bid under consideration; for a component the leader's bid. */
static const struct bid *turn_of(const struct job *j) {
        return j->waiting.turn ? j->waiting.turn : j->waiting.current;
}

/* The bid of job in j's partition, if it is behind j; NULL: no such bid. */
static const struct bid *turn_behind(const struct job *job, const struct job *j) {
        for (size_t i = 0; job && i < job->waiting.n_bids; i++) {
                const struct bid *b = &job->waiting.bids[i];
                if (b->partition == j->partition && b->counted && bid_order(b, turn_of(j)) > 0)
                        return b;
        }
        return NULL;
}

/* The last job of j's partition still considered although the nodes are now kept for j. NULL: no
   job is. The last pass kept the nodes for a job behind j, so jobs up to that job have no reason
   Priority yet; and a leader behind its component j has its own turn in the partition. */
static const struct job *last_looked_at(const struct pass *p, const struct job *j) {
        const struct job *was = cluster_job(p->c, j->partition->kept_for),
                         *leader = job_leader(job_itself(j));
        const struct bid *before = was != job_itself(j) ? turn_behind(was, j) : NULL,
                         *own = job_is_het(j) ? turn_behind(leader, j) : NULL;

        if (before && own)
                return bid_order(before, own) > 0 ? was : leader;
        return before ? was : own ? leader : NULL;
}

bool pass_holds_others_up(const struct pass *p, const struct job *j) {
        return (!j->needs.req_nodes && !j->needs.features) || !p->c->config->bf.on;
}

static void block_partition(struct pass *p, const struct job *j) {
        const struct partition *part = j->partition;
        struct queue *q = &p->of[part->index];

        if (q->blocked)
                return;
        q->blocked = true;
        q->holder = job_itself(j);
        q->passed = last_looked_at(p, j);
        if (!q->passed)
                pass_close_queue(p, q);
        bitset_minus(p->usable, part->nodes);
}

static int held_order(const struct held_resv *h, const struct resv *resv, size_t partition) {
        uintptr_t a = (uintptr_t)h->resv, b = (uintptr_t)resv;

        if (a != b)
                return a < b ? -1 : 1;
        return h->partition->index < partition ? -1 : h->partition->index > partition;
}

/* Index of the reservation and partition in the sorted list p->held, or where the pair belongs. */
static size_t held_resv_find(const struct pass *p, const struct resv *resv, size_t partition) {
        return FIRST_NOT(p->n_held, i, held_order(&p->held[i], resv, partition) < 0);
}

static bool is_held(const struct pass *p, size_t at, const struct job *j) {
        return at < p->n_held && held_order(&p->held[at], j->placed.resv, j->partition->index) == 0;
}

static void block_reservation(struct pass *p, const struct job *j) {
        size_t at = held_resv_find(p, j->placed.resv, j->partition->index);

        if (is_held(p, at, j))
                return;
        GROW(p->held, p->a_held, p->n_held);
        memmove(&p->held[at + 1], &p->held[at], (p->n_held++ - at) * sizeof *p->held);
        p->held[at] = (struct held_resv){
                .resv = j->placed.resv,
                .partition = j->partition,
                .holder = job_itself(j),
                .turn = turn_of(j),
        };
}

void pass_block(struct pass *p, const struct job *j) {
        if (j->placed.resv)
                block_reservation(p, j);
        else
                block_partition(p, j);
}

bool pass_is_behind(const struct pass *p, const struct job *j) {
        const struct queue *q = &p->of[j->partition->index];
        const struct job *holder = q->blocked ? q->holder : NULL;

        if (j->placed.resv) {
                size_t at = held_resv_find(p, j->placed.resv, j->partition->index);
                holder = is_held(p, at, j) ? p->held[at].holder : NULL;
        }
        return holder && !job_is_with(holder, job_itself(j));
}

void pass_leave_to_holders(const struct pass *p, const struct job *j, struct bitset *nodes) {
        const struct resv *resv = j->placed.resv;

        for (size_t i = held_resv_find(p, resv, 0); i < p->n_held && p->held[i].resv == resv; i++)
                if (!job_is_with(p->held[i].holder, job_itself(j)))
                        bitset_minus(nodes, p->held[i].partition->nodes);
}

bool pass_let_go(struct pass *p, const struct job *j, const struct bid *turn) {
        size_t n = 0;
        bool earlier = false;

        for (size_t i = 0; i < p->n_held; i++)
                if (job_is_with(p->held[i].holder, job_itself(j)))
                        earlier |= p->held[i].turn != turn;
                else
                        p->held[n++] = p->held[i];
        p->n_held = n;
        return earlier;
}

bool pass_holds_for_nobody(const struct pass *p) {
        bool stale = false;

        for (size_t i = 0; i < p->n_held && !stale; i++)
                stale = sched_is_stale_claim(p->c, p->held[i].holder, p->held[i].partition, p->now);
        return stale;
}
