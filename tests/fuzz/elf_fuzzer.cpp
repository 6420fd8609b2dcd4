// Whatever the bytes, the ELF loader either returns an image that is consistent, or throws
// user_error. Line tables are left to libdw, which is not instrumented: symbols alone are asked
// for.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "models/cpu/elf/elf_image.hpp"
#include "platform/text/diagnostic.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::byte> content(size);
  if (size > 0) std::memcpy(content.data(), data, size);
  try {
    const heddle::elf_image image = heddle::elf_image::parse(std::move(content), "input");
    require(image.xlen() == 32 || image.xlen() == 64);
    require(!image.segments().empty());
    for (const heddle::elf_segment& each : image.segments()) {
      require(each.bytes.size() <= size);
      require(each.zeros <= heddle::elf_image::most_segment_bytes);
    }
    for (const heddle::elf_symbol& each : image.symbols()) require(!each.name.empty());
  } catch (const heddle::user_error& error) {
    require(std::string(error.what()).rfind("input: ", 0) == 0);
  }
  return 0;
}
