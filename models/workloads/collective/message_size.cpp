#include "models/workloads/collective/message_size.hpp"

#include <algorithm>

namespace heddle {

// Four pieces a chunk overlap sending and reducing. Below 32 KiB the firmware's work for a piece
// takes longer than the piece; above 512 KiB filling the pipeline does.
std::uint64_t piece_of_ring(std::uint64_t ranks, std::uint64_t bytes) {
  constexpr std::uint64_t line_bytes = 64, smallest = 32 * 1024, largest = 512 * 1024;
  const std::uint64_t quarter = std::clamp(bytes / ranks / 4, smallest, largest);
  return (quarter + line_bytes - 1) / line_bytes * line_bytes;
}

std::uint64_t message_size(const collective_algorithm& algorithm, const collective_case& job,
                           const link_directory& net) {
  return algorithm.message ? algorithm.message(job, net) : piece_of_ring(job.ranks, job.bytes);
}

}  // namespace heddle
