// A file that cannot be read. Whoever knows more about where files are may say more, unless a hint
// is there already.
#pragma once

#include <cerrno>
#include <string>
#include <system_error>

#include "platform/text/diagnostic.hpp"

namespace heddle {

class unreadable_file final : public user_error {
 public:
  // `error` as in errno; `hint`: "" or " (did you mean 'x'?)".
  unreadable_file(const std::string& path, int error, const std::string& hint)
      : user_error("cannot read '" + path + "': " + std::generic_category().message(error) + hint),
        is_missing_(error == ENOENT),
        has_hint_(!hint.empty()) {}

  bool is_missing() const { return is_missing_; }
  bool has_hint() const { return has_hint_; }

 private:
  bool is_missing_, has_hint_;
};

}  // namespace heddle
