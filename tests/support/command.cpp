#include "tests/support/command.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>

namespace heddle {
namespace {

using stream = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

stream open_temporary() {
  stream file(std::tmpfile(), &std::fclose);
  if (!file) throw std::runtime_error("cannot create a temporary file");
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

[[noreturn]] void become(const command& given, std::FILE* output, std::FILE* errors) {
  std::vector<char*> words;
  for (const std::string& each : given.words) words.push_back(const_cast<char*>(each.c_str()));
  words.push_back(nullptr);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(fileno(output), STDOUT_FILENO);
  dup2(fileno(errors), STDERR_FILENO);
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
  const stream output = open_temporary();
  const stream errors = open_temporary();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) become(given, output.get(), errors.get());
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  command_result result;
  if (WIFEXITED(status))
    result.exit_code = WEXITSTATUS(status);
  else
    result.signal = WTERMSIG(status);
  result.output = content_of(output.get());
  result.errors = content_of(errors.get());
  return result;
}

}  // namespace heddle
