#include "platform/trace/leftovers.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>

#include "platform/text/shared_text.hpp"

namespace heddle {
namespace {

constexpr std::array<int, 5> ending_signals = {SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGPIPE};
constexpr std::size_t kinds = 3;
constexpr std::size_t most_noted = 64;

// Read by a signal handler, which may interrupt whoever notes or forgets.
template <class T>
using noted_values = std::array<std::atomic<T>, most_noted>;

std::array<noted_values<const char*>, kinds> paths;
noted_values<pid_t> children;
std::atomic<bool> is_clearing_up = false;
std::atomic<pid_t> owner = 0;  // a process that was forked has nothing to clear up

noted_values<const char*>& paths_of(leftover what) {
  return paths[static_cast<std::size_t>(what)];
}

template <class T>
void exchange_first(noted_values<T>& values, T before, T after) {
  for (std::atomic<T>& each : values) {
    T expected = before;
    if (each.compare_exchange_strong(expected, after)) return;
  }
}

// A copy that stays, so that equal paths are one pointer.
const char* kept(const std::string& path) {
  return shared_text(path).str().c_str();
}

void wait_for(pid_t child) {
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void remove_folder(const char* path) {
  const pid_t child = _Fork();  // unlike fork(), a signal handler may call it
  if (child == 0) {
    execl("/bin/rm", "rm", "-rf", "--", path, nullptr);
    _exit(1);
  }
  if (child > 0) wait_for(child);
}

// All that it calls is safe in a signal handler.
void clear_up() {
  is_clearing_up = true;
  for (const pid_t each : children)
    if (each > 0) kill(each, SIGTERM);
  for (const pid_t each : children)
    if (each > 0) wait_for(each);
  for (const char* each : paths_of(leftover::file))
    if (each) unlink(each);
  for (const char* each : paths_of(leftover::folder))
    if (each) remove_folder(each);
  for (const char* each : paths_of(leftover::folder_if_empty))
    if (each) rmdir(each);
}

void end_by(int number) {
  if (getpid() == owner) clear_up();
  signal(number, SIG_DFL);
  raise(number);  // comes once the handler has returned
}

}  // namespace

void clear_up_at_signals() {
  owner = getpid();
  struct sigaction action = {};
  action.sa_handler = end_by;
  sigfillset(&action.sa_mask);
  for (const int each : ending_signals) {
    struct sigaction before = {};
    sigaction(each, nullptr, &before);
    if (before.sa_handler == SIG_DFL) sigaction(each, &action, nullptr);
  }
}

void note_leftover(leftover what, const std::string& path) {
  exchange_first<const char*>(paths_of(what), nullptr, kept(path));
}

void forget_leftover(leftover what, const std::string& path) {
  exchange_first<const char*>(paths_of(what), kept(path), nullptr);
}

void note_child(pid_t child) {
  exchange_first<pid_t>(children, 0, child);
  if (!is_clearing_up) return;
  kill(child, SIGTERM);  // one that a thread has started meanwhile
  while (true) pause();
}

void forget_child(pid_t child) {
  exchange_first<pid_t>(children, child, 0);
}

}  // namespace heddle
