/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/node_text.h - a node's state as clients see it: the words of State= */
#pragma once

#include "commands/query.h"

enum node_base_seen {
        SEEN_UNKNOWN,
        SEEN_DOWN,
        SEEN_IDLE,
        SEEN_ALLOCATED,
        SEEN_ERROR,
        SEEN_MIXED,
        SEEN_FUTURE,
        SEEN_BASE_MAX,
};
/* Sort order of sinfo's rows: later flags weigh more. */
enum node_flag_seen {
        SEEN_RESERVED,
        SEEN_CLOUD,
        SEEN_DRAIN,
        SEEN_COMPLETING,
        SEEN_NOT_RESPONDING,
        SEEN_POWERED_DOWN,
        SEEN_FAIL,
        SEEN_POWERING_UP,
        SEEN_MAINTENANCE,
        SEEN_REBOOT_REQUESTED,
        SEEN_POWERING_DOWN,
        SEEN_DYNAMIC_FUTURE,
        SEEN_REBOOT_ISSUED,
        SEEN_PLANNED,
        SEEN_INVALID_REG,
        SEEN_POWER_DOWN,
        SEEN_POWER_UP,
        SEEN_DYNAMIC_NORM,
        SEEN_BLOCKED,
        SEEN_EXTERNAL,
        SEEN_RESUME,
        SEEN_FLAG_MAX,
};
struct node_seen {
        enum node_base_seen base;
        uint32_t flags; /* 1 << enum node_flag_seen */
};
#define SEEN(flag) (1u << SEEN_##flag)

struct node_seen node_seen(const Node *node);
bool node_seen_allocated(struct node_seen seen); /* has jobs, including completing */
bool node_seen_usable(struct node_seen seen);    /* idle CPUs are available to jobs */
uint32_t node_cpus(const Node *node);            /* available to jobs */

/* Returns "cpu=4,mem=1000M,billing=4,gres/gpu=2": the node's TRES, and the TRES allocated to
   jobs ("" if none); the caller frees. */
char *node_tres_text(const Node *node);
char *node_tres_used_text(const Node *node);

const char *node_bmc_word(const Node *node); /* last reading of the BMC: "on" */
/* Returns the state after the requested reboot: "DOWN"; NULL: none requested. */
const char *node_next_word(const Node *node);

struct node_states_term {
        const struct node_state_word *word;
        bool negated, joined; /* joined: by "&" to the previous term */
};

/* -t: "idle,mix&cloud,~down": a node must match one of the "&" groups. -EINVAL: *ret_bad is the
   unknown word, freed by the caller. */
struct node_states {
        struct node_states_term *terms;
        size_t n_terms, allocated;
};
int node_states_parse(struct node_states *states, const char *text, char **ret_bad);
bool node_states_hold(const struct node_states *states, struct node_seen seen);
void node_states_done(struct node_states *states);
void node_states_say(FILE *out); /* prints the known words: "a,b,c" */
