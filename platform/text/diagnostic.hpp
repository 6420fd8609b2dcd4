// A mistake of the user, with its place. Whoever reads user input throws user_error; the command
// line prints what() and exits with 2. Control characters in what() are escaped, so that it may
// quote any text.
#pragma once

#include <stdexcept>
#include <string>

#include "platform/text/shared_text.hpp"

namespace heddle {

// Lines and columns count from 1; 0 means unknown.
struct source_place {
  shared_text file;
  int line = 0;
  int column = 0;

  // "file:line:column", without the parts that are unknown.
  std::string text() const;
};

class user_error : public std::runtime_error {
 public:
  user_error(source_place place, const std::string& message);
  explicit user_error(const std::string& message) : user_error(source_place{}, message) {}

  const source_place& place() const { return place_; }

 private:
  source_place place_;
};

}  // namespace heddle
