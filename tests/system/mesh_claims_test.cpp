// Claims that take several runs, and that the mesh keeps to the laws of its source where these hold
// for the mechanism.
#include <catch2/catch.hpp>

#include "platform/claims/claim.hpp"
#include "platform/text/diagnostic.hpp"
#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

double taken(const std::string& take, const std::vector<double>& results,
             std::vector<double> at = {}) {
  claim_case one;
  one.take = take;
  one.at = std::move(at);
  return taken_of(one, results);
}

nlohmann::json rows_of(const std::string& claim) {
  const scratch_folder folder;
  command line;
  line.words = {heddle_program(), "reproduce", claim, "--json", "rows.json"};
  line.folder = folder.path();
  const command_result result = run(line);
  INFO(result.errors);
  REQUIRE(result.exited_with(0));
  return nlohmann::json::parse(folder.content("rows.json"));
}

}  // namespace

TEST_CASE("figures of several runs") {
  CHECK(taken("slope", {5, 9, 13}, {1, 3, 5}) == Approx(2));
  CHECK(taken("slope", {1, 0, 2}, {0, 1, 2}) == Approx(0.5));
  CHECK(taken("geomean", {2, 8}) == Approx(4));
  CHECK(taken("smallest", {3, 1, 2}) == 1);
  CHECK(taken("largest", {3, 1, 2}) == 3);
  CHECK_THROWS_AS(taken("geomean", {2, 0}), user_error);
  CHECK_THROWS_AS(taken("slope", {1, 2}, {3, 3}), user_error);
}

TEST_CASE("the mesh keeps to the laws of its source") {
  for (const char* claim : {"noc.barrier.hw-slope", "noc.law.mcast-tree"})
    for (const auto& row : rows_of(claim)) {
      INFO(row.dump());
      CHECK(row["verdict"] == "ok");
    }
}
