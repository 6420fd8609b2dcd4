// The receive buffers of all flit ports of a run, in pages that are there once they are touched: a
// mesh takes memory for the buffers that flits have been in.
#pragma once

#include <cstddef>
#include <vector>

#include "transactors/flit/flit.hpp"

namespace heddle {

class flit_buffers {
 public:
  static constexpr std::size_t most_cells = std::size_t{1} << 16;

  flit_buffers() = default;
  ~flit_buffers();
  flit_buffers(const flit_buffers&) = delete;
  flit_buffers& operator=(const flit_buffers&) = delete;

  // A buffer of at most most_cells, in cache lines of its own. Lives as long as this.
  flit* take(std::size_t cells);

 private:
  static constexpr std::size_t block_bytes = 2 * most_cells * sizeof(flit);

  std::vector<std::byte*> blocks_;
  std::size_t used_ = block_bytes;  // bytes of the latest block
};

}  // namespace heddle
