// The `heddle` command. A program that links models calls it from sc_main and has all commands.
#pragma once

namespace heddle {

// Exit codes: 0 finished and verified, 1 the simulated system failed, 2 the user's input is wrong.
int run_command_line(int argc, char* argv[]);

}  // namespace heddle
