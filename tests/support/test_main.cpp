#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include "platform/time/fs_time.hpp"

int sc_main(int argc, char* argv[]) {
  heddle::set_kernel_resolution();
  return Catch::Session().run(argc, argv);
}
