// What a run shows of firmware on RISC-V cores: instructions, functions, and none of it changes a
// result.
#include <catch2/catch.hpp>

#include <algorithm>
#include <iomanip>
#include <map>
#include <regex>
#include <sstream>

#include "tests/support/heddle_run.hpp"
#include "tests/support/vcd_reader.hpp"

using namespace heddle;

namespace {

const settings small = {{"params.gpus", "2"}, {"workload.bytes", "4 KiB"}};

heddle_run ring(const std::string& core, const std::vector<std::string>& words = {}) {
  settings values = small;
  values.emplace_back("params.core", core);
  return heddle_run(project_file("yaml/ring_allreduce.yaml"), values, words);
}

// Text of each address, as objdump shows it, without its comments.
std::map<std::string, std::string> dumped(const std::string& program) {
  command asked;
  asked.words = {"riscv64-unknown-elf-objdump", "-d", program};
  const command_result seen = run(asked);
  REQUIRE(seen.exited_with(0));
  const std::regex row(R"(^\s*([0-9a-f]+):\t[0-9a-f]+\s+\t(\S+)\t?(.*)$)");
  std::map<std::string, std::string> found;
  std::istringstream lines(seen.output);
  for (std::string line; std::getline(lines, line);) {
    std::smatch part;
    if (!std::regex_match(line, part, row)) continue;
    const std::string text = part[2].str() + (part[3].length() > 0 ? " " : "") + part[3].str();
    found[part[1]] = text.substr(0, text.find(" # "));
  }
  return found;
}

struct traced_line {
  double ns = 0;
  std::string core, pc, place, text, result;
};

// A trap is a line without pc and place.
std::vector<traced_line> read_trace(const std::string& content) {
  const std::regex row(
      R"(^\s*([0-9.]+) ns  (\S+)  ([0-9a-f]+)( <\S+>)?:\s+(.*?)(?:\s{2,}(\S.*))?$)");
  const std::regex trap(R"(^\s*([0-9.]+) ns  (\S+)  trap: (.*)$)");
  std::vector<traced_line> found;
  std::istringstream lines(content);
  for (std::string line; std::getline(lines, line);) {
    std::smatch part;
    INFO(line);
    if (std::regex_match(line, part, trap)) {
      found.push_back({std::stod(part[1]), part[2], "", "", "trap", part[3]});
      continue;
    }
    REQUIRE(std::regex_match(line, part, row));
    found.push_back({std::stod(part[1]), part[2], part[3], part[4], part[5], part[6]});
  }
  return found;
}

const nlohmann::json* row_of(const nlohmann::json& core, const std::string& function) {
  for (const auto& each : core["functions"])
    if (each["name"] == function) return &each;
  return nullptr;
}

double sum_of(const nlohmann::json& core, const std::string& key) {
  double sum = 0;
  for (const auto& each : core["functions"]) sum += each[key].get<double>();
  return sum;
}

}  // namespace

TEST_CASE("a line an instruction, as objdump has it, with what it writes") {
  const scratch_folder folder;
  const std::string program = HEDDLE_BARE_DIR "/registers.elf";
  const heddle_run seen(project_file("yaml/rv64_bare.yaml"), {{"core.elf", program}},
                        {"--trace-insn=" + folder.file("trace.txt")});
  INFO(seen.report());
  REQUIRE(seen.result().exited_with(0));
  const std::vector<traced_line> trace = read_trace(folder.content("trace.txt"));
  std::map<std::string, std::string> code = dumped(program);
  REQUIRE(trace.size() > 100);
  std::size_t jumps = 0, traps = 0, interrupts = 0, returns = 0;
  std::string goes_to;  // of an mret before
  double latest = 0;
  for (const traced_line& each : trace) {
    CHECK(each.ns >= latest);
    latest = each.ns;
    if (each.text == "trap") {
      const bool is_interrupt = each.result.find(" interrupt, ") != std::string::npos;
      ++(is_interrupt ? interrupts : traps);
      continue;
    }
    if (!goes_to.empty()) CHECK(each.pc == goes_to);
    goes_to = each.text == "mret" ? each.result.substr(3, each.pc.size()) : "";
    returns += each.text == "mret" ? 1 : 0;
    std::string wanted = code[each.pc];
    INFO(each.pc << ": " << each.text);
    CHECK(each.text == wanted);
    jumps += wanted.find('<') != std::string::npos ? 1 : 0;
  }
  CHECK(jumps > 10);
  CHECK(traps == 5);  // four registers that there are not, and the last ecall
  CHECK(interrupts == 1);
  CHECK(returns == 1);
  CHECK(trace.front().place == " <_start>");
  CHECK(trace.back().result == "[0x80001000]=0x1");
  const auto instructions = seen.stats()["units"]["core"]["instructions"]["value"];
  // What traps is not done, an interrupt is no instruction; the store that ends it is done.
  CHECK(trace.size() == instructions.get<std::size_t>() + 2 * traps + interrupts);
}

