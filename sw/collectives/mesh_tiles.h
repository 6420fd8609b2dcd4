/* A mesh of tiles as the firmware of one tile sees it: which rank it is, where the windows of the
 * others are, and copies between them. Rank r is the tile in column r mod columns of row
 * r / columns.
 */
#ifndef HEDDLE_COLLECTIVES_MESH_TILES_H
#define HEDDLE_COLLECTIVES_MESH_TILES_H

#include <stdint.h>

#include "drivers/mesh_dma.h"
#include "drivers/status.h"
#include "drivers/vector.h"
#include "hal/boot.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The tiles of a collective, and where in them this rank is. */
struct mesh_shape {
  uint64_t base;   /* window of the first */
  uint64_t memory; /* memory tile of row 0; 0: there is none */
  uint32_t columns, rows;
  uint32_t x, y;
};

struct mesh {
  struct boot_block boot; /* rank and ranks are those of a line while there are lines */
  struct boot_mesh grid;
  uint64_t registers; /* of the network interface */
  struct mesh_dma dma;
  struct vector vector;
  uint64_t base;      /* window of rank 0, of the line */
  uint64_t alias;     /* added to an address: the access is part of a collective */
  uint64_t tile_size; /* from one rank's window to the next */
  uint32_t columns, rows;
  uint32_t x, y;           /* of this rank */
  int has_masks;           /* both sides of the mesh are powers of two: masks can name tiles */
  uint32_t pitch;          /* tiles from a row of the mesh to the next */
  uint32_t lines;          /* enum boot_lines: what the collectives take for the mesh */
  struct mesh_shape whole; /* the mesh, while that is not all of it */
  uint32_t barriers[BOOT_COLUMNS + 1]; /* in software, by enum boot_lines */
  enum status barrier_status;          /* STATUS_TIMEOUT once a rank did not come to one */
};

enum status mesh_open(struct mesh* mesh);

/* Window of the rank in that column and row. */
uint64_t mesh_tile(const struct mesh* mesh, uint32_t x, uint32_t y);
/* Mask that names all ranks. */
uint64_t mesh_everybody(const struct mesh* mesh);

/* Copies and waits until the copy is there. */
enum status mesh_copy(struct mesh* mesh, uint64_t destination, uint64_t source, uint64_t bytes);
/* Copies to this tile and waits until the last beat has left the engine: it is in the memory. */
enum status mesh_fetch(struct mesh* mesh, uint64_t destination, uint64_t source, uint64_t bytes);
/* Waits until whoever leaves the next barrier finds what this tile has sent. Where the platform
 * says that barriers do not overtake data (BOOT_JOB_ORDERED), that is when the last beat has left
 * the engine, as in the source's runtime (snrt_dma_wait_all of pulp-platform/snitch_cluster): a
 * barrier passes rank 0, no sooner than the beat, which goes straight to its destination. Elsewhere
 * it is when the answer is here. */
enum status mesh_wait_sent(const struct mesh* mesh, const struct boot_job* job);

#ifdef __cplusplus
}
#endif

#endif
