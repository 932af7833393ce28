/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/scenario/story.h - the commands of a story, each a row of a table */
#pragma once

#include "tests/scenario/restart.h"

#define WORDS_MAX 64

struct story {
        struct world *w;
        char **out; /* lines told since the last command began */
        size_t n_out, a_out;
        struct records store;
};

void story_out(struct story *s, const char *format, ...) _printf_(2, 3);
/* One command of words[0..n); -EINVAL with fail when it is not understood. */
int story_command(struct story *s, char **words, size_t n, struct fail *fail);
/* Each command, and each word that show, fault and delay take ("show nodes"), a line each. */
void story_words(FILE *out);
/* Words of commands; -EINVAL with fail. */
int story_number(const char *word, uint32_t *ret, struct fail *fail);
/* "20s", "1.5s", "3ms", "2m", "1h" */
int story_span(const char *word, usec_t *ret, struct fail *fail);
/* Two of the commands, those with options. */
int story_submit(struct story *s, char **words, size_t n, struct fail *fail);
/* submit --test-only */
int story_estimate(struct story *s, char **words, size_t n, struct fail *fail);
/* scontrol update */
int story_update(struct story *s, char **words, size_t n, struct fail *fail);
int story_trigger(struct story *s, char **words, size_t n, struct fail *fail);
int story_accounts_kept(struct story *s, char **words, size_t n, struct fail *fail);
int story_answer(struct story *s, char **words, size_t n, struct fail *fail);
/* "7", "7_3": a task that has not begun gets a record of its own. */
int story_job(struct story *s, const char *word, struct job **ret, struct fail *fail);
void show_nodes(struct story *s);
void show_brake(struct story *s);
void show_node(struct story *s, const char *name);
void show_address(struct story *s, const char *name);
void show_jobs(struct story *s);
void show_gres(struct story *s);
void show_parts(struct story *s);
void show_stopped(struct story *s);
void show_licenses(struct story *s);
void show_reservations(struct story *s);
void show_plan(struct story *s);
void show_priorities(struct story *s);
void show_shares(struct story *s);
void show_cores(struct story *s, const char *id);
void show_job(struct story *s, uint32_t id);
void show_why(struct story *s, const char *name);
void show_features(struct story *s, const char *name);
void show_energy(struct story *s, const char *name);
void show_consumed(struct story *s, uint32_t id);
void show_ports(struct story *s, uint32_t id);
void show_slowest(struct story *s, uint32_t id);
void show_sizes(struct story *s, uint32_t id);
