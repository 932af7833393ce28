/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands/steps/step_signals.h"

struct step_signals {
        size_t n_nodes;
        uint32_t last;                     /* number of the last signal; 0: none */
        uint32_t signal[STEP_SIGNALS_MAX]; /* at index number % STEP_SIGNALS_MAX */
        uint32_t *taken;                   /* per node: a bit for each index of signal */
};

struct step_signals *step_signals_new(size_t n_nodes) {
        struct step_signals *s = xnew0(struct step_signals, 1);

        s->n_nodes = n_nodes;
        s->taken = xnew0(uint32_t, MAX(n_nodes, (size_t)1));
        return s;
}

void step_signals_free(struct step_signals *s) {
        if (!s)
                return;
        free(s->taken);
        free(s);
}

static uint32_t step_signal_bit(uint32_t number) {
        return UINT32_C(1) << number % STEP_SIGNALS_MAX;
}

static uint32_t step_signals_oldest(const struct step_signals *s) {
        return s->last > STEP_SIGNALS_MAX ? s->last - STEP_SIGNALS_MAX + 1 : 1;
}

uint32_t step_signals_add(struct step_signals *s, uint32_t signal) {
        uint32_t number = ++s->last;

        s->signal[number % STEP_SIGNALS_MAX] = signal;
        for (size_t i = 0; i < s->n_nodes; i++)
                s->taken[i] &= ~step_signal_bit(number);
        return number;
}

void step_signals_taken(struct step_signals *s, size_t node, uint32_t number) {
        if (node < s->n_nodes && number >= step_signals_oldest(s) && number <= s->last)
                s->taken[node] |= step_signal_bit(number);
}

bool step_signals_next(const struct step_signals *s, size_t node, uint32_t *number,
                uint32_t *ret_signal) {
        if (node >= s->n_nodes)
                return false;
        for (uint32_t k = MAX(*number + 1, step_signals_oldest(s)); k <= s->last; k++)
                if (!(s->taken[node] & step_signal_bit(k))) {
                        *number = k;
                        *ret_signal = s->signal[k % STEP_SIGNALS_MAX];
                        return true;
                }
        return false;
}
