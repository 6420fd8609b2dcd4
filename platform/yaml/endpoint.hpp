// Where a link ends: "gpu[(g+1)%gpus].port[p]".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platform/yaml/expression.hpp"

namespace heddle {

struct endpoint_segment {
  std::string name;
  std::vector<std::int64_t> indices;  // none is negative
};

struct endpoint_path {
  std::vector<endpoint_segment> segments;

  // "gpu[3].port[0]".
  std::string text() const;
};

// Names are letters, digits and '_'; each index is an expression. Throws expression_error.
endpoint_path parse_endpoint(std::string_view text, const variables& known);

}  // namespace heddle
