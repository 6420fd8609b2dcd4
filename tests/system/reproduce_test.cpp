// The table of heddle reproduce, and what it leaves behind. The program reads the claims beside
// itself, so that a copy of it has claims of the test; they ask formulas, which takes no time.
#include <yaml-cpp/yaml.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <set>

#include "platform/claims/sensitivity.hpp"
#include "platform/yaml/parse.hpp"
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
  command_result reproduce(const std::vector<std::string>& more = {}) const {
    command line;
    line.words = {folder_.file("build/heddle"), "reproduce", "--json", "rows.json"};
    line.words.insert(line.words.end(), more.begin(), more.end());
    line.folder = folder_.file("here");
    return run(line);
  }
  void write_netlist(const std::string& name, const std::string& text) const {
    folder_.write("yaml/" + name, text);
  }
  void take_part(const std::string& name) const {
    fs::create_directories(fs::path(folder_.file("yaml/" + name)).parent_path());
    fs::copy_file(project_file("yaml/" + name), folder_.file("yaml/" + name));
  }
  std::string content(const std::string& name) const { return folder_.content("here/" + name); }
  std::string rows() const { return content("rows.json"); }
  bool has(const std::string& name) const { return folder_.has("here/" + name); }
  bool left_nothing() const { return fs::is_empty(folder_.file("here")); }

 private:
  scratch_folder folder_;
};

}  // namespace

TEST_CASE("a claim has one verdict, and a reason stands once") {
  const copied_program program(
      claim_text("try.bound", "    tolerance: 2%\n    bound: at least\n", speed_up("3", "")) +
      "  - {id: try.missing, kind: law, where: none, not_built: needs a loom}\n" +
      claim_text("try.copied", "    tolerance: 2%\n", speed_up("3", "analytic: true")) +
      claim_text("try.reasons", "    tolerance: 2%\n    reason: that of the claim\n",
                 speed_up("3", "name: a") + speed_up("3.8", "name: b") +
                     speed_up("3", "name: c, reason: that of c") + speed_up("4", "name: d")));
  const command_result result = program.reproduce();
  INFO(result.errors);
  REQUIRE(result.exited_with(0));
  const std::string heading =
      "claim        kind      rows ok     source       ours unit        error    within  verdict\n";
  const std::string singles =
      "try.bound    law           1/1          3      3.836 x        +27.87 % >= -2.0 %  ok\n"
      "try.copied   law           0/0          3      3.836 x        +27.87 %     2.0 %  analytic\n"
      "try.missing  law             -          -          -                              not "
      "built\n";
  const std::string several =
      "try.reasons  law           1/4          3      3.836 x        +27.87 %     2.0 %  partly\n";
  const std::string reasons =
      "    2 rows off: that of the claim\n"
      "    1 row off: that of c\n";
  const std::string sum =
      "4 claims: 1 ok, 1 partly, 1 analytic, 1 not built; 6 rows: 2 ok, 3 off, 1 analytic\n";
  CHECK(result.output == heading + singles + several + reasons + sum);
  const command_result with_rows = program.reproduce({"--rows"});
  CHECK(
      with_rows.output ==
      heading + singles + several +
          "  a          law                        3      3.836 x        +27.87 %     2.0 %  off\n"
          "  b          law                      3.8      3.836 x         +0.95 %     2.0 %  ok\n"
          "  c          law                        3      3.836 x        +27.87 %     2.0 %  off\n"
          "  d          law                        4      3.836 x         -4.10 %     2.0 %  "
          "off\n" +
          reasons + sum);
}

TEST_CASE("rows of claims as JSON") {
  const copied_program program(
      "  - {id: try.missing, kind: law, where: none, not_built: needs a loom}\n" +
      claim_text("try.two", "    tolerance: 2%\n    bound: at least\n    reason: too slow\n",
                 speed_up("3", "name: a") + speed_up("4", "name: b")));
  REQUIRE(program.reproduce().exited_with(0));
  const auto rows = nlohmann::json::parse(program.rows());
  REQUIRE(rows.size() == 3);
  CHECK(rows[0]["id"] == "try.missing");
  CHECK(rows[0]["verdict"] == "not built");
  CHECK(rows[0]["reason"] == "needs a loom");
  CHECK(rows[1]["id"] == "try.two");
  CHECK(rows[1]["case"] == "a");
  CHECK(rows[1]["bound"] == "at_least");
  CHECK(rows[1]["verdict"] == "ok");
  CHECK(rows[1]["reason"].get<std::string>().empty());
  CHECK(rows[2]["verdict"] == "off");
  CHECK(rows[2]["reason"] == "too slow");
}

