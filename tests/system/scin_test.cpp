// The netlist of in-switch accelerators as a user runs it: every collective and odd sizes, what a
// train and missing data change, and what faulty firmware is told.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

const std::string netlist = "yaml/scin_dgx8.yaml";

// In sizes that leave planes without work, ranks without a chunk, and elements behind whole
// packets.
void check(const char* instructions, const std::vector<const char*>& gpus) {
  for (const char* collective : {"allreduce", "reduce", "broadcast", "reduce_scatter", "allgather"})
    for (const char* count : gpus) {
      const heddle_run run(project_file(netlist),
                           {{"workload.collective", collective},
                            {"workload.algorithm", "scin"},
                            {"workload.instructions", instructions},
                            {"workload.bytes", "[2 B, 130 B, 65534 B]"},
                            {"workload.root", std::string(count) == "1" ? "0" : "1"},
                            {"params.gpus", count},
                            {"monitors", "on"}});
      INFO(run.report());
      CHECK(run.is_verified());
    }
}

nlohmann::json collectives(settings values, const char* train, const char* data) {
  values.insert(values.end(), {{"train", train}, {"data", data}, {"workload.algorithm", "scin"}});
  const heddle_run run(project_file(netlist), values);
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  return run.stats()["collectives"];
}

std::vector<double> times(const nlohmann::json& of) {
  std::vector<double> all;
  for (const auto& each : of) all.push_back(each["time_s"].get<double>());
  return all;
}

const settings few_sizes = {{"workload.bytes", "[1 KiB, 16 KiB, 64 KiB, 512 KiB, 2 MiB]"}};
// A core that looks at its flag every 7 ns sees when it is raised.
const settings eager_cores = {{"workload.bytes", "[1 KiB, 16 KiB, 64 KiB, 512 KiB, 2 MiB]"},
                              {"gpu[*].memory.latency", "1 ns"},
                              {"gpu[*].cp.access_cost", "1 ns"}};

struct outcome {
  command_result result;
  std::string said;  // on the terminal and in summary.txt
};

outcome run_faulty(const std::string& core, const std::string& firmware, const settings& more) {
  const scratch_folder folder;
  settings values = {{"params.gpus", "4"},
                     {"workload.algorithm", "scin"},
                     {"workload.bytes", "4 KiB"},
                     {core + ".firmware", firmware}};
  values.insert(values.end(), more.begin(), more.end());
  command line = run_command(project_file(netlist), "out", values);
  line.words[0] = HEDDLE_WITH_MISTAKES;
  line.words.erase(std::find(line.words.begin(), line.words.end(), "--quiet"));
  line.folder = folder.path();
  outcome seen;
  seen.result = run(line);
  seen.said = seen.result.errors + folder.content("out/summary.txt");
  return seen;
}

void says(const outcome& seen, const std::string& text) {
  INFO(text << "\n----\n" << seen.said);
  CHECK(seen.result.exited_with(1));
  CHECK(seen.said.find(text) != std::string::npos);
}

}  // namespace

TEST_CASE("what does not reduce asks for no operator, whatever the netlist says") {
  const heddle_run run(project_file(netlist), {{"workload.collective", "allgather"},
                                               {"workload.algorithm", "[scin, nvls, ring]"},
                                               {"workload.dtype", "int32"},
                                               {"workload.op", "xor"},
                                               {"workload.bytes", "256 B"}});
  INFO(run.report());
  CHECK(run.is_verified());
}

TEST_CASE("collectives by in-switch accelerators are right, instructions ahead of time") {
  check("ahead", {"1", "2", "3", "8", "16"});
}
TEST_CASE("collectives by in-switch accelerators are right, instructions on demand") {
  check("on_demand", {"2", "5", "16"});
}

TEST_CASE("without data, collectives by in-switch accelerators take the same time") {
  for (const char* train : {"1", "32"})
    CHECK(times(collectives(few_sizes, train, "off")) ==
          times(collectives(few_sizes, train, "on")));
}

