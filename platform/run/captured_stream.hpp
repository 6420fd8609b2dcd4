// A temporary file that takes what another process prints.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

namespace heddle {

class captured_stream {
 public:
  captured_stream();  // throws user_error

  // The process writes to it.
  int descriptor() const;
  // All that was written, once the process has ended.
  std::string text() const;

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

}  // namespace heddle
