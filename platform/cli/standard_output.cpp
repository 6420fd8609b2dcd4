#include "platform/cli/standard_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "platform/text/diagnostic.hpp"

namespace heddle {

void check_standard_output() {
  if (fcntl(STDOUT_FILENO, F_GETFD) < 0) throw user_error("standard output is closed");
}

int finish_standard_output(int code) {
  errno = 0;
  const bool is_flushed = std::fflush(stdout) == 0;
  if (is_flushed && std::ferror(stdout) == 0) return code;
  std::fprintf(stderr, "cannot write to standard output: %s\n",
               errno != 0 ? std::strerror(errno) : "some of it is lost");
  return code == 0 ? 2 : code;
}

}  // namespace heddle
