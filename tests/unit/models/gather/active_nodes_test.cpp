#include "models/workloads/gather/active_nodes.hpp"

#include <catch2/catch.hpp>

using namespace heddle;

TEST_CASE("active nodes: how many are active when") {
  const active_nodes of{"+switch, K = 16", {1e-6, 2e-6, 2e-6, 5e-6}};
  CHECK(of.last() == 5e-6);
  CHECK(of.mean() == Approx(2.5e-6));
  CHECK(of.until(1) == 0);
  CHECK(of.until(0.75) == 1e-6);
  CHECK(of.until(0.5) == 2e-6);
  CHECK(of.until(0.25) == 2e-6);
  CHECK(of.until(0.1) == 5e-6);
  CHECK(of.until(0) == 5e-6);
  CHECK(csv_of({of}) ==
        "gather,time_us,active_nodes\n"
        "\"+switch, K = 16\",0,4\n"
        "\"+switch, K = 16\",1.000000,3\n"
        "\"+switch, K = 16\",2.000000,1\n"
        "\"+switch, K = 16\",5.000000,0\n");
}

TEST_CASE("active nodes of nobody are drawn, too") {
  CHECK(svg_of({{"none", {}}}, "a < b", {"x"}).find("a &lt; b") != std::string::npos);
  CHECK(active_nodes{}.mean() == 0);
  CHECK(active_nodes{}.until(0.5) == 0);
}
