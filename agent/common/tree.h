/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/tree.h - the nodes of a step as a tree: node 0 is the root, each node has up to
 * width children
 *
 * Nodes are numbered level by level, so the children of a node, and each level of a subtree, are
 * consecutive numbers. n is the number of nodes, width is at least 1. */
#pragma once

#include "lib/base.h"

struct tree_range { /* nodes from first to end - 1 */
        uint64_t first, end;
};

static inline uint32_t tree_parent(uint32_t node, uint32_t width) { /* node > 0 */
        return (node - 1) / width;
}
/* Returns the children of a range of nodes of one level. */
static inline struct tree_range tree_below(struct tree_range r, uint32_t n, uint32_t width) {
        uint64_t first = r.first * width + 1, end = r.end * width + 1;

        return (struct tree_range){ MIN(first, n), MIN(end, n) };
}
static inline struct tree_range tree_self(uint32_t node) {
        return (struct tree_range){ node, (uint64_t)node + 1 };
}
static inline struct tree_range tree_children(uint32_t node, uint32_t n, uint32_t width) {
        return tree_below(tree_self(node), n, width);
}
static inline bool tree_empty(struct tree_range r) {
        return r.first >= r.end;
}
/* Returns the size of the subtree of node, including node. */
static inline uint32_t tree_size(uint32_t node, uint32_t n, uint32_t width) {
        uint64_t size = 0;

        for (struct tree_range r = tree_self(node); !tree_empty(r); r = tree_below(r, n, width))
                size += r.end - r.first;
        return (uint32_t)size;
}
