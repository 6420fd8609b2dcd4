#include "drivers/dymulticast.h"

#define MOST_DEVICES 64u
#define ADDRESS_BITS 48u

static uint32_t devices_of(const struct dymulticast* object) {
  uint32_t count = 0;
  for (uint64_t left = object->devices; left != 0; left &= left - 1) ++count;
  return count;
}

/* From 0 on without a gap. */
static int are_in_turn(uint64_t devices) {
  return (devices & (devices + 1)) == 0;
}

enum dymulticast_error dymulticast_create(struct dymulticast* object,
                                          struct dymulticast_property property) {
  if (property.bsize == 0 || property.bsize % 2 != 0 || property.stages != DYMULTICAST_STAGES)
    return DYMULTICAST_BAD_PROPERTY;
  const struct dymulticast empty = {0};
  *object = empty;
  object->property = property;
  return DYMULTICAST_OK;
}

enum dymulticast_error dymulticast_add_device(struct dymulticast* object, uint32_t device) {
  if (object->is_mapped) return DYMULTICAST_MAPPED;
  if (device >= MOST_DEVICES || (object->devices >> device & 1) != 0) return DYMULTICAST_BAD_DEVICE;
  object->devices |= UINT64_C(1) << device;
  return DYMULTICAST_OK;
}

enum dymulticast_error dymulticast_bind(struct dymulticast* object, uint64_t offset,
                                        uint32_t ntoken, struct dymulticast_memory memory,
                                        const uint32_t* nactive, uint32_t experts, uint32_t stage) {
  if (object->is_mapped) return DYMULTICAST_MAPPED;
  if (stage >= DYMULTICAST_STAGES) return DYMULTICAST_BAD_STAGE;
  if (object->is_bound[stage]) return DYMULTICAST_BOUND;
  const uint64_t bsize = object->property.bsize;
  const uint64_t end = offset + ntoken * bsize;
  if (offset % bsize != 0 || end < offset || end >> ADDRESS_BITS != 0)
    return DYMULTICAST_BAD_OFFSET;
  uint64_t active = 0;
  for (uint32_t i = 0; i < experts; ++i) {
    if (nactive[i] > ntoken) return DYMULTICAST_BAD_COUNT;
    active += nactive[i];
  }
  const uint32_t other = 1 - stage;
  const int is_second = object->is_bound[other] != 0;
  if (is_second && (object->active[other] != active || object->experts != experts))
    return DYMULTICAST_BAD_COUNT;
  if (is_second && (object->offset != offset || object->ntoken != ntoken))
    return DYMULTICAST_BAD_OFFSET;
  if (active > memory.bytes / bsize) return DYMULTICAST_NO_ROOM;
  object->offset = offset;
  object->ntoken = ntoken;
  object->experts = experts;
  object->active[stage] = active;
  object->pointers[stage] = memory.pointer;
  object->is_bound[stage] = 1;
  return DYMULTICAST_OK;
}

enum dymulticast_error dymulticast_map(struct dymulticast* object, uint64_t range,
                                       struct token_layer* layer) {
  if (object->is_mapped) return DYMULTICAST_MAPPED;
  const uint32_t devices = devices_of(object);
  if (devices < 2 || !object->is_bound[DYMULTICAST_DISPATCH] ||
      !object->is_bound[DYMULTICAST_COMBINE])
    return DYMULTICAST_NOT_BOUND;
  if (!are_in_turn(object->devices)) return DYMULTICAST_BAD_DEVICE;
  if (object->ntoken % devices != 0) return DYMULTICAST_BAD_COUNT;
  layer->gpus = devices;
  layer->experts_per_gpu = object->experts;
  layer->hidden = object->property.bsize / 2;
  layer->tokens = object->ntoken / devices;
  layer->range = range + object->offset;
  layer->experts_in = object->pointers[DYMULTICAST_DISPATCH];
  layer->experts_out = object->pointers[DYMULTICAST_COMBINE];
  object->is_mapped = 1;
  return DYMULTICAST_OK;
}

const char* dymulticast_error_name(enum dymulticast_error error) {
  /* Rows of characters, not pointers: a table of pointers is not constant. */
  static const char names[][40] = {
      [DYMULTICAST_OK] = "dymulticast: ok",
      [DYMULTICAST_BAD_PROPERTY] = "dymulticast: bad property",
      [DYMULTICAST_BAD_DEVICE] = "dymulticast: bad device",
      [DYMULTICAST_BAD_STAGE] = "dymulticast: bad stage",
      [DYMULTICAST_BAD_OFFSET] = "dymulticast: bad offset",
      [DYMULTICAST_BAD_COUNT] = "dymulticast: bad count of tokens",
      [DYMULTICAST_NO_ROOM] = "dymulticast: no room",
      [DYMULTICAST_BOUND] = "dymulticast: bound already",
      [DYMULTICAST_NOT_BOUND] = "dymulticast: not bound",
      [DYMULTICAST_MAPPED] = "dymulticast: is mapped",
  };
  const unsigned index = (unsigned)error;
  return index < sizeof names / sizeof names[0] ? names[index] : "dymulticast: unknown error";
}
