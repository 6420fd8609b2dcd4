#include "tests/support/command.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>

#include "platform/run/captured_stream.hpp"

namespace heddle {
namespace {

[[noreturn]] void become(const command& given, int output, int errors) {
  std::vector<char*> words;
  for (const std::string& each : given.words) words.push_back(const_cast<char*>(each.c_str()));
  words.push_back(nullptr);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  if (!given.folder.empty() && chdir(given.folder.c_str()) != 0) _exit(126);
  alarm(given.seconds);  // stays armed across exec
  execvp(words[0], words.data());
  _exit(127);
}

}  // namespace

std::string command::text() const {
  std::string line;
  for (const std::string& each : words) {
    const bool is_plain = each.find_first_of(" *[]{}$\"'|&;") == std::string::npos;
    line += (line.empty() ? "" : " ") + (is_plain ? each : "'" + each + "'");
  }
  return line;
}

command_result run(const command& given) {
  const captured_stream output, errors;
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) become(given, output.descriptor(), errors.descriptor());
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  command_result result;
  if (WIFEXITED(status))
    result.exit_code = WEXITSTATUS(status);
  else
    result.signal = WTERMSIG(status);
  result.output = output.text();
  result.errors = errors.text();
  return result;
}

}  // namespace heddle