TEST_CASE("trains are within 1 % of packets for in-switch accelerators, seen by eager cores") {
  const auto exact = times(collectives(eager_cores, "1", "off"));
  const auto fast = times(collectives(eager_cores, "32", "off"));
  for (std::size_t i = 0; i < exact.size(); ++i) {
    INFO(i << ": " << 100 * (fast[i] / exact[i] - 1) << " %");
    CHECK(std::abs(fast[i] / exact[i] - 1) <= 0.01);
  }
}

TEST_CASE("trains are within 3 % or one look at the flag of packets for in-switch accelerators") {
  constexpr double look = 125e-9;  // a call, an access and the memory: what a poll takes
  const auto exact = times(collectives(few_sizes, "1", "off"));
  const auto fast = times(collectives(few_sizes, "32", "off"));
  for (std::size_t i = 0; i < exact.size(); ++i) {
    INFO(i << ": " << 100 * (fast[i] / exact[i] - 1) << " %");
    CHECK(std::abs(fast[i] - exact[i]) <= std::max(0.03 * exact[i], 1.01 * look));
  }
}

TEST_CASE("a rank that never arrives is named by the hang report") {
  const outcome seen = run_faulty("gpu[2].cp", "never_arrives", {});
  says(seen, "  nvs[3].isa waits for gpu[2] to arrive at stream 0\n");
  says(seen, "failed: gpu[1].cp: hang: polls ");
}

TEST_CASE("a rank that never arrives is named by the watchdog") {
  const outcome seen = run_faulty("gpu[2].cp", "never_arrives", {{"workload.timeout", "50 us"}});
  says(seen, "stream 0 stops: MISSING_MEMBER (gpu[2])\n");
  says(seen, "isa: a member never arrived");
  says(seen, "failed: gpu[1].cp: firmware 'collectives' ended with code 7 at ");
  says(seen, "  nvs[0].isa waits for stream 0 to be reset after MISSING_MEMBER (gpu[2])\n");
}

TEST_CASE("an instruction that is refused is named, with its culprit") {
  const outcome seen = run_faulty("host.cp", "push_bad_instruction", {});
  says(seen, "instruction 7: UNMAPPED (gpu[1])\n");
  says(seen, "isa: unmapped address");
  says(seen, "failed: host.cp: firmware 'push_bad_instruction' ended with code 7 at ");
}

TEST_CASE("quantized all-reduces are checked once every rank has read its result") {
  const std::string count = GENERATE("1", "2", "5");
  const std::string quantization = GENERATE("{bits: 8}", "{bits: 4, block: 32}");
  const heddle_run run(project_file(netlist), {{"workload.algorithm", "scin_inq"},
                                               {"workload.quantization", quantization},
                                               {"workload.bytes", "[2 B, 4 KiB, 65534 B]"},
                                               {"params.gpus", count},
                                               {"monitors", "on"}});
  INFO(run.report());
  CHECK(run.is_verified());
}

TEST_CASE("quantized all-reduces are refused where hardware has no room for blocks with scales") {
  struct mistake {
    const char *key, *value, *quantization, *message;
  };
  const mistake given = GENERATE(
      mistake{"gpu[*].vector.block", "64 B", "{bits: 8}",
              "gpu[0].vector computes blocks of 64 B (`block`), 64 elements of fp16 that share a "
              "scale (`quantization`) have 128 B"},
      mistake{"gpu[2].vector.block", "128 B", "{block: 512}",
              "gpu[2].vector computes blocks of 128 B (`block`), 512 elements of fp16"},
      mistake{"nvs[*].isa.scale_table", "2 B", "{bits: 8}",
              "`scale_table` has to be 32 B or more"});
  settings values = {{"workload.quantization", given.quantization}, {"workload.bytes", "1 MiB"}};
  values.emplace_back(given.key, given.value);
  settings quantized = values;
  quantized.emplace_back("workload.algorithm", "scin_inq");
  const heddle_run refused(project_file(netlist), quantized);
  INFO(refused.report());
  CHECK(refused.result().exited_with(2));
  CHECK(refused.result().errors.rfind("--set workload.algorithm: ", 0) == 0);
  CHECK_THAT(refused.result().errors, Catch::Contains(given.message));
  values.emplace_back("workload.algorithm", "auto");
  CHECK(heddle_run(project_file(netlist), values).is_verified());
}

