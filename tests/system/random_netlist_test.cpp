// Random netlists, right ones and slightly broken ones: `heddle check` says ok, or what is wrong
// and where. It never dies, never takes long and never shows an error of the kernel.
#include <catch2/catch.hpp>

#include <random>
#include <regex>

#include "tests/support/heddle_run.hpp"
#include "tests/support/netlist_generator.hpp"

using namespace heddle;

namespace {

std::string random_netlist(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> bytes(1024);
  for (std::uint8_t& each : bytes) each = static_cast<std::uint8_t>(random());
  return netlist_generator(std::move(bytes)).netlist();
}

// "" for an answer that is one.
std::string flaw_of(const command_result& result) {
  if (result.signal != 0) return "it died";
  if (result.errors.find("Error: (E") != std::string::npos) return "an error of the kernel";
  if (result.exit_code == 0) return {};
  if (result.exit_code != 2) return "a wrong exit code";
  static const std::regex with_place("[^\\n:]+:[0-9]+:[0-9]+: [^\\n]+\\n[^]*");
  return std::regex_match(result.errors, with_place) ? "" : "a mistake without a place";
}

void check(std::uint64_t first_seed, std::uint64_t count) {
  const scratch_folder folder;
  std::uint64_t right = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    const std::string text = random_netlist(seed);
    folder.write("netlist.yaml", text);
    command line;
    line.words = {heddle_program(), "check", "netlist.yaml"};
    line.folder = folder.path();
    line.seconds = 30;
    const command_result result = run(line);
    const std::string flaw = flaw_of(result);
    if (!flaw.empty())
      FAIL("seed " << seed << ": " << flaw << ", exit " << result.exit_code << ", signal "
                   << result.signal << "\n"
                   << result.errors << "\n"
                   << text);
    if (result.exit_code == 0) ++right;
  }
  CHECK(right > count / 40);  // else nobody gets as far as the checks of the fabric
}

}  // namespace

TEST_CASE("a random netlist is right, or it is said where it is wrong") {
  check(1, 120);
}
TEST_CASE("many random netlists are right, or it is said where they are wrong", "[.][long]") {
  check(10'000, 5'000);
}
