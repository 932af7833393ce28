/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/layout.h - tasks over nodes: how many on each, and which ranks */
#pragma once

#include "lib/base.h"

/* Deals tasks out over n nodes, each at most room[i], one to each in turn until none is left; false: they do not all
   fit (then the rest is dealt out beyond room if over is true). */
bool layout_tasks(const uint32_t *room, size_t n, uint32_t tasks, bool over, uint32_t *ret_count);
/* Global ranks of node i, in blocks or cyclic; the caller frees.  count[i] of them. */
uint32_t *layout_ranks(const uint32_t *count, size_t n, size_t i, bool cyclic);
/* "2(x3),1"; the caller frees. */
char *layout_text(const uint32_t *count, size_t n);