TEST_CASE("a train as long as a wave is a warning where packets are read out one by one") {
  struct lengths {
    const char *train, *wave;
    bool is_warned;
  };
  const lengths given = GENERATE(lengths{"32", "4 KiB", true}, lengths{"32", "8 KiB", false},
                                 lengths{"1", "4 KiB", false}, lengths{"1", "128 B", false});
  settings values = {{"workload.algorithm", "scin"}, {"workload.bytes", "1 KiB"},
                     {"params.readout", "packet"},   {"params.table", "8 KiB"},
                     {"params.wave", given.wave},    {"train", given.train}};
  const heddle_run run(project_file(netlist), values);
  REQUIRE(run.is_verified());
  const std::string expected =
      "warning: `readout: packet` does what `readout: wave` does: a train of 32 packets holds "
      "4 KiB, and a wave of in-switch accelerators 4 KiB; `train: 1` reads out each packet\n";
  CHECK(run.result().errors == (given.is_warned ? expected : ""));
}

TEST_CASE("a barrier by an in-switch accelerator takes one way to the switch and one back") {
  const bool is_on_demand = GENERATE(false, true);
  const heddle_run run(project_file(netlist),
                       {{"workload.collective", "barrier"},
                        {"workload.algorithm", "[scin, auto, nvls, ring]"},
                        {"workload.instructions", is_on_demand ? "on_demand" : "ahead"}});
  INFO(run.report());
  CHECK(run.is_verified());
  const auto results = run.stats()["collectives"];
  CHECK(results[0]["algorithm"] == "scin");
  CHECK(results[3]["algorithm"] == "dissemination");
  const std::vector<double> all = times(results);
  constexpr double ways = 2 * 250e-9, look = 125e-9;  // links; what a poll takes
  CHECK(all[0] > ways);
  if (is_on_demand) return;  // rank 0 writes registers across the fabric first
  CHECK(all[0] < ways + 2 * look);
  CHECK(all[0] < all[3]);
}

TEST_CASE("algorithms that stand for the same one are run once, and nothing is said of their own") {
  const auto names = [](const std::string& collective) {
    const heddle_run run(project_file(netlist),
                         {{"workload.collective", collective},
                          {"workload.algorithm", "[ring, nvls, scin, scin_inq]"},
                          {"workload.bytes", "1 KiB"}});
    INFO(run.report());
    CHECK(run.is_verified());
    CHECK_THAT(run.folder().content("out/summary.txt"), !Catch::Contains("quantize"));
    const nlohmann::json stats = run.stats();
    std::vector<std::string> found;
    for (const auto& each : stats["collectives"]) found.push_back(each["algorithm"]);
    return found;
  };
  CHECK(names("barrier") == std::vector<std::string>{"dissemination", "nvls", "scin"});
  CHECK(names("p2p_latency") == std::vector<std::string>{"write"});
}

TEST_CASE("groups of ranks have collectives of their own in streams of their own") {
  const std::string collective =
      GENERATE("allreduce", "reduce", "broadcast", "reduce_scatter", "allgather", "barrier");
  const std::string instructions = GENERATE("ahead", "on_demand");
  const heddle_run run(
      project_file(netlist),
      {{"workload.collective", collective},
       {"workload.algorithm", "scin"},
       {"workload.instructions", instructions},
       {"workload.bytes", collective == "barrier" ? "2 B" : "[2 B, 130 B, 65534 B]"},
       {"workload.root", "1"},
       {"workload.groups", instructions == "ahead" ? "4" : "2"},
       {"workload.streams", "2"},
       {"workload.addresses", instructions == "ahead" ? "single" : "each"},
       {"monitors", "on"}});
  INFO(run.report());
  CHECK(run.is_verified());
}

TEST_CASE("parts of the data of quantized all-reduces go by several streams") {
  const std::string streams = GENERATE("1", "3", "8");
  const heddle_run run(project_file(netlist), {{"workload.algorithm", "scin_inq"},
                                               {"workload.addresses", "single"},
                                               {"workload.streams", streams},
                                               {"workload.bytes", "[2 B, 4 KiB, 65534 B]"},
                                               {"params.gpus", "5"},
                                               {"monitors", "on"}});
  INFO(run.report());
  CHECK(run.is_verified());
}

