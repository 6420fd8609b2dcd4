#include "platform/contracts/access_origin.hpp"

#include <fmt/format.h>

namespace heddle {

std::string code_line::text() const {
  if (file.empty()) return function;
  const std::string where = fmt::format("{}:{}", file, line);
  return function.empty() ? where : where + " in " + function;
}

}  // namespace heddle
