#include "platform/text/counted.hpp"

#include <catch2/catch.hpp>

using namespace heddle;

TEST_CASE("what is counted is one or several") {
  CHECK(counted(0, "packet") == "0 packets");
  CHECK(counted(1, "more flit") == "1 more flit");
  CHECK(counted(2, "rank") == "2 ranks");
}