// One controller would issue the waves of one group after those of another, and an accumulator of
// 128 B a cycle would take the operands of one port.
TEST_CASE("with a controller for each, a group of two takes as long as two ranks alone") {
  const settings sizes = {{"workload.bytes", "[2 B, 1 KiB, 64 KiB, 2 MiB]"},
                          {"params.controllers", "4"},
                          {"nvs[*].isa.bytes_per_cycle", "1024"}};
  settings pairs = sizes, alone = sizes;
  pairs.insert(pairs.end(), {{"workload.groups", "4"}});
  alone.insert(alone.end(), {{"params.gpus", "2"}});
  std::vector<double> in_pairs = times(collectives(pairs, "1", "off"));
  std::vector<double> of_two = times(collectives(alone, "1", "off"));
  CHECK(in_pairs.back() == Approx(of_two.back()).epsilon(1e-3));  // they share the accumulator
  in_pairs.pop_back();
  of_two.pop_back();
  CHECK(in_pairs == of_two);
}

TEST_CASE("streams cost an arrival each, and no other time, where one packet is all") {
  // 512 B are a packet for each plane: more streams have nothing to do.
  const auto time_of = [](const char* streams, const char* bytes) {
    return times(
               collectives({{"workload.bytes", bytes}, {"workload.streams", streams}}, "1", "off"))
        .front();
  };
  CHECK(time_of("8", "512 B") == time_of("1", "512 B"));
  CHECK(time_of("2", "1 KiB") > time_of("1", "1 KiB"));
}

TEST_CASE("instructions on demand with one address save a write for every further rank") {
  const auto time_of = [](const char* addresses, const char* gpus) {
    return times(collectives({{"workload.bytes", "512 B"},
                              {"gpu[*].memory.latency", "1 ns"},
                              {"gpu[*].cp.access_cost", "1 ns"},
                              {"workload.instructions", "on_demand"},
                              {"workload.addresses", addresses},
                              {"params.planes", "1"},
                              {"params.gpus", gpus}},
                             "1", "off"))
        .front();
  };
  const double pair = time_of("each", "2") - time_of("single", "2");
  const double eight = time_of("each", "8") - time_of("single", "8");
  CHECK(pair > 0);
  constexpr double look = 7e-9;  // of such an eager core
  CHECK(eight / 7 == Approx(pair).margin(2 * look));
}

// The tree over the ports of a switch adds gpu[3] + (gpu[4] + gpu[5]), the tree over three ranks
// (0 + 1) + 2.
TEST_CASE("in-switch accelerators add each rank at the leaf of its port, whichever take part") {
  const std::vector<settings> ways = {{{"workload.ranks", "gpu[1..5]"}},
                                      {{"workload.ranks", "gpu[6..2]"}},
                                      {{"workload.ranks", "gpu[0,3,5]"}},
                                      {{"params.gpus", "10"}, {"workload.groups", "2"}}};
  for (const char* collective : {"allreduce", "reduce", "reduce_scatter"})
    for (const char* instructions : {"ahead", "on_demand"})
      for (const settings& ranks : ways) {
        settings values = {{"workload.collective", collective},
                           {"workload.instructions", instructions},
                           {"workload.algorithm", "scin"},
                           {"workload.dtype", "fp32"},
                           {"workload.bytes", "64 KiB"}};
        values.insert(values.end(), ranks.begin(), ranks.end());
        const heddle_run run(project_file(netlist), values);
        INFO(run.report());
        CHECK(run.is_verified());
      }
}

TEST_CASE("quantized operands meet at the leaves of their ports, too") {
  const std::vector<settings> ways = {{{"workload.ranks", "gpu[1..5]"}},
                                      {{"workload.ranks", "gpu[4..0]"}, {"params.gpus", "5"}},
                                      {{"params.gpus", "10"}, {"workload.groups", "2"}}};
  for (const char* bits : {"8", "4"})
    for (const char* type : {"fp16", "fp32"})
      for (const settings& ranks : ways) {
        settings values = {{"workload.algorithm", "scin_inq"},
                           {"workload.quantization", "{bits: " + std::string(bits) + "}"},
                           {"workload.dtype", type},
                           {"workload.bytes", "[6400 B, 200 KiB]"}};
        values.insert(values.end(), ranks.begin(), ranks.end());
        const heddle_run run(project_file(netlist), values);
        INFO(run.report());
        CHECK(run.is_verified());
      }
}

