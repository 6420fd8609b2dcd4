/* Driver of the middle pipes of a top-of-rack switch: what the control plane programs before each
 * kernel (NetSparse 6.2.2). */
#ifndef HEDDLE_TOR_H
#define HEDDLE_TOR_H

#include <stdint.h>

#include "drivers/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tor_kernel {
  uint32_t number;      /* of the kernel, as its requests carry it */
  uint32_t length;      /* bytes of a property; longer than 512: not cached */
  uint32_t is_enabled;  /* else packets of gathers are forwarded like others */
  uint32_t caches;      /* with the property cache */
  uint32_t inserts_all; /* also responses of hosts at this switch */
  uint32_t delay;       /* cycles for which a request waits for others */
};

/* Programs the switch whose registers begin there and empties its cache. */
enum status tor_set_kernel(uint64_t registers, const struct tor_kernel* kernel,
                           uint64_t timeout_ns);

#ifdef __cplusplus
}
#endif

#endif
