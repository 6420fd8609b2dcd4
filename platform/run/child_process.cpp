#include "platform/run/child_process.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "platform/netlist/installed_files.hpp"
#include "platform/run/captured_stream.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/trace/leftovers.hpp"

namespace heddle {
child_result run_self(const std::vector<std::string>& arguments) {
  return run_program(executable_path(), arguments);
}

child_result run_program(std::string program, const std::vector<std::string>& arguments) {
  const captured_stream output, errors;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.descriptor(), STDERR_FILENO);

  std::vector<char*> pointers;
  pointers.push_back(program.data());
  for (const std::string& each : arguments) pointers.push_back(const_cast<char*>(each.c_str()));
  pointers.push_back(nullptr);
  pid_t child = 0;
  const int failed =
      posix_spawn(&child, program.c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw user_error("cannot start " + program + ": " + strerror(failed));

  note_child(child);
  int status = 0;
  pid_t ended = -1;
  do ended = waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  forget_child(child);
  if (ended < 0) throw user_error("lost sight of " + program + ": " + strerror(errno));
  child_result result;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.output = output.text();
  result.errors = errors.text();
  return result;
}

}  // namespace heddle