TEST_CASE("an all-reduce with one address is right where a rank has another port in each plane") {
  for (const char* algorithm : {"scin", "scin_inq"}) {
    const heddle_run run(
        project_file(netlist),
        {{"params.gpus", "5"},
         {"links[0].between", R"(["gpu[g].port[p]", "nvs[p].port[(g + p) % gpus]"])"},
         {"workload.algorithm", algorithm},
         {"workload.addresses", "single"},
         {"workload.dtype", "fp32"},
         {"workload.bytes", "64 KiB"}});
    INFO(run.report());
    CHECK(run.is_verified());
  }
}

TEST_CASE("ranks that are not at the switch of every accelerator are refused") {
  const std::string ranks = GENERATE("gpu*", "gpu[0..1]");
  const heddle_run run(project_file("tests/system/tiers/scin.yaml"), {{"workload.ranks", ranks}});
  INFO(run.report());
  CHECK(run.result().exited_with(2));
  CHECK_THAT(run.result().errors,
             Catch::Contains("scin needs all ranks at the switches of in-switch accelerators, and "
                             "gpu[") &&
                 Catch::Contains(".cp is not at that of leaf[") && Catch::Contains("`devices`"));
}

TEST_CASE("a core leaves accelerators at other switches to others") {
  const heddle_run run(project_file("tests/system/tiers/scin.yaml"),
                       {{"workload.ranks", "gpu[2..3]"},
                        {"gpu[2..3].cp.devices", "gpu* leaf[1]*"},
                        {"host.cp.devices", "host* leaf[1]*"}});
  INFO(run.report());
  CHECK(run.is_verified());
}

TEST_CASE("accelerators in the switches of a dragonfly are told another routing") {
  const scratch_folder folder;
  const std::string file = folder.write("groups.yaml", R"(
heddle: 1
name: groups
topology:
  kind: dragonfly
  groups: 3
  switches: 2
  hosts: 2
  global_links: 1
  names: {host: gpu}
  host: {use: units/accelerator.yaml, number: "${i}", planes: 1}
  switch: {use: units/scin_switch.yaml, plane: "${i * 2 + j}", ports: 4}
  link: {vcs: 4}
units: {host: {use: units/isa_host.yaml}}
map:
  host.bus:
    - {for: {g: 3, s: 2}, at: "${0x40000000 + (2 * g + s) * 0x10000}", size: 16 KiB, to: "switch[g][s].registers"}
workload: {collective: allreduce, algorithm: scin, bytes: 1 KiB, ranks: "gpu[0..1]", setup: "host*"}
)");
  const heddle_run refused(file, {});
  CHECK(refused.result().exited_with(2));
  CHECK_THAT(refused.result().errors, Catch::Contains("`routing: {policy: up_down}`"));
  const heddle_run run(file, {{"routing.policy", "up_down"},
                              {"gpu[*].cp.devices", "gpu* switch[0][0].*"},
                              {"host.cp.devices", "host* switch[0][0].*"}});
  INFO(run.report());
  CHECK(run.is_verified());
}

TEST_CASE("a queue that does not hold the instructions of a job is refused before the run") {
  const auto with_queue = [](const char* entries, const char* collective, const char* written) {
    return heddle_run(project_file("yaml/scin_dgx8.yaml"), {{"workload.algorithm", "scin"},
                                                            {"workload.collective", collective},
                                                            {"workload.bytes", "16 KiB"},
                                                            {"workload.instructions", written},
                                                            {"nvs[*].isa.queue", entries}});
  };
  const std::string written = GENERATE("ahead", "on_demand");
  const heddle_run refused = with_queue("7", "reduce_scatter", written.c_str());
  CHECK(refused.result().exited_with(2));
  CHECK_THAT(refused.result().errors,
             Catch::Contains("reduce_scatter of 8 ranks has as many instructions, and `queue` of "
                             "nvs[0].isa is 7"));
  CHECK(with_queue("8", "allgather", written.c_str()).is_verified());
  CHECK(with_queue("1", "allreduce", written.c_str()).is_verified());
}
