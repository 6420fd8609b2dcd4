#include "platform/run/child_process.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "platform/netlist/installed_files.hpp"
#include "platform/text/diagnostic.hpp"

namespace heddle {
namespace {

using temporary_file = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

temporary_file open_temporary() {
  temporary_file file(std::tmpfile(), &std::fclose);
  if (!file) throw user_error(std::string("cannot create a temporary file: ") + strerror(errno));
  return file;
}

std::string content_of(std::FILE* file) {
  std::string text;
  std::rewind(file);
  char buffer[4096];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, file))
    text.append(buffer, got);
  return text;
}

}  // namespace

child_result run_self(const std::vector<std::string>& arguments) {
  return run_program(executable_path(), arguments);
}

child_result run_program(std::string program, const std::vector<std::string>& arguments) {
  const temporary_file output = open_temporary();
  const temporary_file errors = open_temporary();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(output.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(errors.get()), STDERR_FILENO);

  std::vector<char*> pointers;
  pointers.push_back(program.data());
  for (const std::string& each : arguments) pointers.push_back(const_cast<char*>(each.c_str()));
  pointers.push_back(nullptr);
  pid_t child = 0;
  const int failed =
      posix_spawn(&child, program.c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw user_error("cannot start " + program + ": " + strerror(failed));

  int status = 0;
  pid_t ended = -1;
  do ended = waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (ended < 0) throw user_error("lost sight of " + program + ": " + strerror(errno));
  child_result result;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.output = content_of(output.get());
  result.errors = content_of(errors.get());
  return result;
}

}  // namespace heddle
