// The file to which a command also writes its figures, if its user names one. What cannot be
// written is said before anything is computed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "platform/trace/output_file.hpp"

namespace heddle {

class wanted_file {
 public:
  // Empty: no file is wanted. Throws user_error when it cannot be created.
  explicit wanted_file(const std::string& path) {
    if (!path.empty()) file_.emplace(path);
  }
  explicit operator bool() const { return file_.has_value(); }

  // The whole of it, once; nothing where none is wanted. Throws user_error.
  void write(std::string_view text) {
    if (!file_) return;
    file_->write(text);
    file_->commit();
  }

 private:
  std::optional<output_file> file_;
};

}  // namespace heddle
