#include <systemc>  // gives sc_main its C linkage

#include "platform/cli/command_line.hpp"

int sc_main(int argc, char* argv[]) {
  return heddle::run_command_line(argc, argv);
}
