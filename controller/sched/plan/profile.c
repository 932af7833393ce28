/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices in order of time, each with the set of nodes free in the slice, in chunks of at most
 * CHUNK slices: adding a boundary moves a part of one chunk only. A chunk knows which nodes are
 * free in all of its slices (all), so that a long stretch is examined chunk by chunk, and the
 * largest and least numbers of free nodes (most, least), so that full chunks are skipped.
 *
 * profile_fit() moves three marks forward: start; end, up to which the free nodes since start
 * are known; and ahead, up to which each slice has enough free nodes, whichever nodes. Numbers
 * alone rule most starts out (look_ahead); only for the rest are sets intersected. If the common
 * nodes become too few, start moves to the first slice from which enough nodes are free up to
 * end: any earlier start has the same two slices in its stretch.
 *
 * Invariants: the first slice begins at or before every time asked for; free is the number of a
 * slice's nodes; all is exact unless stale; most may be too large, least too small. */
#include "controller/sched/plan/profile.h"

#include "lib/words.h"

#define CHUNK 64

struct slice {
        usec_t from;
        uint32_t free;
        uint64_t *word;
};

struct chunk {
        struct slice slice[CHUNK];
        size_t n;
        uint32_t most, least;
        bool stale; /* all may be too small */
        uint64_t *all;
};

struct profile {
        size_t nodes, words;
        struct chunk **chunks;
        size_t n, allocated, slices;
        uint64_t **spare; /* sets for reuse */
        size_t n_spare, a_spare;
        uint64_t steps;
};

struct at {
        size_t chunk, slice;
};

/* ---- sets ---- */

static uint64_t *words_new(struct profile *p) {
        return p->n_spare ? p->spare[--p->n_spare] : xnew(uint64_t, p->words + 1);
}

static void words_drop(struct profile *p, uint64_t *word) {
        GROW(p->spare, p->a_spare, p->n_spare);
        p->spare[p->n_spare++] = word;
}

static void words_copy(const struct profile *p, uint64_t *to, const uint64_t *from) {
        memcpy(to, from, p->words * sizeof *to);
}

/* ---- chunks ---- */

static struct chunk *chunk_insert(struct profile *p, size_t at) {
        struct chunk *c = xnew0(struct chunk, 1);

        c->all = words_new(p);
        c->stale = true;
        GROW(p->chunks, p->allocated, p->n);
        memmove(&p->chunks[at + 1], &p->chunks[at], (p->n - at) * sizeof p->chunks[0]);
        p->chunks[at] = c;
        p->n++;
        return c;
}

static void chunk_remove(struct profile *p, size_t at) {
        struct chunk *c = p->chunks[at];

        assert(c->n == 0);
        words_drop(p, c->all);
        free(c);
        memmove(&p->chunks[at], &p->chunks[at + 1], (p->n - at - 1) * sizeof p->chunks[0]);
        p->n--;
}

static void find_bounds(struct chunk *c) {
        c->most = 0;
        c->least = UINT32_MAX;
        for (size_t i = 0; i < c->n; i++) {
                c->most = MAX(c->most, c->slice[i].free);
                c->least = MIN(c->least, c->slice[i].free);
        }
}

static const uint64_t *chunk_all(struct profile *p, struct chunk *c) {
        if (!c->stale)
                return c->all;
        words_copy(p, c->all, c->slice[0].word);
        for (size_t i = 1; i < c->n; i++)
                (void)words_meet(c->all, c->all, c->slice[i].word, p->words);
        p->steps += c->n * p->words;
        c->stale = false;
        return c->all;
}

/* Moves half of a full chunk to a new chunk. */
static void chunk_split(struct profile *p, size_t at) {
        struct chunk *c = p->chunks[at], *next = chunk_insert(p, at + 1);

        next->n = c->n / 2;
        c->n -= next->n;
        memcpy(next->slice, &c->slice[c->n], next->n * sizeof c->slice[0]);
        c->stale = true;
        find_bounds(c);
        find_bounds(next);
}

/* Returns the slice of t; the first slice if t is before all slices. */
static struct at slice_find(const struct profile *p, usec_t t) {
        struct at at = { 0 };
        size_t low = 0, high = p->n;

