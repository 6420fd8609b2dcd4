// A parameter that is a list of counts: "sides: [8, 8, 8]". One count may be written without
// brackets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/unit/parameter.hpp"

namespace heddle {

class count_list_parameter final : public parameter_base {
 public:
  // `range` is of each count; at most `most` of them.
  count_list_parameter(parameter_set& owner, const char* name, std::vector<std::uint64_t> fallback,
                       bounds<std::uint64_t> range, std::size_t most, const char* meaning,
                       const char* source);

  const std::vector<std::uint64_t>& operator()() const { return counts_; }

  std::string kind() const override { return "list of counts"; }
  std::string range() const override;
  std::string text() const override;  // "[8, 8, 8]"

 protected:
  void parse(const yaml_node& node) override;

 private:
  std::vector<std::uint64_t> counts_;
  bounds<std::uint64_t> range_;
  std::size_t most_;
};

}  // namespace heddle
