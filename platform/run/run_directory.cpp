#include "platform/run/run_directory.hpp"

#include "platform/text/diagnostic.hpp"

namespace heddle {
namespace fs = std::filesystem;

run_directory::run_directory(const std::string& path) {
  std::error_code failed;
  for (fs::path at = fs::absolute(path); !fs::exists(at, failed) && at != at.parent_path();
       at = at.parent_path())
    created_.push_back(at);
  failed.clear();
  const bool is_ours = fs::create_directories(path, failed);
  if (!is_ours) created_.clear();
  if (failed)
    throw user_error("cannot create the run directory '" + path + "': " + failed.message());
}

run_directory::~run_directory() {
  std::error_code ignored;
  if (created_.empty()) return;
  fs::remove_all(created_.front(), ignored);
  for (const fs::path& around : created_) fs::remove(around, ignored);  // if it is empty
}

}  // namespace heddle
