#include "collectives/mesh_lines.h"

#include "hal/hal.h"
#include "regs/network_interface_regs.h"

/* Whom the merged writes of barriers come from. */
static void set_mask(const struct mesh* mesh) {
  if (mesh->has_masks) {
    hal_write64(mesh->registers + NETWORK_INTERFACE_MASK, mesh_everybody(mesh));
  }
}

static void take(struct mesh* mesh, const struct mesh_shape* shape) {
  mesh->base = shape->base;
  mesh->columns = shape->columns;
  mesh->rows = shape->rows;
  mesh->x = shape->x;
  mesh->y = shape->y;
  mesh->boot.ranks = shape->columns * shape->rows;
  mesh->boot.rank = shape->y * shape->columns + shape->x;
  mesh->grid.memory = shape->memory;
  set_mask(mesh);
}

enum status mesh_enter_lines(struct mesh* mesh, uint32_t lines) {
  const struct mesh_shape whole = {
      .base = mesh->base,
      .memory = mesh->grid.memory,
      .columns = mesh->columns,
      .rows = mesh->rows,
      .x = mesh->x,
      .y = mesh->y,
  };
  struct mesh_shape line = whole;
  line.memory = 0;
  switch (lines) {
    case BOOT_WHOLE_MESH:
      return STATUS_OK;
    case BOOT_ROWS:
      line.base = mesh_tile(mesh, 0, mesh->y);
      line.rows = 1;
      line.y = 0;
      break;
    case BOOT_COLUMNS:
      line.base = mesh_tile(mesh, mesh->x, 0);
      line.columns = 1;
      line.x = 0;
      break;
    default:
      hal_log("mesh: no such lines", lines);
      return STATUS_BAD_JOB;
  }
  mesh->whole = whole;
  mesh->lines = lines;
  take(mesh, &line);
  return STATUS_OK;
}

void mesh_leave_lines(struct mesh* mesh) {
  if (mesh->lines == BOOT_WHOLE_MESH) return;
  mesh->lines = BOOT_WHOLE_MESH;
  take(mesh, &mesh->whole);
}