        while (high - low > 1) {
                size_t mid = (low + high) / 2;
                if (p->chunks[mid]->slice[0].from <= t)
                        low = mid;
                else
                        high = mid;
        }
        at.chunk = low;
        const struct chunk *c = p->chunks[low];
        for (low = 0, high = c->n; high - low > 1;) {
                size_t mid = (low + high) / 2;
                if (c->slice[mid].from <= t)
                        low = mid;
                else
                        high = mid;
        }
        at.slice = low;
        return at;
}

static struct slice *slice_at(const struct profile *p, struct at at) {
        return &p->chunks[at.chunk]->slice[at.slice];
}

/* Moves to the next slice; false: no next slice. */
static bool slice_next(const struct profile *p, struct at *at) {
        if (++at->slice < p->chunks[at->chunk]->n)
                return true;
        at->slice = 0;
        return ++at->chunk < p->n;
}

static bool slice_previous(const struct profile *p, struct at *at) {
        if (at->slice > 0) {
                at->slice--;
                return true;
        }
        if (at->chunk == 0)
                return false;
        at->slice = p->chunks[--at->chunk]->n - 1;
        return true;
}

/* Makes a slice begin at t. */
static void slice_cut(struct profile *p, usec_t t) {
        struct at at = slice_find(p, t);

        if (t == USEC_INFINITY || slice_at(p, at)->from >= t)
                return;
        if (p->chunks[at.chunk]->n == CHUNK) {
                chunk_split(p, at.chunk);
                at = slice_find(p, t);
        }
        struct chunk *c = p->chunks[at.chunk];
        struct slice *s = &c->slice[at.slice];
        memmove(s + 1, s, (c->n - at.slice) * sizeof *s);
        c->n++;
        p->slices++;
        s[1].from = t;
        s[1].word = words_new(p);
        words_copy(p, s[1].word, s[0].word);
        p->steps += p->words;
}

static void drop_slice(struct profile *p, struct at at) {
        struct chunk *c = p->chunks[at.chunk];

        words_drop(p, c->slice[at.slice].word);
        memmove(&c->slice[at.slice], &c->slice[at.slice + 1],
                        (c->n - at.slice - 1) * sizeof c->slice[0]);
        p->slices--;
        if (--c->n == 0)
                chunk_remove(p, at.chunk);
}

/* Removes the boundary at t if the slices before and after are equal. */
static void slice_join(struct profile *p, usec_t t) {
        struct at at = slice_find(p, t), before = at;

        if (t == USEC_INFINITY || slice_at(p, at)->from != t || !slice_previous(p, &before))
                return;
        const struct slice *a = slice_at(p, before), *b = slice_at(p, at);
        p->steps += p->words;
        if (a->free == b->free && memcmp(a->word, b->word, p->words * sizeof a->word[0]) == 0)
                drop_slice(p, at);
}

/* ---- the whole ---- */

struct profile *profile_new(size_t nodes) {
        struct profile *p = xnew0(struct profile, 1);

        p->nodes = nodes;
        p->words = (nodes + 63) / 64;
        profile_build(p, 0, NULL, 0);
        return p;
}

static void drop_all(struct profile *p) {
        for (size_t i = 0; i < p->n; i++) {
                struct chunk *c = p->chunks[i];
                for (size_t k = 0; k < c->n; k++)
                        words_drop(p, c->slice[k].word);
                words_drop(p, c->all);
                free(c);
        }
        p->n = p->slices = 0;
}

struct profile *profile_free(struct profile *p) {
        if (!p)
                return NULL;
        drop_all(p);
        for (size_t i = 0; i < p->n_spare; i++)
                free(p->spare[i]);
        free(p->spare);
        free(p->chunks);
        free(p);
        return NULL;
}

static void slice_append(struct profile *p, usec_t from, const struct bitset *free) {
        struct chunk *c = p->n ? p->chunks[p->n - 1] : NULL;

        if (!c || c->n == CHUNK / 2) /* leaves room for further boundaries */
                c = chunk_insert(p, p->n);
        struct slice *s = &c->slice[c->n++];
        s->from = from;
        s->word = words_new(p);
        words_copy(p, s->word, free->word);
        s->free = (uint32_t)words_count(free->word, p->words);
        c->most = MAX(c->most, s->free);
        c->least = c->n == 1 ? s->free : MIN(c->least, s->free);
        p->slices++;
        p->steps += p->words;
}

