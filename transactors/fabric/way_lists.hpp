// The lists of equal ways of a fabric, each kept once.
//
// Ways to different neighbors come before parallel links to one of them, and a way has as many
// shares as its weight says, evenly among the others. Which digit of a key chooses from a list
// depends on the tier of its links, their distance from the nearest endpoint: what a lower tier has
// chosen by does not choose again further up, and the two ends of a bundle of parallel links choose
// the same wire (Zahavi, D-Mod-K routing, 2010).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "transactors/fabric/route_book.hpp"

namespace heddle {

struct weighted_way {
  std::uint32_t entry;   // a single one
  const void* neighbor;  // where it leads
  std::uint32_t weight;
};

class way_lists {
 public:
  explicit way_lists(route_book& book) : book_(book) {}

  // Entry for ways to neighbors of a unit; the same ways make the same list. `tier` counts from 0.
  std::uint32_t entry_of(const std::vector<weighted_way>& ways, std::uint32_t unit,
                         std::uint32_t tier);
  // Entry for ways to the destination itself.
  std::uint32_t last_entry_of(const std::vector<weighted_way>& ways, std::uint32_t unit);
  // Entry for a source with several ports, which counts blocks of addresses by itself.
  std::uint32_t source_entry_of(const std::vector<weighted_way>& ways, std::uint32_t unit);

  // When all lists are there: states which digit of the key each of them takes.
  void set_divisors();

 private:
  struct shape {
    std::uint32_t tier;  // `no_tier` for those that take the lowest digit
    std::uint32_t neighbors;
  };
  static constexpr std::uint32_t no_tier = UINT32_MAX;

  std::uint32_t add(const std::vector<weighted_way>& ways, std::uint32_t unit, shape of,
                    bool is_last);

  route_book& book_;
  std::vector<shape> shapes_;  // by list
  std::uint32_t most_of_source_ = 1;
  struct hash {
    std::size_t operator()(const std::vector<std::uint32_t>& key) const;
  };
  std::unordered_map<std::vector<std::uint32_t>, std::uint32_t, hash> known_;
};

}  // namespace heddle
