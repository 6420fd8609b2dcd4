// The table of a workload's jobs: printed line by line while the run goes on, kept for summary.txt.
#pragma once

#include <string>
#include <vector>

#include "platform/workload/workload_result.hpp"

namespace heddle {

class result_table {
 public:
  // Several algorithms, or what `auto` chooses for each size, have a column; a single one stands in
  // the heading. The remark is a line below the heading; may be "".
  result_table(bool is_quiet, std::vector<std::string> algorithms, std::string remark)
      : is_quiet_(is_quiet), algorithms_(std::move(algorithms)), remark_(std::move(remark)) {}

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
  std::string remark_;
  std::string text_;
  std::size_t size_width_ = 10;
};

}  // namespace heddle