void profile_build(struct profile *p, usec_t now, const struct profile_end *ends, size_t n) {
        _cleanup_(bitset_freep) struct bitset *free = bitset_new(p->nodes);
        size_t i = 0;

        drop_all(p);
        bitset_fill(free);
        for (size_t k = 0; k < n; k++)
                if (ends[k].at > now)
                        bitset_del(free, ends[k].node);
        while (i < n && ends[i].at <= now)
                i++;
        slice_append(p, now, free);
        while (i < n && ends[i].at != USEC_INFINITY) {
                usec_t at = ends[i].at;
                for (; i < n && ends[i].at == at; i++)
                        bitset_add(free, ends[i].node);
                slice_append(p, at, free);
        }
}

/* ---- taking and giving ---- */

struct part { /* a word of a set, not empty */
        size_t at;
        uint64_t bits;
};

static size_t set_words(const struct bitset *nodes, struct part *parts) {
        size_t n = 0;

        for (size_t i = 0; i < nodes->words; i++)
                if (nodes->word[i])
                        parts[n++] = (struct part){ i, nodes->word[i] };
        return n;
}

static void put_in_chunk(struct profile *p, struct chunk *c, size_t first, usec_t until,
                const struct part *parts, size_t n, bool take, uint32_t count) {
        for (size_t i = first; i < c->n && c->slice[i].from < until; i++) {
                struct slice *s = &c->slice[i];
                for (size_t k = 0; k < n; k++) {
                        assert((s->word[parts[k].at] & parts[k].bits) ==
                                        (take ? parts[k].bits : 0));
                        s->word[parts[k].at] ^= parts[k].bits;
                }
                s->free = take ? s->free - count : s->free + count;
                p->steps += n;
        }
        for (size_t k = 0; take && k < n; k++)
                c->all[parts[k].at] &= ~parts[k].bits;
        c->stale |= !take;
        find_bounds(c);
}

static void profile_put(struct profile *p, const struct bitset *nodes, usec_t from, usec_t until,
                bool take) {
        _cleanup_free_ struct part *parts = xnew(struct part, p->words + 1);
        size_t n = set_words(nodes, parts);
        uint32_t count = (uint32_t)words_count(nodes->word, p->words);

        assert(nodes->bits == p->nodes);
        from = MAX(from, p->chunks[0]->slice[0].from);
        if (from >= until || count == 0)
                return;
        slice_cut(p, from);
        slice_cut(p, until);
        struct at at = slice_find(p, from);
        for (size_t i = at.chunk; i < p->n && p->chunks[i]->slice[0].from < until; i++)
                put_in_chunk(p, p->chunks[i], i == at.chunk ? at.slice : 0, until, parts, n, take,
                                count);
        slice_join(p, until);
        slice_join(p, from);
}

void profile_take(struct profile *p, const struct bitset *nodes, usec_t from, usec_t until) {
        profile_put(p, nodes, from, until, true);
}

void profile_give(struct profile *p, const struct bitset *nodes, usec_t from, usec_t until) {
        profile_put(p, nodes, from, until, false);
}

void profile_forget(struct profile *p, usec_t now) {
        struct at at = slice_find(p, now);

        for (; at.chunk > 0; at.chunk--) {
                struct chunk *c = p->chunks[0];
                for (size_t i = 0; i < c->n; i++)
                        words_drop(p, c->slice[i].word);
                p->slices -= c->n;
                c->n = 0;
                chunk_remove(p, 0);
        }
        for (; at.slice > 0; at.slice--) {
                p->chunks[0]->stale = true;
                drop_slice(p, (struct at){ 0, 0 });
        }
        find_bounds(p->chunks[0]);
}

/* ---- fitting ---- */

struct fitting {
        struct profile *p;
        const struct profile_wish *wish;
        size_t low, words; /* range of words with candidates */
        uint64_t *common, *tmp;
        struct at start, end; /* common: the candidates free from start to end */
        struct at ahead;      /* each slice from start up to ahead has enough nodes */
        usec_t time;          /* the time of the start */
};

/* Returns the end of the job for the start tried now. */
static usec_t fitting_end(const struct fitting *f) {
        usec_t until = usec_after(f->time, f->wish->duration);

        assert(!f->wish->end || f->wish->end > f->wish->latest);
        return f->wish->end ? MIN(until, f->wish->end) : until;
}

static bool is_before(struct at a, struct at b) {
        return a.chunk < b.chunk || (a.chunk == b.chunk && a.slice < b.slice);
}

