#include "kernels/token_groups.h"

#include "drivers/dymultimem.h"
#include "hal/hal.h"

#define TOKENS_AT_ONCE DYMULTIMEM_BATCH

struct token_kernel {
  const struct token_layer* layer;
  struct token_hub* hub;
  struct dymultimem dy;
  uint32_t next; /* own token that is stored next */
};

static uint64_t vector_bytes(const struct token_layer* layer) {
  return 2 * (uint64_t)layer->hidden;
}

static uint64_t list_at(const struct token_layer* layer, uint32_t own) {
  const uint64_t count = sizeof(uint16_t); /* stands before the experts */
  return layer->lists + own * token_list_bytes(layer) + count;
}

static uint64_t address_of(const struct token_layer* layer, uint32_t own) {
  return layer->range + ((uint64_t)layer->number * layer->tokens + own) * vector_bytes(layer);
}

/* The groups, each a function that returns whether it has found work. It does a little at a time,
 * because the other groups wait meanwhile. */
static int dispatch_group(struct token_kernel* of) {
  const struct token_layer* layer = of->layer;
  uint16_t counts[TOKENS_AT_ONCE];
  const uint32_t left = layer->tokens - of->next;
  const uint32_t tokens = left < TOKENS_AT_ONCE ? left : TOKENS_AT_ONCE;
  if (tokens == 0 || dymultimem_room(&of->dy) < tokens) return 0;
  hal_read_block(counts, layer->list_counts + of->next * sizeof counts[0],
                 tokens * sizeof counts[0]);
  for (uint32_t i = 0; i < tokens; ++i, ++of->next)
    dymultimem_st(&of->dy, address_of(layer, of->next),
                  layer->inputs + of->next * vector_bytes(layer), counts[i],
                  list_at(layer, of->next));
  return 1;
}

/* Second GEMMs first: they let tokens go. */
static int gemm_groups(struct token_kernel* of) {
  enum token_ready step = TOKEN_READY_GEMM2;
  uint32_t row = token_hub_pop(of->hub, step);
  if (row == TOKEN_NONE_READY) {
    step = TOKEN_READY_GEMM1;
    row = token_hub_pop(of->hub, step);
  }
  if (row == TOKEN_NONE_READY) return 0;
  token_hub_issue_row(of->hub, step, row);
  return 1;
}

static int combine_group(struct token_kernel* of) {
  const struct token_layer* layer = of->layer;
  if (dymultimem_room(&of->dy) < TOKENS_AT_ONCE) return 0;
  uint32_t found = 0;
  for (; found < TOKENS_AT_ONCE; ++found) {
    const uint32_t ready = token_hub_pop(of->hub, TOKEN_READY_TOKEN);
    if (ready == TOKEN_NONE_READY) break;
    const uint32_t own = TOKEN_NUMBER(ready);
    dymultimem_ld_reduce(&of->dy, layer->results + own * vector_bytes(layer),
                         address_of(layer, own), TOKEN_TARGETS(ready), list_at(layer, own));
  }
  return found > 0;
}

enum status token_groups_run(struct token_hub* hub, uint64_t at, const struct token_layer* layer) {
  struct token_kernel of = {.layer = layer, .hub = hub};
  int is_done = 0;
  enum status status = dymultimem_open(&of.dy, layer->commands, layer->command_entries);
  if (status != STATUS_OK) return status;
  token_hub_start(hub, at);
  token_hub_tell_ready(hub, 1);
  while (status == STATUS_OK && !is_done) {
    const int has_combined = combine_group(&of), has_issued = gemm_groups(&of);
    const int has_dispatched = dispatch_group(&of);
    dymultimem_flush(&of.dy);
    if (has_combined || has_issued || has_dispatched) continue;
    /* Rows, tokens, or an empty ring: whatever comes meanwhile keeps the interrupt up. */
    hal_wait_for_interrupt();
    status = token_hub_progress(hub, &is_done);
  }
  token_hub_tell_ready(hub, 0);
  return status;
}
