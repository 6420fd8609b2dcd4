#include "models/cpu/rv_core/shared_variables.hpp"

#include <algorithm>

#include "models/cpu/rv/hart_bus.hpp"

namespace heddle {

void shared_variables::add(std::uint64_t value) {
  if (holds(value)) return;
  const elf_symbol* const object = program_.object_at(value);
  if (!object) return;
  known_.push_back(object);
  constexpr std::uint64_t page = rv::hart_bus::page_bytes;
  const std::uint64_t end = object->address + object->bytes;
  for (std::uint64_t at = object->address / page * page; at < end; at += page)
    hart_.watch_stores(at);
}

bool shared_variables::holds(std::uint64_t address) const {
  return std::any_of(known_.begin(), known_.end(), [address](const elf_symbol* each) {
    return address - each->address < each->bytes;
  });
}

}  // namespace heddle
