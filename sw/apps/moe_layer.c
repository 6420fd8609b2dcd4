/* Runs the mixture-of-experts layers that the platform posts, one after the other: binds the blocks
 * of this GPU's experts to the range of tokens, and lets the hub do the layer, or plays the groups
 * of its kernel. */
#include "drivers/boot_block.h"
#include "drivers/dymulticast.h"
#include "drivers/token_hub.h"
#include "hal/hal.h"
#include "kernels/token_groups.h"

/* What the platform has laid out, as the runtime's calls name it. The result is the same layer. */
static enum dymulticast_error bind_layer(struct dymulticast* object, struct token_layer* layer) {
  uint32_t nactive[TOKEN_MOST_BLOCKS]; /* each chunk's blocks in turn */
  const uint32_t blocks = layer->chunks * layer->experts_per_gpu;
  if (blocks > TOKEN_MOST_BLOCKS) return DYMULTICAST_BAD_COUNT;
  hal_read_block(nactive, layer->counts, blocks * sizeof nactive[0]);
  const struct dymulticast_property property = {2 * layer->hidden, DYMULTICAST_STAGES};
  enum dymulticast_error error = dymulticast_create(object, property);
  for (uint32_t gpu = 0; gpu < layer->gpus && error == DYMULTICAST_OK; ++gpu)
    error = dymulticast_add_device(object, gpu);
  const struct dymulticast_memory in = {layer->experts_in, layer->experts_out - layer->experts_in};
  const struct dymulticast_memory out = {layer->experts_out, in.bytes};
  const uint32_t ntoken = layer->gpus * layer->tokens;
  if (error == DYMULTICAST_OK)
    error = dymulticast_bind(object, 0, ntoken, in, nactive, blocks, DYMULTICAST_DISPATCH);
  if (error == DYMULTICAST_OK)
    error = dymulticast_bind(object, 0, ntoken, out, nactive, blocks, DYMULTICAST_COMBINE);
  if (error == DYMULTICAST_OK) error = dymulticast_map(object, layer->range, layer);
  /* A block of the object is one of an expert in a chunk; the layer counts experts alone. */
  if (error == DYMULTICAST_OK) layer->experts_per_gpu = blocks / layer->chunks;
  return error;
}

static enum status run_layer(struct token_hub* hub, uint64_t at, uint32_t number) {
  struct dymulticast object;
  struct token_layer layer;
  hal_read_block(&layer, at, sizeof layer);
  if (layer.traffic == TOKEN_MULTICAST) {
    const enum dymulticast_error error = bind_layer(&object, &layer);
    if (error != DYMULTICAST_OK) {
      hal_log(dymulticast_error_name(error), (uint64_t)error);
      return STATUS_BAD_JOB;
    }
    hal_write_block(at, &layer, sizeof layer);
  }
  hal_mark(HAL_MARK_START, number);
  const enum status status = layer.groups == TOKEN_GROUPS_FIRMWARE
                                 ? token_groups_run(hub, at, &layer)
                                 : token_hub_run(hub, at);
  if (status == STATUS_OK) hal_mark(HAL_MARK_END, number);
  return status;
}

int main(void) {
  struct boot_block boot;
  struct token_hub hub;
  enum status status = boot_open(&boot);
  if (status == STATUS_NO_PART) return 0;
  if (status == STATUS_OK) token_hub_open(&hub);
  while (status == STATUS_OK) {
    const uint32_t number = hal_next_job();
    if (number == HAL_NO_JOB) break;
    status = run_layer(&hub, boot.job, number);
  }
  if (status != STATUS_OK) hal_log(status_name(status), (uint64_t)status);
  return (int)status;
}
