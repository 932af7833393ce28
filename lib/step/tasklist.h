/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/step/tasklist.h - the node of each task in order, for --distribution=arbitrary:
   "n3,n1*2,n[1-2]" */
#pragma once

#include "lib/hostlist.h"

#define TASK_LIST_MAX 65536 /* tasks of one list */

struct task_list;
/* Empty; most: tasks of one node that may be added, 0: TASK_LIST_MAX. */
struct task_list *task_list_new(uint32_t most);
struct task_list *task_list_free(struct task_list *l); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct task_list *, task_list_free)
/* Adds tasks: host list words, separated by commas or blanks, repeats kept; "word*3" is the word
   three times.  A failure says what is wrong with which word; the list then has the tasks before.
   -ERANGE: more than most tasks of one node; no more than these have been made. */
int task_list_add(struct task_list *l, const char *text, struct fail *fail);
/* The first n tasks alone; no more than there are. */
void task_list_cut(struct task_list *l, size_t n);
size_t task_list_tasks(const struct task_list *l); /* how many */
/* Each once, in the order of their first tasks; borrowed until tasks are added or cut. */
const struct hostlist *task_list_nodes(const struct task_list *l);
size_t task_list_node(const struct task_list *l, size_t task); /* its index in these */
size_t task_list_size(const struct task_list *l); /* bytes that its tasks and names take, about */
/* Text that task_list_add() reads as the same list; the caller frees. */
char *task_list_text(const struct task_list *l);