/* Moves *at to until, if each slice has `count` nodes; false: *at is the first slice without. */
static bool slices_check(struct profile *p, struct at *at, usec_t until, uint32_t count) {
        while (at->chunk < p->n) {
                const struct chunk *c = p->chunks[at->chunk];
                p->steps++;
                for (size_t i = c->least >= count ? c->n : at->slice; i < c->n; i++)
                        if (c->slice[i].from >= until || c->slice[i].free < count) {
                                at->slice = i;
                                return c->slice[i].from >= until;
                        }
                *at = (struct at){ at->chunk + 1, 0 };
                if (at->chunk < p->n && p->chunks[at->chunk]->slice[0].from >= until)
                        break;
        }
        return true;
}

/* Returns whether the numbers allow this start; if not, start moves behind the slice without
   enough nodes. */
static bool look_ahead(struct fitting *f) {
        if (is_before(f->ahead, f->start))
                f->ahead = f->start;
        if (slices_check(f->p, &f->ahead, fitting_end(f), f->wish->count))
                return true;
        f->start = f->ahead;
        (void)slice_next(f->p, &f->start);
        return false;
}

/* Sets tmp to the intersection of a and b; returns whether the nodes suffice. */
static bool fitting_meet(struct fitting *f, const uint64_t *a, const uint64_t *b) {
        f->p->steps += f->words;
        return words_meet(f->tmp + f->low, a + f->low, b + f->low, f->words) >= f->wish->count;
}

static void fitting_keep(struct fitting *f) {
        uint64_t *t = f->common;

        f->common = f->tmp;
        f->tmp = t;
}

/* Moves start to the first slice with enough candidates; false: none. */
static bool find_start(struct fitting *f) {
        const struct profile *p = f->p;

        while (f->start.chunk < p->n) {
                const struct chunk *c = p->chunks[f->start.chunk];
                size_t i = f->start.slice;

                f->p->steps++;
                while (c->most >= f->wish->count && i < c->n && c->slice[i].free < f->wish->count)
                        i++;
                if (c->most < f->wish->count || i == c->n) {
                        f->start = (struct at){ f->start.chunk + 1, 0 };
                        continue;
                }
                f->start.slice = i;
                f->time = MAX(f->wish->from, c->slice[i].from);
                if (f->time > f->wish->latest)
                        return false;
                if (!look_ahead(f))
                        continue;
                if (fitting_meet(f, f->wish->nodes->word, c->slice[i].word)) {
                        fitting_keep(f);
                        f->end = f->start;
                        (void)slice_next(p, &f->end);
                        return true;
                }
                f->start.slice++;
                if (f->start.slice == c->n)
                        f->start = (struct at){ f->start.chunk + 1, 0 };
        }
        return false;
}

/* Adds a whole chunk at once, if the chunk lies within the stretch and leaves enough nodes. */
static bool pass_chunk(struct fitting *f, usec_t until) {
        struct chunk *c = f->p->chunks[f->end.chunk];

        if (f->end.slice != 0 || c->n < 2 || c->slice[c->n - 1].from >= until ||
                        !fitting_meet(f, f->common, chunk_all(f->p, c)))
                return false;
        fitting_keep(f);
        f->end.chunk++;
        return true;
}

/* Moves end as far as the duration; false: at end the common nodes become too few. */
static bool fitting_extend(struct fitting *f) {
        const struct profile *p = f->p;
        usec_t until = fitting_end(f);

        while (f->end.chunk < p->n && slice_at(p, f->end)->from < until) {
                const struct slice *s = slice_at(p, f->end);
                if (pass_chunk(f, until))
                        continue;
                if (s->free < f->wish->count || !fitting_meet(f, f->common, s->word))
                        return false;
                fitting_keep(f);
                (void)slice_next(p, &f->end);
        }
        return true;
}

/* Moves start behind the slice that left too few nodes; false: the slice at end has too few
   candidates, or the numbers rule the start out. */
static bool move_start(struct fitting *f) {
        struct profile *p = f->p;
        struct at at = f->end;

        f->start = f->end;
        if (slice_at(p, at)->free < f->wish->count ||
                        !fitting_meet(f, f->wish->nodes->word, slice_at(p, at)->word)) {
                (void)slice_next(p, &f->start);
                return false;
        }
        fitting_keep(f);
        while (slice_previous(p, &at) && fitting_meet(f, f->common, slice_at(p, at)->word)) {
                fitting_keep(f);
                f->start = at;
        }
        f->time = MAX(f->wish->from, slice_at(p, f->start)->from);
        (void)slice_next(p, &f->end);
        return look_ahead(f);
}