TEST_CASE("a line has the memory that an atomic writes, and the CSR") {
  const std::string core = GENERATE("rv32_core", "rv64_core");
  const bool is_narrow = core == "rv32_core";
  const scratch_folder folder;
  const heddle_run seen(
      project_file("yaml/rv64_bare.yaml"),
      {{"params.core", core},
       {"core.elf", HEDDLE_BARE_DIR "/writes" + std::string(is_narrow ? "32" : "") + ".elf"}},
      {"--trace-insn=" + folder.file("trace.txt")});
  INFO(seen.report());
  REQUIRE(seen.result().exited_with(0));
  std::map<std::string, std::vector<std::string>> results;
  for (const traced_line& each : read_trace(folder.content("trace.txt")))
    results[each.text.substr(0, each.text.find(' '))].push_back(each.result);
  const std::string upper = is_narrow ? "" : "ffffffff", at = "[0x80003000]";
  using rows = std::vector<std::string>;
  CHECK(results["lr.w"] == rows{"a0=0x7"});
  CHECK(results["sc.w"] == rows{"a1=0x0 " + at + "=0x5", "a1=0x1"});
  CHECK(results["amoadd.w"] == rows{"a2=0x5 " + at + "=0xa", at + " add 0xffffffff"});
  CHECK(results["amomaxu.w"] == rows{"a3=0xa " + at + "=0xffffffff"});
  CHECK(results["amoswap.w"] == rows{at + "=0x5"});
  CHECK(results["csrrw"] == rows{"a4=0x0 mscratch=0x5"});
  CHECK(results["csrrs"] == rows{"a5=0x5 mscratch=0x7"});
  CHECK_THAT(results["csrr"], Catch::VectorContains(std::string("a6=0x7")));
  CHECK(results["csrw"].back() == "mepc=0x" + upper + "fffffffe");
}

TEST_CASE("the trap that ends a program has its line, and what trapped is not counted") {
  const scratch_folder folder;
  const heddle_run seen(project_file("yaml/rv64_bare.yaml"),
                        {{"core.elf", HEDDLE_BARE_DIR "/last_ecall.elf"}},
                        {"--trace-insn=" + folder.file("trace.txt")});
  INFO(seen.report());
  CHECK(seen.result().exited_with(0));
  const std::vector<traced_line> trace = read_trace(folder.content("trace.txt"));
  REQUIRE(trace.size() > 2);
  CHECK(trace[trace.size() - 2].text == "ecall");
  CHECK(trace.back().text == "trap");
  CHECK(trace.back().result.find("no handler") != std::string::npos);
  CHECK(seen.stats()["units"]["core"]["instructions"]["value"] ==
        std::count_if(trace.begin(), trace.end(), [](const traced_line& each) {
          return each.text != "trap";
        }) - std::count_if(trace.begin(), trace.end(), [](const traced_line& each) {
          return each.text == "trap";
        }));
}

TEST_CASE("a trap has a line with its cause, where it was, its value and its handler") {
  const scratch_folder folder;
  const heddle_run seen(project_file("yaml/rv64_bare.yaml"),
                        {{"core.elf", HEDDLE_BARE_DIR "/interrupts.elf"}},
                        {"--trace-insn=" + folder.file("trace.txt")});
  INFO(seen.report());
  REQUIRE(seen.result().exited_with(0));
  std::vector<std::string> traps;
  for (const traced_line& each : read_trace(folder.content("trace.txt")))
    if (each.text == "trap") traps.push_back(each.result);
  const auto is_there = [&traps](const std::string& row) {
    const std::regex wanted(row);
    return std::any_of(traps.begin(), traps.end(), [&wanted](const std::string& each) {
      return std::regex_match(each, wanted);
    });
  };
  CHECK(is_there("timer interrupt, epc 8\\w+ <test\\+0x\\w+>, tval 0x0, to 8\\w+ <table\\+0x1c>"));
  CHECK(
      is_there("software interrupt, epc 8\\w+ <test\\+0x\\w+>, tval 0x0, to 8\\w+ <table\\+0xc>"));
  CHECK(is_there("timer interrupt, epc 8\\w+ <on_software\\+0x\\w+>, tval 0x0, to .*"));
  CHECK(is_there("illegal instruction, epc 8\\w+ <test\\+0x\\w+>, tval 0x0, to 8\\w+ <table>"));
}

