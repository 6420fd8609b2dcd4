#include "models/workloads/gather/find_matrix.hpp"

#include <filesystem>

#include "platform/netlist/planner.hpp"
#include "platform/netlist/shipped_file.hpp"
#include "platform/text/near_file.hpp"
#include "platform/text/quote.hpp"

namespace heddle {

std::string find_matrix(const std::string& name, const std::string& beside,
                        const source_place& named) {
  std::string path = find_netlist(name, beside);
  std::error_code unreadable;  // is told by whoever reads it
  if (std::filesystem::exists(path, unreadable)) return path;
  std::string hint = near_file(path);
  if (hint.empty()) hint = shipped_file_hint(name);
  throw user_error(named, "no matrix " + heddle::quoted(path) + hint);
}

}  // namespace heddle
