// What a run costs in energy: units enter what they count and what each of it takes, by the name of
// the primitive operation that it is. The total of a run is a sum over the book.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/unit/statistic.hpp"

namespace heddle {

struct energy_entry {
  std::string unit;       // path
  std::string primitive;  // "hop"
  quantity what = quantity::count;
  const statistic* count = nullptr;
  std::uint64_t each = 1;  // operations or bytes that one of the count stands for
  double picojoules = 0;   // of an operation or a byte
  double joules() const { return 1e-12 * picojoules * static_cast<double>(count->raw() * each); }
};

// All entries of one primitive together.
struct energy_share {
  std::string primitive;
  quantity what = quantity::count;  // or bytes
  std::uint64_t count = 0;
  double joules = 0;
};
using energy_shares = std::vector<energy_share>;

double total_joules(const energy_shares& shares);
// What came on top since `before`, another time of the same book.
energy_shares difference(const energy_shares& now, const energy_shares& before);

// One per run: simulation::service<energy_book>().
class energy_book {
 public:
  void enter(energy_entry entry) { entries_.push_back(std::move(entry)); }
  const std::vector<energy_entry>& entries() const { return entries_; }
  energy_shares shares() const;  // in the order in which primitives were entered first

 private:
  std::vector<energy_entry> entries_;
};

}  // namespace heddle
