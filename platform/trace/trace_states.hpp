// The names of an enumeration's values in order from 0, so that a state is traced by its index and
// no string is built while the simulation runs.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle {

class trace_states {
 public:
  trace_states() = default;
  trace_states(std::initializer_list<std::string_view> names) {
    for (std::string_view name : names) names_.emplace_back(name);
  }
  explicit trace_states(std::vector<std::string> names) : names_(std::move(names)) {}

  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

}  // namespace heddle
