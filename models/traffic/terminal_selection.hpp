// Terminals by name, as a netlist writes them: globs with weights, `node[*], node[3]:9`. A list of
// YAML is read likewise, item by item.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/unit/parameter.hpp"

namespace heddle {

constexpr std::uint64_t largest_weight = 1'000'000;

struct weighted_glob {
  std::string glob;
  std::uint64_t weight = 1;
};

struct terminal_selection {
  std::vector<weighted_glob> globs;  // empty: all terminals
  source_place place;                // of the key, for messages

  std::string text() const;  // readable back
};

class terminals_parameter final : public parameter_base {
 public:
  using parameter_base::parameter_base;

  const terminal_selection& operator()() const { return value_; }

  std::string kind() const override { return "terminals"; }
  std::string range() const override { return {}; }
  std::string text() const override { return value_.text(); }

 protected:
  void parse(const yaml_node& node) override;

 private:
  terminal_selection value_;
};

}  // namespace heddle
