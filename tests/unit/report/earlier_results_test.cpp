#include "platform/run/earlier_results.hpp"

#include <catch2/catch.hpp>

#include "platform/run/results.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace heddle;

namespace {

const std::string picture =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"8\" height=\"8\"></svg>\n";
const std::string line = "        21.500 ns  gpu[0].cp  80000012 <main+0x8>:    nop\n";

}  // namespace

TEST_CASE("what some runs write goes from the directory of a run that does not") {
  const scratch_folder folder;
  const std::vector<std::pair<std::string, std::string>> all = {
      {"link_utilization.svg", picture},          {"link_utilization_mesh_hw.svg", picture},
      {"inference_ring_prefill.svg", picture},    {"inference_scin_inq_decode.svg", picture},
      {"moe_utilization_comet.svg", picture},     {"instructions.txt", line},
      {"profile.json", "{\n \"cores\": {}\n}\n"}, {"report.json", "{\"timeline\":{}}\n"}};
  for (const auto& [name, content] : all) folder.write(name, content);
  earlier_results(folder.path()).remove_stale();
  for (const auto& [name, content] : all) {
    INFO(name);
    CHECK_FALSE(folder.has(name));
  }
}

TEST_CASE("what the run has written anew stays, also with the same content") {
  const scratch_folder folder;
  folder.write("link_utilization.svg", picture);
  folder.write("moe_utilization_nvls.svg", picture);
  const earlier_results earlier(folder.path());
  write_text(folder.file("link_utilization.svg"), picture);
  write_text(folder.file("inference_ring_decode.svg"), picture);
  earlier.remove_stale();
  CHECK(folder.has("link_utilization.svg"));
  CHECK(folder.has("inference_ring_decode.svg"));
  CHECK_FALSE(folder.has("moe_utilization_nvls.svg"));
}

TEST_CASE("files of the user stay, whatever they are called") {
  const scratch_folder folder;
  const std::vector<std::pair<std::string, std::string>> all = {
      {"instructions.txt", "how to read these results\n"},
      {"moe_utilization_paper.svg", "<?xml version=\"1.0\"?>\n" + picture},
      {"link_utilization.png", picture},
      {"my_link_utilization.svg", picture},
      {"inference_ring.svg", picture},
      {"report.json", "{}\n"},
      {"links.csv", "from,to\n"},
      {"waves.vcd", "$version Heddle $end\n"}};
  for (const auto& [name, content] : all) folder.write(name, content);
  std::filesystem::create_directory(folder.file("link_utilization.svg"));
  folder.write("picture", picture);
  std::filesystem::create_symlink("picture", folder.file("link_utilization_ring.svg"));
  earlier_results(folder.path()).remove_stale();
  for (const auto& [name, content] : all) {
    INFO(name);
    CHECK(folder.content(name) == content);
  }
  CHECK(folder.has("link_utilization.svg"));
  CHECK(folder.has("link_utilization_ring.svg"));
}

TEST_CASE("a directory that is not there holds no earlier results") {
  const scratch_folder folder;
  CHECK_NOTHROW(earlier_results(folder.file("none")).remove_stale());
}
