// Whatever the bytes, the .npy reader either returns an array that is consistent and that the
// writer's preamble reproduces, or throws user_error.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "platform/tensor/npy.hpp"
#include "platform/text/diagnostic.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

std::size_t bytes_of(const heddle::npy_array& array) {
  std::size_t bytes = heddle::size_of(array.type);
  for (const std::size_t dimension : array.shape) bytes *= dimension;
  return bytes;
}

void check_round_trip(const heddle::npy_array& array) {
  const std::string preamble = heddle::npy_preamble(array.type, array.shape);
  const auto* begin = reinterpret_cast<const std::byte*>(preamble.data());
  std::vector<std::byte> file(begin, begin + preamble.size());
  require(file.size() % 64 == 0);
  file.insert(file.end(), array.data.begin(), array.data.end());
  const heddle::npy_array again = heddle::parse_npy(file.data(), file.size(), "again", array.type);
  require(again.shape == array.shape && again.data == array.data);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  for (const heddle::dtype wanted :
       {heddle::dtype::fp16, heddle::dtype::bf16, heddle::dtype::fp32, heddle::dtype::int32}) {
    try {
      const heddle::npy_array array = heddle::parse_npy(bytes, size, "input", wanted);
      require(array.type == wanted && array.data.size() == bytes_of(array));
      check_round_trip(array);
    } catch (const heddle::user_error& error) {
      require(std::string(error.what()).rfind("input: byte ", 0) == 0);
    }
  }
  return 0;
}
