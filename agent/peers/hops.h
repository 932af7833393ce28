/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/peers/hops.h - the tree of a step's streams: the slumberd of srun's host is the root, and
 * nodes are numbered from 1 on (agent/common/tree.h)
 *
 * A step of no more nodes than the tree is wide has all of them at its root.  Hops are the
 * slumberds that are tried one after the other, the farthest last. */
#pragma once

#include "agent/common/tree.h"

/* a chain of slumberds is no tree, and each child costs a connection (PEERS_MAX in peers.c) */
#define HOPS_WIDTH_MAX 128u
static inline uint32_t hops_width(uint32_t tree_width) {
        return tree_width ? MIN(MAX(tree_width, 2u), HOPS_WIDTH_MAX) : 16;
}
/* Nodes between the root and number, itself included. */
static inline uint32_t hops_depth(uint32_t number, uint32_t width) {
        uint32_t depth = 0;

        for (; number; number = tree_parent(number, width))
                depth++;
        return depth;
}
/* From a node to the root: hop 0 is its parent, the last one the root (0). */
static inline uint32_t hops_up(uint32_t number, uint32_t hop, uint32_t width) {
        do
                number = number ? tree_parent(number, width) : 0;
        while (hop-- > 0);
        return number;
}
/* From above (a number, or 0 for the root) down to number: hop 0 is the child of above, the last
   one number itself; 0: number is not below it, or there is no such hop. */
static inline uint32_t hops_down(uint32_t above, uint32_t number, uint32_t hop, uint32_t width) {
        uint32_t depth = hops_depth(number, width), top = hops_depth(above, width);

        if (depth <= top + hop || (depth > top && hops_up(number, depth - top - 1, width) != above))
                return 0;
        for (uint32_t k = depth - top - hop - 1; k > 0; k--)
                number = tree_parent(number, width);
        return number;
}
