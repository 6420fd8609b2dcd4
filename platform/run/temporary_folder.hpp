// A folder for the results of runs that a command makes on the way; gone after it.
#pragma once

#include <filesystem>

namespace heddle {

class temporary_folder {
 public:
  temporary_folder();  // user_error when there is no room for it
  ~temporary_folder();
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace heddle
