// Monitors watch and change nothing: a whole collective gives the same results with them and
// without, byte for byte.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

std::string statistics_of_run(const std::string& options) {
  const auto folder = std::filesystem::temp_directory_path() /
                      ("heddle_monitors_" + std::to_string(std::hash<std::string>{}(options)));
  const std::string command =
      std::string(HEDDLE_PROGRAM) + " run " HEDDLE_NETLISTS "/ring_allreduce.yaml --quiet --out " +
      folder.string() + " --set workload.bytes='{from: 1 KiB, to: 256 KiB}' " + options +
      " > /dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  std::ifstream file(folder / "stats.json", std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  std::filesystem::remove_all(folder);
  REQUIRE_FALSE(text.empty());
  return text;
}

}  // namespace

TEST_CASE("a ring all-reduce takes the same time under monitors packet by packet") {
  CHECK(statistics_of_run("--set train=1") == statistics_of_run("--set train=1 --set monitors=on"));
}

TEST_CASE("a ring all-reduce takes the same time under monitors in trains") {
  CHECK(statistics_of_run("--set train=32") ==
        statistics_of_run("--set train=32 --set monitors=on"));
}
