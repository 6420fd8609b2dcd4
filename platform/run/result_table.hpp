// The table of collectives: printed line by line while the run goes on, kept for summary.txt.
#pragma once

#include <string>
#include <vector>

#include "platform/workload/workload_result.hpp"

namespace heddle {

class result_table {
 public:
  explicit result_table(bool is_quiet) : is_quiet_(is_quiet) {}

  // Several algorithms, or what firmware chooses for each size, have a column; a single one stands
  // in the heading.
  void expect(std::vector<std::string> algorithms, std::string remark) {
    algorithms_ = std::move(algorithms);
    remark_ = std::move(remark);
  }
  void add(const workload_result& result);
  const std::string& text() const { return text_; }

 private:
  void put(const std::string& line);
  void put_heading(const workload_result& first);
  bool has_auto() const;
  bool has_algorithms() const;
  std::string algorithm_cell(const std::string& text) const;

  bool is_quiet_;
  std::vector<std::string> algorithms_;
  std::string remark_;  // a line below the heading
  std::string text_;
};

}  // namespace heddle
