#include "platform/netlist/section.hpp"

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

std::vector<section_type>& all_types() {
  static std::vector<section_type> types;
  return types;
}

}  // namespace

void register_section(section_type type) {
  const auto is_before = [](const section_type& a, const section_type& b) { return a.key < b.key; };
  std::vector<section_type>& types = all_types();
  types.insert(std::upper_bound(types.begin(), types.end(), type, is_before), std::move(type));
}

const std::vector<section_type>& section_types() {
  return all_types();
}

}  // namespace heddle