TEST_CASE("instructions are traced for the cores and the time that were asked for") {
  const scratch_folder folder;
  const heddle_run seen =
      ring("rv64_core", {"--trace-insn=" + folder.file("t"), "--trace-insn-cores", "gpu[1]*",
                         "--trace-insn-window", "8 us..9 us"});
  INFO(seen.report());
  REQUIRE(seen.is_verified());
  const std::vector<traced_line> trace = read_trace(folder.content("t"));
  REQUIRE(trace.size() > 20);
  for (const traced_line& each : trace) {
    CHECK(each.core == "gpu[1].cp");
    CHECK(each.ns >= 8000);
    CHECK(each.ns <= 9000);
  }
  const heddle_run all = ring("rv64_core", {"--trace-insn=" + folder.file("all")});
  std::size_t inside = 0;
  for (const traced_line& each : read_trace(folder.content("all")))
    inside += each.core == "gpu[1].cp" && each.ns >= 8000 && each.ns <= 9000 ? 1 : 0;
  CHECK(trace.size() == inside);
}

TEST_CASE("looking at firmware changes no result") {
  const scratch_folder folder;
  const std::string core = GENERATE("rv64_core", "core");
  const heddle_run plain = ring(core);
  std::vector<std::string> words = {"--profile", "--wave", folder.file("w.vcd")};
  if (core == "rv64_core") words.push_back("--trace-insn=" + folder.file("t"));
  const heddle_run seen = ring(core, words);
  INFO(seen.report());
  REQUIRE(seen.is_verified());
  CHECK(plain.folder().content("out/stats.json") == seen.folder().content("out/stats.json"));
  CHECK(plain.folder().content("out/links.csv") == seen.folder().content("out/links.csv"));
}

TEST_CASE("the functions of a profile add up to what the core did") {
  const std::string core = GENERATE("rv64_core", "core");
  const heddle_run seen = ring(core, {"--profile=gpu[1]*"});
  INFO(seen.report());
  REQUIRE(seen.is_verified());
  const auto cores = nlohmann::json::parse(seen.folder().content("out/profile.json"))["cores"];
  REQUIRE(cores.size() == 1);
  const auto& profile = cores["gpu[1].cp"];
  const auto stats = seen.stats()["units"]["gpu[1].cp"];
  const double accesses =
      stats["reads"]["value"].get<double>() + stats["writes"]["value"].get<double>();
  CHECK(sum_of(profile, "accesses") == accesses);
  CHECK(sum_of(profile, "poll_s") == Approx(stats["poll_time"]["value"].get<double>()));
  CHECK(sum_of(profile, "access_s") > 0);
  const nlohmann::json* const waiting = row_of(profile, "communicator_await");
  REQUIRE(waiting);
  CHECK((*waiting)["poll_s"] > 0.0);
  CHECK((*waiting)["accesses"] > 0);
  const nlohmann::json* const main = row_of(profile, "main");
  REQUIRE(main);
  if (core == "core") {  // reads registers and does not poll
    CHECK((*main)["access_s"] > 0.0);
    CHECK((*main)["poll_s"] == 0.0);
  }
  if (core == "core") {
    CHECK((*waiting)["self_s"] == (*waiting)["total_s"]);
    CHECK(row_of(profile, "hal_read32") == nullptr);
    return;
  }
  const nlohmann::json* const start = row_of(profile, "_start");
  REQUIRE(start);
  CHECK(sum_of(profile, "self_cycles") == (*start)["total_cycles"].get<double>());
  CHECK((*start)["calls"] == 1);
  CHECK((*main)["total_cycles"].get<double>() > 0.9 * (*start)["total_cycles"].get<double>());
  CHECK((*main)["self_cycles"].get<double>() < 0.1 * (*start)["total_cycles"].get<double>());
}

