#include <catch2/catch.hpp>

#include "tests/support/packet_endpoint.hpp"
#include "tests/support/test_bench.hpp"

using namespace heddle;

TEST_CASE("the kernel knows a unit by its path, however long") {
  test_bench bench;
  CHECK(std::string(bench.add_stimulus<packet_endpoint>("gpu[12].ni").name()) == "gpu_12__ni");
  const std::string path = "rack[3].shelf[1].accelerator[12].interface";
  CHECK(std::string(bench.add_stimulus<packet_endpoint>(path).name()) ==
        "rack_3__shelf_1__accelerator_12__interface");
}
