// What `heddle reproduce` prints: every claim as soon as it is known, with the row that is farthest
// from the source and, on request, all rows below it; why rows are off; how many claims and rows
// are ok at the end.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "platform/claims/claim_verdict.hpp"

namespace heddle {

class claim_table {
 public:
  claim_table(const std::vector<claim>& claims, bool shows_rows);  // prints the heading

  void add(const claim_verdict& verdict);
  void finish() const;

 private:
  void print_row(const std::string& name, const std::string& rows, const claim_row& row,
                 const std::string& verdict) const;

  const bool shows_rows_;
  int name_width_ = 0;
  std::map<std::string, std::size_t> claims_, rows_;  // by verdict
};

}  // namespace heddle
