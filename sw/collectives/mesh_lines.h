/* Rows or columns that have a collective each, at the same time: for that long a line is the mesh
 * that the collectives know. Lines share no link, because a copy to a tile in the same line stays
 * in it.
 */
#ifndef HEDDLE_COLLECTIVES_MESH_LINES_H
#define HEDDLE_COLLECTIVES_MESH_LINES_H

#include <stdint.h>

#include "collectives/mesh_tiles.h"

#ifdef __cplusplus
extern "C" {
#endif

/* From here on the collectives take a line for the mesh, and then again the mesh. */
enum status mesh_enter_lines(struct mesh* mesh, uint32_t lines);
void mesh_leave_lines(struct mesh* mesh);

#ifdef __cplusplus
}
#endif

#endif
