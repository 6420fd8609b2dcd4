#include "platform/run/run_directory.hpp"

#include <algorithm>

#include "platform/text/diagnostic.hpp"

namespace heddle {
namespace fs = std::filesystem;

run_directory::run_directory(const std::string& path) {
  std::error_code failed;
  for (fs::path at = fs::absolute(path); !fs::exists(at, failed) && at != at.parent_path();
       at = at.parent_path())
    created_.push_back(at);
  std::reverse(created_.begin(), created_.end());
  failed.clear();
  fs::create_directories(path, failed);
  if (failed)
    throw user_error("cannot create the run directory '" + path + "': " + failed.message());
}

run_directory::~run_directory() {
  std::error_code ignored;
  if (!created_.empty()) fs::remove_all(created_.front(), ignored);
}

}  // namespace heddle
