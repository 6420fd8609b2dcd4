#include "tests/bench/forked_run.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>

#include "platform/text/diagnostic.hpp"

namespace heddle {

forked_result run_forked(const std::function<forked_result()>& run) {
  int ends[2];
  if (pipe(ends) != 0) throw user_error("cannot make a pipe");
  const pid_t child = fork();
  if (child < 0) throw user_error("cannot fork");
  if (child == 0) {
    int status = 1;
    try {
      const forked_result result = run();
      if (write(ends[1], &result, sizeof result) == static_cast<ssize_t>(sizeof result)) status = 0;
    } catch (const std::exception& mistake) {
      std::fprintf(stderr, "%s\n", mistake.what());
    }
    _exit(status);  // the parent's buffers and modules are not this process's to tidy up
  }
  close(ends[1]);
  forked_result result;
  const bool is_whole =
      read(ends[0], &result, sizeof result) == static_cast<ssize_t>(sizeof result);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (!is_whole || status != 0) throw user_error("a forked simulation failed");
  return result;
}

}  // namespace heddle
