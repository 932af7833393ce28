/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/peers/hops.h - the tree of a step's streams: the root is the slumberd of srun's host, nodes
 * are numbered from 1 (agent/common/tree.h)
 *
 * In a step of no more nodes than the tree's width all nodes are children of the root. Hops are the
 * slumberds on a path that are tried in turn, the farthest last. */
#pragma once

#include "agent/common/tree.h"

/* The minimum 2 avoids a chain; each child costs a connection (PEERS_MAX in peers.c). */
#define HOPS_WIDTH_MAX 128u
static inline uint32_t hops_width(uint32_t tree_width) {
        return tree_width ? MIN(MAX(tree_width, 2u), HOPS_WIDTH_MAX) : 16;
}
/* Number of nodes on the path from the root to number, including number. */
static inline uint32_t hops_depth(uint32_t number, uint32_t width) {
        uint32_t depth = 0;

        for (; number; number = tree_parent(number, width))
                depth++;
        return depth;
}
/* Path from a node to the root: hop 0 is the parent, the last hop the root (0). */
static inline uint32_t hops_up(uint32_t number, uint32_t hop, uint32_t width) {
        do
                number = number ? tree_parent(number, width) : 0;
        while (hop-- > 0);
        return number;
}
/* Path from above (0: the root) down to number: hop 0 is a child of above, the last hop number.
   0: number is not below above, or no such hop. */
static inline uint32_t hops_down(uint32_t above, uint32_t number, uint32_t hop, uint32_t width) {
        uint32_t depth = hops_depth(number, width), top = hops_depth(above, width);

        if (depth <= top + hop || (depth > top && hops_up(number, depth - top - 1, width) != above))
                return 0;
        for (uint32_t k = depth - top - hop - 1; k > 0; k--)
                number = tree_parent(number, width);
        return number;
}
