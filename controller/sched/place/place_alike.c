/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cache for equal nodes: nodes of equal hardware with equal free resources have equal answers.
 * The key is a list of words with everything the answer depends on. A hash table keeps the latest
 * answer per slot. */
#include "controller/sched/place/place_private.h"

#define SLOTS 128 /* partly used nodes have few different remainders */

struct place_answers {
        struct question {
                uint64_t *word;
                size_t n, allocated;
                uint64_t hash;
                struct place_answer answer;
        } slot[SLOTS], asked;
};

void place_ask(struct search *s) {
        if (!s->answers)
                s->answers = xnew0(struct place_answers, 1);
        s->answers->asked.n = 0;
        s->answers->asked.hash = 0;
}

void place_ask_word(struct search *s, uint64_t word) {
        struct question *q = &s->answers->asked;

        GROW(q->word, q->allocated, q->n);
        q->word[q->n++] = word;
        q->hash = (q->hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        q->hash ^= q->hash >> 29;
}

void place_ask_set(struct search *s, const struct bitset *set, size_t bits) {
        for (size_t i = 0; i < DIV_ROUND_UP(bits, (size_t)64); i++)
                place_ask_word(s, set ? set->word[i] : 0);
}

bool place_answered(const struct search *s, struct place_answer *ret) {
        const struct question *asked = &s->answers->asked,
                              *q = &s->answers->slot[asked->hash % SLOTS];

        if (q->n != asked->n || q->hash != asked->hash ||
                        memcmp(q->word, asked->word, q->n * sizeof q->word[0]) != 0)
                return false;
        *ret = q->answer;
        return true;
}

void place_answer(struct search *s, const struct place_answer *answer) {
        struct question *asked = &s->answers->asked, *q = &s->answers->slot[asked->hash % SLOTS];
        const struct question old = *q;

        *q = *asked;
        q->answer = *answer;
        *asked = (struct question){ .word = old.word, .allocated = old.allocated };
}

struct place_answers *place_answers_free(struct place_answers *a) {
        for (size_t i = 0; a && i < SLOTS; i++)
                free(a->slot[i].word);
        if (a)
                free(a->asked.word);
        free(a);
        return NULL;
}