static int fitting_search(struct fitting *f, usec_t *ret_start, struct bitset *ret_free) {
        while (find_start(f)) {
                bool fits;
                while (!(fits = fitting_extend(f)) && move_start(f) && f->time <= f->wish->latest)
                        ;
                if (!fits)
                        continue;
                bitset_clear(ret_free);
                memcpy(&ret_free->word[f->low], &f->common[f->low], f->words * sizeof f->common[0]);
                *ret_start = f->time;
                if (!f->wish->enough || f->wish->enough(ret_free, f->time, f->wish->user))
                        return 0;
                (void)slice_next(f->p, &f->start);
        }
        return -ENOENT;
}

int profile_fit(struct profile *p, const struct profile_wish *wish, usec_t *ret_start,
                struct bitset *ret_free) {
        size_t first = bitset_next(wish->nodes, 0), high = p->words;
        struct fitting f = { .p = p, .wish = wish, .start = slice_find(p, wish->from) };

        assert(wish->count > 0 && wish->nodes->bits == p->nodes && ret_free->bits == p->nodes);
        if (first == SIZE_MAX)
                return -ENOENT;
        f.low = first / 64;
        while (!wish->nodes->word[high - 1])
                high--;
        f.words = high - f.low;
        f.common = words_new(p);
        f.tmp = words_new(p);
        int r = fitting_search(&f, ret_start, ret_free);
        words_drop(p, f.common);
        words_drop(p, f.tmp);
        return r;
}

/* As slices_check(), but slices in the caller's own stretch count as enough. */
static bool slices_check_but_own(struct profile *p, struct at *at, usec_t until,
                const struct profile_look *l) {
        while (!slices_check(p, at, until, l->count)) {
                usec_t from = slice_at(p, *at)->from;
                if (from < l->own_from || from >= l->own_until)
                        return false;
                if (until <= l->own_until)
                        break;
                *at = slice_find(p, l->own_until);
                if (slice_at(p, *at)->free < l->count)
                        return false;
        }
        return true;
}

bool profile_has(struct profile *p, const struct profile_look *l) {
        struct at at = slice_find(p, l->from);

        assert(l->latest <= l->own_from);
        while (at.chunk < p->n) {
                const struct chunk *c = p->chunks[at.chunk];
                usec_t from = c->slice[at.slice].from;
                p->steps++;
                if (from > l->latest)
                        return false;
                if (c->most < l->count) {
                        at = (struct at){ at.chunk + 1, 0 };
                        continue;
                }
                if (c->slice[at.slice].free >= l->count &&
                                slices_check_but_own(p, &at,
                                                usec_after(MAX(l->from, from), l->duration), l))
                        return true;
                if (at.chunk < p->n)
                        (void)slice_next(p, &at);
        }
        return false;
}

/* Slice by slice: usually no node is left after a few slices, so that the common nodes of whole
   chunks are not worth computing. */
bool profile_has_one(struct profile *p, const struct bitset *nodes, usec_t from, usec_t until) {
        size_t first = bitset_next(nodes, 0), low = first / 64, words = p->words - low;

        assert(nodes->bits == p->nodes);
        if (first == SIZE_MAX)
                return false;
        uint64_t *common = words_new(p);
        struct at at = slice_find(p, from);
        bool some = true;
        words_copy(p, common, nodes->word);
        while (some && at.chunk < p->n && slice_at(p, at)->from < until) {
                some = words_meet(common + low, common + low, slice_at(p, at)->word + low, words) >
                       0;
                p->steps += words;
                (void)slice_next(p, &at);
        }
        words_drop(p, common);
        return some;
}

usec_t profile_last(const struct profile *p) {
        const struct chunk *c = p->chunks[p->n - 1];

        return c->slice[c->n - 1].from;
}

size_t profile_slices(const struct profile *p) {
        return p->slices;
}

size_t profile_bytes(const struct profile *p) {
        size_t sets = p->slices + p->n + p->n_spare;

        return sizeof *p + p->n * sizeof(struct chunk) + p->allocated * sizeof p->chunks[0] +
               sets * (p->words + 1) * sizeof(uint64_t) + p->a_spare * sizeof p->spare[0];
}

uint64_t profile_steps(const struct profile *p) {
        return p->steps;
}
