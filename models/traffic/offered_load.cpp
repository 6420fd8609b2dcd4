#include "models/traffic/offered_load.hpp"

#include <fmt/format.h>

namespace heddle {

double offered_load::share_of(const bandwidth& link) const {
  if (rate.bytes_per_second() == 0) return share;
  return static_cast<double>(rate.bytes_per_second()) /
         static_cast<double>(link.bytes_per_second());
}

std::string offered_load::text() const {
  return rate.bytes_per_second() == 0 ? parameter_text::write(share) : parameter_text::write(rate);
}

void load_parameter::parse(const yaml_node& node) {
  value_ = {};
  if (as_text(node).find("/s") != std::string::npos) return parameter_text::read(node, value_.rate);
  value_.share = as_double(node);
  if (value_.share < 0 || value_.share > 1)
    throw user_error(node.place(), fmt::format("{} is {}, outside 0 to 1 of the link's rate",
                                               name(), as_text(node)));
}

}  // namespace heddle