TEST_CASE("the table of a profile tells what share of a core's time each function takes itself") {
  const scratch_folder folder;
  command line;
  line.words = {heddle_program(),
                "run",
                project_file("yaml/ring_allreduce.yaml"),
                "--out",
                folder.file("out"),
                "--profile=gpu[1]*",
                "--set",
                "params.core=rv64_core"};
  for (const auto& [path, value] : small)
    line.words.insert(line.words.end(), {"--set", path + "=" + value});
  const command_result told = run(line);
  INFO(told.errors);
  REQUIRE(told.exited_with(0));
  const auto profile =
      nlohmann::json::parse(folder.content("out/profile.json"))["cores"]["gpu[1].cp"];
  const double all = sum_of(profile, "self_s");
  for (const char* function : {"main", "communicator_await", "memset"}) {
    INFO(function);
    const nlohmann::json* const row = row_of(profile, function);
    REQUIRE(row);
    std::ostringstream share;
    share << std::fixed << std::setprecision(1) << 100 * (*row)["self_s"].get<double>() / all;
    const std::size_t end = told.output.find("  " + std::string(function) + "\n");
    REQUIRE(end != std::string::npos);
    const std::size_t begin = told.output.rfind('\n', end) + 1;
    CHECK_THAT(told.output.substr(begin, end - begin), Catch::Contains(" " + share.str() + " %"));
  }
}

TEST_CASE("the function that a core is in stands in the wave") {
  const scratch_folder folder;
  const std::string core = GENERATE("rv64_core", "core");
  const heddle_run seen = ring(core, {"--wave", folder.file("w.vcd")});
  INFO(core << seen.report());
  REQUIRE(seen.is_verified());
  const vcd_wave wave = read_vcd(folder.file("w.vcd"));
  // Whoever polls for a peer is in communicator_await meanwhile.
  std::string function, activity;
  std::map<std::string, std::size_t> while_polling;
  std::size_t functions = 0;
  std::uint64_t polls_at = 0;
  for (const vcd_value& each : wave.values) {
    if (polls_at != 0 && each.when != polls_at) {
      ++while_polling[function];
      polls_at = 0;
    }
    if (each.name == "gpu_0.cp.function") function = each.value, ++functions;
    if (each.name != "gpu_0.cp.activity") continue;
    if (each.value == "POLL") polls_at = each.when;
  }
  CHECK(functions > 10);
  CHECK(while_polling["communicator_await"] > 0);
  for (const auto& [name, times] : while_polling) {
    INFO(name << " " << times);
    CHECK(name != "main");
    CHECK(name.rfind("hal_", 0) != 0);
  }
  // Beside the core's activity, for whoever opens the wave.
  const std::string save = folder.content("w.gtkw");
  CHECK(save.find("+{cp/activity} ") < save.find("+{cp/function} "));
  CHECK(save.find("+{cp/function} ") < save.find("+{cp/job} "));
}

TEST_CASE("without a file of its own, the list of instructions is among the results") {
  const heddle_run done = ring("rv64_core", {"--trace-insn", "--trace-insn-window", "7 us..8 us"});
  INFO(done.report());
  CHECK(done.result().exited_with(0));
  CHECK(done.folder().content("out/instructions.txt").find("gpu[0].cp") != std::string::npos);
}

TEST_CASE("whoever asks for what there is not is told") {
  const heddle_run native = ring("core", {"--trace-insn"});
  CHECK(native.result().exited_with(2));
  CHECK(native.result().errors.find("no core that executes instructions") != std::string::npos);
  const heddle_run nobody = ring("core", {"--profile=host*"});
  CHECK(nobody.result().exited_with(2));
  CHECK(nobody.result().errors.find("no core that runs firmware matches 'host*'") !=
        std::string::npos);
  CHECK(ring("rv64_core", {"--trace-insn-window", "1 us..2 us"}).result().exited_with(2));
  const heddle_run empty = ring("rv64_core", {"--trace-insn", "--trace-insn-window", "2 us..1 us"});
  CHECK(empty.result().exited_with(2));
  CHECK(empty.result().errors.find("--trace-insn-window 2 us..1 us: ends before it starts") !=
        std::string::npos);
}
