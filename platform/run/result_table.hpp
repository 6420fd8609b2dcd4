// The table of collectives: printed line by line while the run goes on, kept for summary.txt.
#pragma once

#include <string>

#include "platform/workload/workload_result.hpp"

namespace heddle {

class result_table {
 public:
  explicit result_table(bool is_quiet) : is_quiet_(is_quiet) {}

  void add(const workload_result& result);
  const std::string& text() const { return text_; }

 private:
  void put(const std::string& line);

  bool is_quiet_;
  std::string text_;
};

}  // namespace heddle
