// Runs a function once for each argument, each time in a process of its own, two at a time: the
// SystemC kernel elaborates only once a process. Results come back through pipes.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace heddle {

struct child_process {
  pid_t id = 0;
  int pipe = 0;
};

template <class Argument, class Run>
child_process start_child(const Argument& argument, Run run) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t id = fork();
  if (id < 0) throw std::runtime_error("no process");
  if (id > 0) {
    close(ends[1]);
    return {id, ends[0]};
  }
  int status = 1;
  try {
    const auto result = run(argument);
    if (write(ends[1], &result, sizeof result) == static_cast<ssize_t>(sizeof result)) status = 0;
  } catch (const std::exception& mistake) {
    std::fprintf(stderr, "%s\n", mistake.what());
  }
  _exit(status);  // the parent's buffers and modules are not this process's to tidy up
}

template <class Result>
Result finish_child(const child_process& child) {
  Result result{};
  const bool is_whole =
      read(child.pipe, &result, sizeof result) == static_cast<ssize_t>(sizeof result);
  int status = 0;
  waitpid(child.id, &status, 0);
  close(child.pipe);
  if (!is_whole || status != 0) throw std::runtime_error("a forked simulation failed");
  return result;
}

// Results in the order of the arguments. Call before anything of SystemC exists in this process.
template <class Argument, class Run>
auto forked_runs(const std::vector<Argument>& arguments, Run run) {
  using result = std::invoke_result_t<Run, const Argument&>;
  static_assert(std::is_trivially_copyable_v<result>);
  constexpr std::size_t most_children = 2;
  std::vector<child_process> children;
  std::vector<result> results;
  for (const Argument& argument : arguments) {
    if (children.size() - results.size() == most_children)
      results.push_back(finish_child<result>(children[results.size()]));
    children.push_back(start_child(argument, run));
  }
  while (results.size() < children.size())
    results.push_back(finish_child<result>(children[results.size()]));
  return results;
}

}  // namespace heddle
