/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands/node_text.h"

#include "commands/job_text.h"
#include "lib/timetext.h"

#include <strings.h>

static const char *const bases[SEEN_BASE_MAX] = {
        [SEEN_UNKNOWN] = "UNKNOWN",
        [SEEN_DOWN] = "DOWN",
        [SEEN_IDLE] = "IDLE",
        [SEEN_ALLOCATED] = "ALLOCATED",
        [SEEN_ERROR] = "ERROR",
        [SEEN_MIXED] = "MIXED",
        [SEEN_FUTURE] = "FUTURE",
};
static const char *const flag_words[SEEN_FLAG_MAX] = {
        [SEEN_RESERVED] = "RESERVED",
        [SEEN_CLOUD] = "CLOUD",
        [SEEN_DRAIN] = "DRAIN",
        [SEEN_COMPLETING] = "COMPLETING",
        [SEEN_NOT_RESPONDING] = "NOT_RESPONDING",
        [SEEN_POWERED_DOWN] = "POWERED_DOWN",
        [SEEN_FAIL] = "FAIL",
        [SEEN_POWERING_UP] = "POWERING_UP",
        [SEEN_MAINTENANCE] = "MAINTENANCE",
        [SEEN_REBOOT_REQUESTED] = "REBOOT_REQUESTED",
        [SEEN_POWERING_DOWN] = "POWERING_DOWN",
        [SEEN_DYNAMIC_FUTURE] = "DYNAMIC_FUTURE",
        [SEEN_REBOOT_ISSUED] = "REBOOT_ISSUED",
        [SEEN_PLANNED] = "PLANNED",
        [SEEN_INVALID_REG] = "INVALID_REG",
        [SEEN_POWER_DOWN] = "POWER_DOWN",
        [SEEN_POWER_UP] = "POWER_UP",
        [SEEN_DYNAMIC_NORM] = "DYNAMIC_NORM",
        [SEEN_BLOCKED] = "BLOCKED",
        [SEEN_EXTERNAL] = "EXTERNAL",
        [SEEN_RESUME] = "RESUME",
};

static int node_word_index(const char *const *words, size_t n_words, const char *word, size_t n) {
        for (size_t i = 0; i < n_words; i++)
                if (words[i][0] == word[0] && strncmp(words[i], word, n) == 0 && words[i][n] == 0)
                        return (int)i;
        return -1;
}

struct node_seen node_seen(const Node *node) {
        struct node_seen seen = { 0 };

        for (const char *p = node->state_text; p && *p;) {
                size_t n = strcspn(p, "+");
                int base = node_word_index(bases, SEEN_BASE_MAX, p, n),
                    flag = node_word_index(flag_words, SEEN_FLAG_MAX, p, n);

                if (base >= 0)
                        seen.base = (enum node_base_seen)base;
                else if (flag >= 0)
                        seen.flags |= 1u << flag;
                p += n + (p[n] != 0);
        }
        return seen;
}

bool node_seen_allocated(struct node_seen seen) {
        return seen.base == SEEN_ALLOCATED || seen.base == SEEN_MIXED ||
               (seen.flags & SEEN(COMPLETING));
}

bool node_seen_usable(struct node_seen seen) {
        bool up = seen.base == SEEN_ALLOCATED || seen.base == SEEN_MIXED || seen.base == SEEN_IDLE;

        return up && !(seen.flags & (SEEN(DRAIN) | SEEN(FAIL)));
}

const char *node_bmc_word(const Node *node) {
        static const char *const words[] = { "unknown", "off", "on" }; /* enum node_observed */

        return words[node->bmc_power < ELEMENTSOF(words) ? node->bmc_power : 0];
}

const char *node_next_word(const Node *node) {
        static const char *const words[] = { NULL, "RESUME", "DOWN" }; /* enum node_next */

        return node->next < ELEMENTSOF(words) ? words[node->next] : NULL;
}

uint32_t node_cpus(const Node *node) {
        if (node->cpus_effective)
                return node->cpus_effective;
        return node->configured ? node->configured->cpus : 0;
}

char *node_tres_text(const Node *node) {
        char memory[TIMETEXT_MAX], cost[BILLING_TEXT_MAX];
        uint32_t cpus = node_cpus(node);

        return xasprintf("cpu=%u,mem=%s%s%s%s", cpus,
                        memory_text(node->configured ? node->configured->real_memory : 0, memory),
                        billing_text(node->billing, cpus, cost), isempty(node->tres) ? "" : ",",
                        strempty(node->tres));
}

char *node_tres_used_text(const Node *node) {
        char cpus[32] = "", memory[TIMETEXT_MAX + 8] = "", buf[TIMETEXT_MAX];

        if (node->cpus_alloc)
                snprintf(cpus, sizeof cpus, "cpu=%u,", node->cpus_alloc);
        if (node->mem_alloc)
                snprintf(memory, sizeof memory, "mem=%s,", memory_text(node->mem_alloc, buf));
        char *text = xasprintf("%s%s%s", cpus, memory, strempty(node->tres_alloc));
        size_t n = strlen(text);
        if (n && text[n - 1] == ',')
                text[n - 1] = 0;
        return text;
}

