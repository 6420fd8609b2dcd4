/* Two binary trees over all ranks, each for half of the vector: nobody but the root is an inner
 * node of both, so that all links carry about the same. Ranks count from the root, position 0,
 * which has one child in each tree.
 *
 * In the first tree the lowest bit set of a position is its height: an odd position is a leaf, and
 * the children of another lie half that bit to its sides; where there is no position so far to the
 * right, the child is the nearest that is there. The second tree is the first one with positions
 * 1 ... N - 1 mirrored where N is odd, or shifted by one where it is even, either of which turns
 * leaves into inner nodes.
 */
#ifndef HEDDLE_COLLECTIVES_DOUBLE_TREE_H
#define HEDDLE_COLLECTIVES_DOUBLE_TREE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TREES = 2, TREE_CHILDREN = 2 };

/* The neighbors of a position in a tree. */
struct double_tree_place {
  uint32_t parent;   /* of the root: itself */
  uint32_t number;   /* which child of its parent it is */
  uint32_t children; /* how many */
  uint32_t height;   /* levels below it; of the root: of the tree */
  uint32_t child[TREE_CHILDREN];
};

struct double_tree_place double_tree_place_of(uint32_t ranks, uint32_t tree, uint32_t position);

#ifdef __cplusplus
}
#endif

#endif
