#include "platform/text/natural_order.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace heddle {
namespace {

TEST_CASE("names are ordered by their numbers", "[natural_order]") {
  const std::vector<std::string> ordered = {"",
                                            "gpu",
                                            "gpu[2]",
                                            "gpu[2].port[9]",
                                            "gpu[2].port[10]",
                                            "gpu[10]",
                                            "gpu[99999999999999999999]",
                                            "gpu[100000000000000000000]",
                                            "leaf[0]"};
  std::vector<std::string> names(ordered.rbegin(), ordered.rend());
  std::sort(names.begin(), names.end(), is_naturally_before);
  CHECK(names == ordered);
}

TEST_CASE("a name is not before itself, and leading zeros still make an order", "[natural_order]") {
  CHECK_FALSE(is_naturally_before("port[10]", "port[10]"));
  CHECK(is_naturally_before("port[07]", "port[7]"));
  CHECK_FALSE(is_naturally_before("port[7]", "port[07]"));
  CHECK(is_naturally_before("port[07]", "port[8]"));
}

}  // namespace
}  // namespace heddle
