#include "platform/time/bandwidth.hpp"

namespace heddle {
namespace {

std::uint64_t reciprocal_q32(std::uint64_t bytes_per_second) {
  __extension__ using wide = unsigned __int128;
  if (bytes_per_second == 0) return 0;
  const wide scaled = (static_cast<wide>(fs_per_s) << 32) + bytes_per_second / 2;
  return static_cast<std::uint64_t>(scaled / bytes_per_second);
}

}  // namespace

bandwidth::bandwidth(std::uint64_t bytes_per_second)
    : bytes_per_second_(bytes_per_second), fs_per_byte_q32_(reciprocal_q32(bytes_per_second)) {}

}  // namespace heddle
