// Runs a program as a user does, and keeps what it says.
#pragma once

#include <string>
#include <vector>

namespace heddle {

struct command_result {
  int exit_code = -1;  // -1: ended by a signal
  int signal = 0;
  std::string output;
  std::string errors;

  bool exited_with(int code) const { return signal == 0 && exit_code == code; }
};

struct command {
  std::vector<std::string> words;  // the program first
  std::string folder;              // to run in; empty: here
  unsigned seconds = 120;          // then SIGALRM ends it

  // As one would type it.
  std::string text() const;
};

command_result run(const command& given);

}  // namespace heddle
