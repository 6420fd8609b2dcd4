// The table of heddle reproduce, and what it leaves behind. The program reads the claims beside
// itself, so that a copy of it has claims of the test; they ask formulas, which takes no time.
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/support/heddle_run.hpp"

using namespace heddle;
namespace fs = std::filesystem;

namespace {

// By the source's formulas 2432 cycles against 634, 3.836 times.
std::string speed_up(const std::string& source, const std::string& more,
                     const std::string& meshes = "256") {
  return "      - {source: " + source +
         ", ours: 'rows[0].analytic.speed_up', study: gemm, set: {meshes: " + meshes +
         ", kernel: summa, simulate: 0}, " + more + "}\n";
}

std::string claim_text(const std::string& id, const std::string& more, const std::string& cases) {
  return "  - id: " + id + "\n    kind: law\n    where: none\n    unit: x\n" + more +
         "    cases:\n" + cases;
}

// A copy of the program with those claims, that many files and all.
class copied_program {
 public:
  explicit copied_program(const std::string& claims) {
    fs::create_directories(folder_.file("build"));
    fs::create_directories(folder_.file("yaml/claims"));
    fs::create_directories(folder_.file("here"));
    fs::copy_file(heddle_program(), folder_.file("build/heddle"));
    folder_.write("yaml/claims/try.yaml", "claims:\n" + claims);
  }
  command_result reproduce() const {
    command line;
    line.words = {folder_.file("build/heddle"), "reproduce", "--json", "rows.json"};
    line.folder = folder_.file("here");
    return run(line);
  }
  std::string rows() const { return folder_.content("here/rows.json"); }
  bool left_nothing() const { return fs::is_empty(folder_.file("here")); }

 private:
  scratch_folder folder_;
};

}  // namespace

TEST_CASE("a reason stands once, below the last row that it could be for") {
  const copied_program program(
      claim_text("try.bound", "    tolerance: 2%\n    bound: at least\n", speed_up("3", "")) +
      claim_text("try.reasons", "    tolerance: 2%\n    reason: that of the claim\n",
                 speed_up("3", "name: a") + speed_up("3.8", "name: b") +
                     speed_up("3", "name: c, reason: that of c") + speed_up("4", "name: d")));
  const command_result result = program.reproduce();
  INFO(result.errors);
  REQUIRE(result.exited_with(0));
  CHECK(result.output ==
        "claim          kind          source       ours unit        error    within  verdict\n"
        "try.bound      law                3      3.836 x        +27.87 % >= -2.0 %  ok\n"
        "try.reasons a  law                3      3.836 x        +27.87 %     2.0 %  off\n"
        "try.reasons b  law              3.8      3.836 x         +0.95 %     2.0 %  ok\n"
        "try.reasons c  law                3      3.836 x        +27.87 %     2.0 %  off\n"
        "    that of c\n"
        "try.reasons d  law                4      3.836 x         -4.10 %     2.0 %  off\n"
        "    2 rows off: that of the claim\n"
        "5 rows: 2 ok, 3 off\n");
  const auto rows = nlohmann::json::parse(program.rows());
  REQUIRE(rows.size() == 5);
  const std::vector<std::string> reasons = {"", "that of the claim", "", "that of c",
                                            "that of the claim"};
  for (std::size_t i = 0; i < rows.size(); ++i) CHECK(rows[i]["reason"] == reasons[i]);
  CHECK(rows[0]["bound"] == "at_least");
}

TEST_CASE("claims whose run fails leave no file") {
  const copied_program program(claim_text("try.fails", "    tolerance: 2%\n",
                                          speed_up("3.8", "name: a") + speed_up("3", "", "6")));
  const command_result result = program.reproduce();
  CHECK(result.exited_with(2));
  CHECK_THAT(result.output, Catch::Contains("try.fails a"));
  CHECK_THAT(result.errors, Catch::Contains("--meshes 6: expected powers of two"));
  CHECK(program.left_nothing());
}
