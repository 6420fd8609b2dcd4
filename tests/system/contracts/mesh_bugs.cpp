// What the contracts say of the bugs of mesh_bugs.c.
#include "tests/system/contracts/planted_bugs.hpp"

namespace heddle {

bug_file mesh_bugs() {
  return {"mesh_bugs.c",
          {{130, "tile[0].dma still reads it (source of its operation, since"},
           {131, "tile[0].dma still writes it (destination of its operation, since"},
           {132, "tile[0].dma still writes it (destination of its operation, since"},
           {133, "tile[0].dma has not completed what it writes there"},
           {134, "ends while tile[0].dma is at work"},
           {135, "tile[0].dma still writes it (destination of its operation, since"}}};
}

}  // namespace heddle
