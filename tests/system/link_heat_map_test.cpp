// link_utilization.svg of a mesh: the links that a collective uses, and no others.
#include <catch2/catch.hpp>
#include <regex>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

std::string drawing_of(const settings& values) {
  const heddle_run done(project_file("yaml/mesh_tiles.yaml"), values);
  INFO(done.report());
  REQUIRE(done.result().exited_with(0));
  return done.folder().content("out/link_utilization.svg");
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the heat map of a multicast shows its tree") {
  const std::string svg = drawing_of({{"params.width", "2"},
                                      {"params.height", "2"},
                                      {"workload.algorithm", "mesh_hw"},
                                      {"workload.bytes", "32 KiB"}});
  CHECK(has(svg, "mesh_tiles: broadcast by mesh_hw, 32 KiB"));
  // From memory at (1, 0) to the root at (2, 0), from there to all, x first.
  for (const char* link :
       {"(1, 0) from the tile", "(1, 0) to the east", "(2, 0) to the tile", "(2, 0) from the tile",
        "(2, 0) to the east", "(2, 0) to the north", "(3, 0) to the tile", "(3, 0) to the north",
        "(2, 1) to the tile", "(3, 1) to the tile"})
    CHECK(has(svg, std::string("wide ") + link + "<"));
  for (const char* idle : {"(2, 1) to the east", "(3, 1) to the south", "(3, 0) to the west"})
    CHECK(!has(svg, std::string("wide ") + idle + "<"));
}

TEST_CASE("no link of a heat map is busy for more than all the time") {
  const std::string algorithm = GENERATE("mesh_hw", "mesh_seq");
  const std::string svg =
      drawing_of({{"workload.algorithm", algorithm}, {"workload.bytes", "32 KiB"}});
  const std::regex share(">\\s*([0-9.]+) %  (\\w+)");
  int listed = 0;
  for (std::sregex_iterator at(svg.begin(), svg.end(), share), end; at != end; ++at, ++listed)
    CHECK(std::stod((*at)[1]) <= 100);
  CHECK(listed == 10);
}

TEST_CASE("a run without a mesh draws none") {
  const heddle_run done(project_file("yaml/ring_allreduce.yaml"), {{"workload.bytes", "64 KiB"}});
  CHECK(done.result().exited_with(0));
  CHECK(!done.folder().has("out/link_utilization.svg"));
}
