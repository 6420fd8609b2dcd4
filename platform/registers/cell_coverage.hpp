// What has happened to one register of one instance, counted only in runs that ask for coverage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/registers/register_description.hpp"

namespace heddle {

class cell_coverage {
 public:
  explicit cell_coverage(const register_description& of) : of_(of), seen_(of.fields.size()) {
    for (std::size_t i = 0; i < seen_.size(); ++i) seen_[i].resize(of.fields[i].values.size());
    hold(of.reset);
  }

  std::uint64_t reads = 0, writes = 0;  // of the bus

  // What the hardware shows: fields that nobody writes.
  void hold(std::uint64_t value) { note(value, ~std::uint64_t{0}, false); }
  void read(std::uint64_t value) {
    ++reads;
    hold(value);
  }
  // What firmware writes; `enabled` has a one at each bit of the access.
  void write(std::uint64_t data, std::uint64_t enabled) {
    ++writes;
    note(data, enabled, true);
  }

  bool has_seen(std::size_t field, std::size_t value) const { return seen_[field][value]; }

 private:
  void note(std::uint64_t value, std::uint64_t enabled, bool is_written) {
    for (std::size_t f = 0; f < seen_.size(); ++f) {
      const field_description& field = of_.fields[f];
      if (is_writable(field.access) != is_written || (field.mask() & enabled) == 0) continue;
      const std::uint64_t bits = (value & field.mask()) >> field.low;
      for (std::size_t v = 0; v < seen_[f].size(); ++v)
        if (field.values[v].value == bits) seen_[f][v] = true;
    }
  }

  const register_description& of_;
  std::vector<std::vector<bool>> seen_;  // by field and named value
};

}  // namespace heddle