TEST_CASE("what has cases in one file is built, whatever another says") {
  const copied_program program(
      "  - {id: try.it, kind: law, where: none, not_built: needs a loom}\n" +
      claim_text("try.it", "    tolerance: 2%\n", speed_up("3.8", "")));
  CHECK_THAT(program.reproduce().output, Catch::Contains("1 claim: 1 ok; 1 row: 1 ok"));
}

TEST_CASE("the ledger says how far each free parameter moves a claim") {
  // A message over one link of 1 us: its time is the latency and little more.
  const copied_program program(
      "  - {id: try.missing, kind: law, where: \"9.9\", not_built: needs a loom}\n"
      "  - id: try.time\n    kind: law\n    where: \"1.2\"\n    unit: us\n    tolerance: 50%\n"
      "    mechanism: The message crosses a wire.\n"
      "    cases:\n"
      "      - {source: 2, scale: 1e6, ours: 'collectives[0].time_s', netlist: pair.yaml}\n"
      "free:\n"
      "  pair.yaml:\n"
      "    - {key: params.far, from: chosen}\n"
      "    - 'gpu[*].vector.latency'\n");
  program.write_netlist("pair.yaml",
                        "heddle: 1\nname: pair\nparams: {far: 1 us}\nunits:\n"
                        "  gpu: {array: 2, index: g, use: units/accelerator.yaml, "
                        "number: '${g}', planes: 1}\n"
                        "links:\n  - {between: ['gpu[0].port[0]', 'gpu[1].port[0]'], "
                        "bandwidth: 50 GB/s, latency: '${far}'}\n"
                        "workload: {collective: broadcast, algorithm: ring, bytes: 64 B}\n");
  program.take_part("units/accelerator.yaml");
  const command_result result =
      program.reproduce({"--markdown", "ledger.md", "--html", "ledger.html", "--jobs", "2"});
  INFO(result.errors);
  REQUIRE(result.exited_with(0));
  CHECK(result.errors == "ledger: 4 more runs, with free parameters a fifth below and above\n");
  const std::string ledger = program.content("ledger.md");
  INFO(ledger);
  CHECK_THAT(ledger, Catch::Contains("### try.missing: not built"));
  CHECK_THAT(ledger, Catch::Contains("The message crosses a wire."));
  CHECK_THAT(ledger, Catch::Contains("`heddle run pair.yaml`"));
  CHECK_THAT(ledger, Catch::Contains("| params.far | 1 us | chosen | -"));
  CHECK_THAT(ledger, Catch::Contains("| gpu[\\*].vector.latency | 50 ns | "));
  CHECK_THAT(ledger, Catch::Contains("| +0.00 % | +0.00 % |"));  // nothing is added
  const std::string page = program.content("ledger.html");
  CHECK_THAT(page, Catch::Contains("<h3>try.time: "));
  CHECK_THAT(page, Catch::Contains("<code>heddle run pair.yaml</code>"));
}

TEST_CASE("a free parameter that the netlist does not have is named") {
  const copied_program program(
      "  - {id: try.time, kind: law, where: none, unit: us, tolerance: 50%, cases: [{source: 2, "
      "ours: 'collectives[0].time_s', netlist: pair.yaml}]}\n"
      "free: {pair.yaml: [params.close]}\n");
  program.write_netlist("pair.yaml",
                        "heddle: 1\nname: pair\nunits:\n"
                        "  gpu: {array: 2, index: g, use: units/accelerator.yaml, "
                        "number: '${g}', planes: 1}\n"
                        "links:\n  - {between: ['gpu[0].port[0]', 'gpu[1].port[0]'], "
                        "bandwidth: 50 GB/s, latency: 1 us}\n"
                        "workload: {collective: broadcast, algorithm: ring, bytes: 64 B}\n");
  program.take_part("units/accelerator.yaml");
  const command_result result = program.reproduce({"--markdown", "ledger.md"});
  CHECK(result.exited_with(2));
  CHECK_THAT(result.errors, Catch::Contains("free parameter 'params.close': pair.yaml has none"));
  // Verdicts come before the ledger.
  CHECK_THAT(result.output, Catch::Contains("1 claim: "));
  CHECK_THAT(program.rows(), Catch::Contains("\"try.time\""));
  CHECK(!program.has("ledger.md"));
}

TEST_CASE("a quantity times a factor") {
  CHECK(scaled_quantity("20 ns", 1.2) == "24 ns");
  CHECK(scaled_quantity("4.8 TB/s", 0.8) == "3.84 TB/s");
  CHECK(scaled_quantity("16", 0.8) == "13");
  CHECK(scaled_quantity("2", 1.2).empty());  // no whole number in between
  CHECK(scaled_quantity("0 ns", 1.2).empty());
  CHECK(scaled_quantity("wave", 1.2).empty());
}

