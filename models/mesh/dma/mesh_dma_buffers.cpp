// What the engine owns in its tile's memory while transfers are queued or under way, as far as it
// lies there: the source of a transfer until it is handed over, the destination until it has
// completed.
#include "models/mesh/dma/mesh_dma.hpp"

namespace heddle {
namespace {

std::uint64_t work_of(buffer_use use, std::uint32_t number) {
  return 2 * std::uint64_t{number} + (use == buffer_use::destination ? 1 : 0);
}

}  // namespace

void mesh_dma::own(const transfer& started) {
  if (!buffers_.begin(regs_.start.cell())) return;
  const auto take = [&](buffer_use use, std::uint64_t address) {
    if (is_local(address)) buffers_.take(use, address, started.bytes, work_of(use, started.number));
  };
  take(buffer_use::source, started.source);
  take(buffer_use::destination, started.destination);
}

void mesh_dma::disown(buffer_use use, const transfer& of) {
  const std::uint64_t work = work_of(use, of.number);
  buffers_.release(work, work);
}

void mesh_dma::disown_all() {
  buffers_.release(0, UINT64_MAX);
}

}  // namespace heddle
