// A file's bytes as libelf sees them.
#pragma once

#include <gelf.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace heddle {

struct close_elf {
  void operator()(Elf* open) const { elf_end(open); }
};
using open_elf = std::unique_ptr<Elf, close_elf>;

// nullptr when this is no ELF file. The bytes must stay where they are.
inline open_elf open_elf_bytes(const std::vector<std::byte>& content) {
  elf_version(EV_CURRENT);
  // libelf takes a pointer to non-const and writes only where it was told to.
  auto* bytes = reinterpret_cast<char*>(const_cast<std::byte*>(content.data()));
  return open_elf(elf_memory(bytes, content.size()));
}

}  // namespace heddle
