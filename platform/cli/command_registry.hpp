// Commands of `heddle` that a layer above the platform adds, as a kind of workload does for studies
// of its own. They register themselves by name.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace heddle {

using command_action = std::function<int()>;  // returns the exit code; may throw user_error

struct registered_command {
  std::string name;
  std::string meaning;
  // Declares the options of the command; what it returns runs the command, once they are parsed.
  std::function<command_action(CLI::App&)> declare;
  // Takes --json FILE, so that claims can be about its results (`study: NAME`).
  bool is_study = false;
};

class command_registry {
 public:
  static command_registry& instance();
  void add(registered_command command);
  const std::vector<registered_command>& commands() const { return commands_; }  // by name
  std::vector<std::string> studies() const;

 private:
  std::vector<registered_command> commands_;
};

#define HEDDLE_REGISTER_COMMAND(identifier, ...)                       \
  [[maybe_unused]] static const bool identifier##_is_registered = [] { \
    ::heddle::command_registry::instance().add(__VA_ARGS__);           \
    return true;                                                       \
  }()

}  // namespace heddle
