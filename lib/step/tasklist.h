/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/step/tasklist.h - the node of each task in order, for --distribution=arbitrary:
   "n3,n1*2,n[1-2]" */
#pragma once

#include "lib/hostlist.h"

#define TASK_LIST_MAX 65536 /* tasks of one list */

struct task_list;
/* Makes an empty list; most: maximum tasks per node, 0: TASK_LIST_MAX. */
struct task_list *task_list_new(uint32_t most);
struct task_list *task_list_free(struct task_list *l); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct task_list *, task_list_free)
/* Adds tasks: words of host lists, separated by commas or blanks, repeats kept; "word*3" counts
   three times. On failure fail names the word, and the list has the earlier tasks. -ERANGE: more
   than most tasks on a node. */
int task_list_add(struct task_list *l, const char *text, struct fail *fail);
/* Keeps the first n tasks only. */
void task_list_cut(struct task_list *l, size_t n);
size_t task_list_tasks(const struct task_list *l); /* number of tasks */
/* Returns the nodes, each once, in order of their first tasks; borrowed until the list changes. */
const struct hostlist *task_list_nodes(const struct task_list *l);
size_t task_list_node(const struct task_list *l, size_t task); /* index in task_list_nodes() */
size_t task_list_size(const struct task_list *l); /* memory used, approximately, in bytes */
/* Returns text that task_list_add() reads as an equal list; the caller frees. */
char *task_list_text(const struct task_list *l);
