#include "tests/system/contracts/planted_bugs.hpp"

namespace heddle {

const std::vector<bug_file>& planted_bugs() {
  static const std::vector<bug_file> all = {dma_bugs(),   vector_bugs(), multimem_bugs(),
                                            isa_bugs(),   gather_bugs(), mesh_bugs(),
                                            buffer_bugs()};
  return all;
}

}  // namespace heddle
