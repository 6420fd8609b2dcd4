#include "collectives/fold.h"

struct fold fold_of(uint32_t ranks) {
  struct fold fold = {.ranks = ranks, .ids = 1};
  while (fold.ids <= ranks / 2) fold.ids *= 2;
  fold.pairs = ranks - fold.ids;
  return fold;
}

uint32_t fold_first_rank(const struct fold* fold, uint32_t id) {
  return id < fold->pairs ? 2 * id : id + fold->pairs;
}

uint32_t fold_rank(const struct fold* fold, uint32_t id) {
  return id < fold->pairs ? 2 * id + 1 : id + fold->pairs;
}

uint32_t fold_id(const struct fold* fold, uint32_t rank) {
  return rank < 2 * fold->pairs ? rank / 2 : rank - fold->pairs;
}

int fold_takes_part(const struct fold* fold, uint32_t rank) {
  return rank >= 2 * fold->pairs || rank % 2 == 1;
}
