#include "collectives/double_tree.h"

static uint32_t lowest_bit(uint32_t value) {
  return value & (~value + 1);
}

/* From a position to its place in the first tree, and back. */
static uint32_t into_first(uint32_t ranks, uint32_t tree, uint32_t position) {
  if (tree == 0 || position == 0) return position;
  return ranks % 2 != 0 ? ranks - position : position % (ranks - 1) + 1;
}

static uint32_t out_of_first(uint32_t ranks, uint32_t tree, uint32_t place) {
  if (tree == 0 || place == 0) return place;
  return ranks % 2 != 0 ? ranks - place : (place + ranks - 3) % (ranks - 1) + 1;
}

/* The root's only child: the largest power of two below the ranks. */
static uint32_t top_of(uint32_t ranks) {
  uint32_t top = 1;
  while (top < ranks - top) top *= 2;
  return top;
}

static uint32_t parent_of(uint32_t ranks, uint32_t place) {
  const uint32_t bit = lowest_bit(place);
  const uint32_t above = (place ^ bit) | bit << 1;
  return above < ranks ? above : place ^ bit;
}

/* 0: there is none on that side. */
static uint32_t child_of(uint32_t ranks, uint32_t place, uint32_t side) {
  uint32_t step = lowest_bit(place) >> 1;
  if (side == 0) return step == 0 ? 0 : place - step;
  while (step != 0 && place + step >= ranks) step >>= 1;
  return step == 0 ? 0 : place + step;
}

/* Levels below the lowest that is not full count, too: there the nearest place takes its parent's.
 */
static uint32_t height_of(uint32_t bit) {
  uint32_t height = 0;
  while (bit >> height > 1) ++height;
  return height;
}

struct double_tree_place double_tree_place_of(uint32_t ranks, uint32_t tree, uint32_t position) {
  const uint32_t place = into_first(ranks, tree, position);
  struct double_tree_place result = {0};
  if (ranks < 2) return result;
  if (place == 0) {
    result.children = 1;
    result.child[0] = out_of_first(ranks, tree, top_of(ranks));
    result.height = height_of(top_of(ranks)) + 1;
    return result;
  }
  const uint32_t parent = parent_of(ranks, place);
  result.parent = out_of_first(ranks, tree, parent);
  result.height = height_of(lowest_bit(place));
  result.number = parent != 0 && place > parent && child_of(ranks, parent, 0) != 0 ? 1 : 0;
  for (uint32_t side = 0; side < TREE_CHILDREN; ++side) {
    const uint32_t child = child_of(ranks, place, side);
    if (child != 0) result.child[result.children++] = out_of_first(ranks, tree, child);
  }
  return result;
}
