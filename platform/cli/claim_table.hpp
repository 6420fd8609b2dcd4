// What `heddle reproduce` prints: every row as soon as it is known; why rows are off once, below
// the last row of the claim that the reason could stand for; how many rows are ok at the end.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/claims/claim.hpp"

namespace heddle {

// "noc.barrier.hw-slope", or "noc.mcast.geomean 4 x 4" where a claim has several cases.
std::string row_name(const claim& of, const claim_case& one);

// Of the case, or else of the claim; "" where nothing is off.
const std::string& reason_of(const claim& of, const claim_case& one);

class claim_table {
 public:
  explicit claim_table(const std::vector<claim>& claims);  // prints the heading

  // Rows of a claim one after the other. `row` has the keys of `reproduce --json`.
  void add(const claim& of, std::size_t number, const nlohmann::ordered_json& row);
  void finish() const;

 private:
  int name_width_ = 0;
  std::size_t rows_ = 0, off_ = 0;
  std::map<std::string, std::size_t> off_for_;  // by reason, of the present claim
};

}  // namespace heddle