TEST_CASE("a claim with a near name is suggested") {
  const copied_program program(claim_text("try.it", "    tolerance: 2%\n", speed_up("3.8", "")));
  const command_result result = program.reproduce({"try.if"});
  CHECK(result.exited_with(2));
  CHECK_THAT(result.errors, Catch::Contains("no claim matches 'try.if' (did you mean 'try.it'?)"));
}

TEST_CASE("several runs at a time give the same table and rows") {
  std::string cases;
  for (const char* meshes : {"4", "8", "16", "32", "64", "128", "256"})
    cases += speed_up("3", "name: \"" + std::string(meshes) + "\"", meshes);
  const copied_program program(claim_text("try.it", "    tolerance: 2%\n", cases));
  const command_result alone = program.reproduce({"--rows"});
  const std::string rows = program.rows();
  const command_result together = program.reproduce({"--rows", "--jobs", "3"});
  INFO(together.errors);
  REQUIRE(together.exited_with(0));
  CHECK(together.output == alone.output);
  CHECK(program.rows() == rows);
}

// The studies themselves may take minutes. An option that a study does not have would end the
// reproduction of all claims of that source.
TEST_CASE("the studies that claims ask take what claims set") {
  std::map<std::string, std::string> help;
  const auto check = [&help](const claim_run& asked, const claim_sets& more) {
    if (asked.study.empty()) return;
    std::string& text = help[asked.study];
    if (text.empty()) text = run({{heddle_program(), asked.study, "--help"}, ""}).output;
    claim_sets sets = asked.sets;
    sets.insert(sets.end(), more.begin(), more.end());
    for (const auto& [name, value] : sets) {
      INFO(asked.study << ": " << name << " " << value);
      const bool is_named = text.find("\n  --" + name + " ") != std::string::npos;
      const bool is_positional = text.find("\n  " + name + " ") != std::string::npos;
      CHECK((is_named || is_positional));
    }
  };
  for (const claim& each : read_claims().claims)
    for (const claim_case& one : each.cases) {
      check(one.run, {});
      if (one.over) check(*one.over, {});
      for (const claim_sets& point : one.points) check(one.run, point);
    }
  CHECK(help.size() > 4);
}

TEST_CASE("claims whose run fails leave no file") {
  const copied_program program(claim_text("try.fails", "    tolerance: 2%\n",
                                          speed_up("3.8", "name: a") + speed_up("3", "", "6")));
  const command_result result = program.reproduce();
  CHECK(result.exited_with(2));
  CHECK_THAT(result.errors, Catch::Contains("try.fails: "));
  CHECK_THAT(result.errors, Catch::Contains("--meshes 6: expected powers of two"));
  CHECK(program.left_nothing());
}

// The collected facts stand beside the project where they stand at all. They are YAML of any form,
// of which netlists are a part.
TEST_CASE("every claim of the sources has cases, or is listed as not built") {
  const fs::path shared = project_file("../shared/claims");
  if (!fs::exists(shared)) return;
  std::set<std::string> ours;
  for (const claim& each : read_claims().claims) ours.insert(each.id);
  for (const auto& file : fs::directory_iterator(shared)) {
    if (file.path().extension() != ".yaml") continue;
    for (const YAML::Node& each : YAML::LoadFile(file.path().string())["claims"]) {
      if (each["kind"].as<std::string>() == "input") continue;
      const auto id = each["id"].as<std::string>();
      INFO(file.path().filename() << ", " << id);
      CHECK(ours.count(id) == 1);
    }
  }
}

TEST_CASE("what netlists choose is listed in the order of the files of claims") {
  std::set<std::string> files;
  for (const auto& file : fs::directory_iterator(project_file("yaml/claims")))
    if (file.path().extension() == ".yaml") files.insert(file.path().string());
  std::vector<std::string> expected, listed;  // netlists
  for (const std::string& file : files) {
    const yaml_node top = parse_yaml_file(file);
    const yaml_node* const free = top.find("free");
    if (!free) continue;
    for (const yaml_entry& netlist : free->entries())
      expected.insert(expected.end(), netlist.value.items().size(), netlist.key);
  }
  for (const free_parameter& each : read_claims().free) listed.push_back(each.netlist);
  CHECK(listed == expected);
}

TEST_CASE("what is listed as not built has no cases") {
  std::set<std::string> built;
  for (const claim& each : read_claims().claims)
    if (each.not_built.empty()) built.insert(each.id);
  const yaml_node top = parse_yaml_file(project_file("yaml/claims/not_built.yaml"));
  for (const yaml_node& each : top.find("claims")->items()) {
    INFO(each.find("id")->text());
    CHECK(built.count(each.find("id")->text()) == 0);
  }
}