/* ---- states of -t ---- */

struct node_state_word {
        const char *word;
        uint32_t any_base; /* 1 << base; 0 = any */
        uint32_t flags;    /* all must be set */
};
#define BASE(name) (1u << SEEN_##name)
#define BUSY       (BASE(ALLOCATED) | BASE(MIXED))
#define NOT_BUSY   (~BUSY & ((1u << SEEN_BASE_MAX) - 1))

static const struct node_state_word state_words[] = {
        { "unknown", BASE(UNKNOWN), 0 },
        { "unk", BASE(UNKNOWN), 0 },
        { "down", BASE(DOWN), 0 },
        { "idle", BASE(IDLE), 0 },
        { "allocated", BUSY, 0 },
        { "alloc", BUSY, 0 },
        { "error", BASE(ERROR), 0 },
        { "mixed", BASE(MIXED), 0 },
        { "mix", BASE(MIXED), 0 },
        { "future", BASE(FUTURE), 0 },
        { "futr", BASE(FUTURE), 0 },
        { "drain", 0, SEEN(DRAIN) },
        { "drained", NOT_BUSY, SEEN(DRAIN) },
        { "draining", BUSY, SEEN(DRAIN) },
        { "drng", BUSY, SEEN(DRAIN) },
        { "no_respond", 0, SEEN(NOT_RESPONDING) },
        { "reserved", 0, SEEN(RESERVED) },
        { "resv", 0, SEEN(RESERVED) },
        { "cloud", 0, SEEN(CLOUD) },
        { "completing", 0, SEEN(COMPLETING) },
        { "comp", 0, SEEN(COMPLETING) },
        { "powering_down", 0, SEEN(POWERING_DOWN) },
        { "powered_down", 0, SEEN(POWERED_DOWN) },
        { "power_down", 0, SEEN(POWER_DOWN) },
        { "powering_up", 0, SEEN(POWERING_UP) },
        { "power_up", 0, SEEN(POWER_UP) },
        { "fail", 0, SEEN(FAIL) },
        { "failing", BUSY, SEEN(FAIL) },
        { "failg", BUSY, SEEN(FAIL) },
        { "maint", 0, SEEN(MAINTENANCE) },
        { "reboot", 0, SEEN(REBOOT_REQUESTED) },
        { "reboot_requested", 0, SEEN(REBOOT_REQUESTED) },
        { "reboot^", 0, SEEN(REBOOT_ISSUED) },
        { "reboot_issued", 0, SEEN(REBOOT_ISSUED) },
        { "planned", 0, SEEN(PLANNED) },
        { "plnd", 0, SEEN(PLANNED) },
        { "blocked", 0, SEEN(BLOCKED) },
        { "inval", 0, SEEN(INVALID_REG) },
        { "invalid_reg", 0, SEEN(INVALID_REG) },
};

static const struct node_state_word *state_word_find(const char *word, size_t n) {
        for (size_t i = 0; i < ELEMENTSOF(state_words); i++)
                if (strncasecmp(state_words[i].word, word, n) == 0 && state_words[i].word[n] == 0)
                        return &state_words[i];
        return NULL;
}

int node_states_parse(struct node_states *states, const char *text, char **ret_bad) {
        bool joined = false;

        for (const char *p = text; *p;) {
                struct node_states_term term = { .joined = joined };
                size_t n;

                term.negated = *p == '~';
                p += term.negated;
                n = strcspn(p, ",&+");
                term.word = state_word_find(p, n);
                if (!term.word) {
                        *ret_bad = xstrndup(p, n);
                        return -EINVAL;
                }
                GROW(states->terms, states->allocated, states->n_terms);
                states->terms[states->n_terms++] = term;
                joined = p[n] == '&' || p[n] == '+';
                p += n + (p[n] != 0);
        }
        return 0;
}

static bool states_term_holds(const struct node_states_term *term, struct node_seen seen) {
        const struct node_state_word *w = term->word;
        bool yes = (!w->any_base || w->any_base >> seen.base & 1) &&
                   (seen.flags & w->flags) == w->flags;

        return yes != term->negated;
}

bool node_states_hold(const struct node_states *states, struct node_seen seen) {
        bool group = false;

        for (size_t i = 0; i < states->n_terms; i++) {
                bool yes = states_term_holds(&states->terms[i], seen);

                if (!states->terms[i].joined && group)
                        return true;
                group = states->terms[i].joined ? group && yes : yes;
        }
        return group;
}

void node_states_done(struct node_states *states) {
        free(states->terms);
        *states = (struct node_states){ 0 };
}

void node_states_say(FILE *out) {
        for (size_t i = 0; i < ELEMENTSOF(state_words); i++)
                fprintf(out, "%s%s", i ? "," : "", state_words[i].word);
}
