/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/files/ydoc_build.h - makes the nodes of a YAML document, for ydoc.c only */
#pragma once

#include "lib/files/ydoc.h"

/* Makes the nodes of text in y->nodes. *ret: the top node; NULL: no document. Results as
   ydoc_read(). */
int ydoc_build(struct ydoc *y, const char *text, size_t size, const struct ynode **ret);
