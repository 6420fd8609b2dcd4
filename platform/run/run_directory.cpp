#include "platform/run/run_directory.hpp"

#include "platform/text/diagnostic.hpp"
#include "platform/trace/leftovers.hpp"

namespace heddle {
namespace fs = std::filesystem;
namespace {

// What the run has made is removed with what is in it, a folder around it if nothing else is there.
leftover kind_of(const fs::path& created, const std::vector<fs::path>& all) {
  return created == all.front() ? leftover::folder : leftover::folder_if_empty;
}

}  // namespace

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
  for (const fs::path& each : created_) note_leftover(kind_of(each, created_), each.string());
}

run_directory::~run_directory() {
  std::error_code ignored;
  if (created_.empty()) return;
  fs::remove_all(created_.front(), ignored);
  for (const fs::path& around : created_) fs::remove(around, ignored);  // if it is empty
  keep();
}

void run_directory::keep() {
  for (const fs::path& each : created_) forget_leftover(kind_of(each, created_), each.string());
  created_.clear();
}

}  // namespace heddle
