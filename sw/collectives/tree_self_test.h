/* The self-test of the planned tree, whose groups have just been programmed: a packet there and
 * back. It is a reduction: a tree with a switch that only copies is not tested.
 */
#ifndef HEDDLE_TREE_SELF_TEST_H
#define HEDDLE_TREE_SELF_TEST_H

#include <stdint.h>

#include "collectives/tree_state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* BOOT_REPORT_SELF_TEST where the packet does not come back. */
enum boot_report tree_test(const struct tree_manager* m, uint32_t tree);

#ifdef __cplusplus
}
#endif

#endif
