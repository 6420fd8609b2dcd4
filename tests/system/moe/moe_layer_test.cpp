// Mixture-of-experts layers, from the netlist to real vectors, their traffic and mistakes.
#include <catch2/catch.hpp>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/system/moe/moe_layers.hpp"

using namespace heddle;

namespace {

const std::string all_schedules =
    "[dysharp, dysharp_basic, dysharp_comet, fusion, deepep, fastermoe, tutel, comet, ccfuser, "
    "nvls]";

// `shape`: of GPUs, tokens of each, and experts of a token.
void write_routing(const std::string& path, const std::vector<std::int16_t>& experts,
                   const std::string& shape = "(8, 4, 2)") {
  std::string header = "{'descr': '<i2', 'fortran_order': False, 'shape': " + shape + ", }";
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  file << "\x93NUMPY" << '\x01' << '\x00' << static_cast<char>(header.size()) << '\x00' << header;
  file.write(reinterpret_cast<const char*>(experts.data()),
             static_cast<std::streamsize>(experts.size() * sizeof(std::int16_t)));
}

// Two experts a token, four tokens a GPU, on eight GPUs.
std::vector<std::int16_t> recorded() {
  std::vector<std::int16_t> experts;
  for (std::int16_t token = 0; token < 32; ++token) {
    experts.push_back(static_cast<std::int16_t>(token % 16));
    experts.push_back(static_cast<std::int16_t>((token + 5) % 16));
  }
  return experts;
}

heddle_run run_recorded(const scratch_folder& folder, const std::vector<std::int16_t>& experts,
                        const std::string& schedule = "dysharp") {
  write_routing(folder.file("routing.npy"), experts);
  return heddle_run(netlist, {{"workload.schedule", schedule},
                              {"workload.tokens", "4"},
                              {"workload.topk", "2"},
                              {"workload.routing", "{file: " + folder.file("routing.npy") + "}"}});
}

}  // namespace

TEST_CASE("every schedule returns the same sums, bit for bit, under the monitors") {
  const heddle_run done(netlist, {{"workload.schedule", all_schedules}, {"monitors", "on"}});
  INFO(done.report());
  REQUIRE(is_verified(done));
  REQUIRE(done.stats()["moe_layers"].size() == 10);
}

TEST_CASE("the time of a layer is explained by what happens in it") {
  const settings values = {{"workload.schedule", "[dysharp, comet, deepep, nvls]"}};
  settings explained = values;
  explained.emplace_back("workload.explain", "on");
  const nlohmann::json layers = layers_of(explained);
  CHECK(times_of(layers) == times_of(layers_of(values)));
  for (const auto& each : layers) {
    INFO(each.dump(1));
    const double time = each["time_s"];
    const auto share = [&](const char* what) {
      return each["breakdown"][what].get<double>() / time;
    };
    double sum = 0;
    for (const auto& part : each["breakdown"]) sum += part.get<double>();
    CHECK(sum == Approx(time).epsilon(1e-9));
    // Tokens go there and back, over two links each way; both GEMMs of a row follow each other.
    CHECK(share("propagation") * time >= 4 * 250e-9);
    CHECK(share("compute") > 0.02);
    CHECK(share("memory") > 0.02);
    // Of the kernels that poll for their rows, and of the core at the end.
    CHECK(share("completion") > 0);
    CHECK(share("completion") < 0.2);
  }
}

TEST_CASE("groups of the kernel played by firmware: the same sums, rows and traffic") {
  const auto run = [](const std::string& groups) {
    const heddle_run done(netlist,
                          {{"workload.schedule", "[dysharp, dysharp_basic, dysharp_comet]"},
                           {"workload.groups", groups},
                           {"workload.tokens", "200"},
                           {"monitors", "on"}});
    INFO(done.report());
    REQUIRE(is_verified(done));
    return done.stats()["moe_layers"];
  };
  const auto by_hub = run("hub"), by_firmware = run("firmware");
  for (std::size_t i = 0; i < by_hub.size(); ++i) {
    CHECK(by_firmware[i]["vectors"] == by_hub[i]["vectors"]);
    CHECK(by_firmware[i]["rows_checked"] == by_hub[i]["rows_checked"]);
    // One core writes a command for each token, twice.
    const double longer =
        by_firmware[i]["time_s"].get<double>() - by_hub[i]["time_s"].get<double>();
    CHECK(longer > 0);
    CHECK(longer < 200 * 2 * 150e-9);
  }
}

TEST_CASE("traffic of every schedule is that of its law, in each step and direction") {
  const auto layers = layers_of({{"workload.schedule", all_schedules}, {"data", "off"}});
  for (const auto& each : layers) {
    const double d = each["distinct_gpus"], leaving = each["leaving"];
    const std::string schedule = each["schedule"];
    const bool copies = schedule != "nvls" && schedule.rfind("dysharp", 0) != 0;
    const double once = schedule == "nvls" ? 1 : copies ? d : leaving;
    const double often = schedule == "nvls" ? 7 : d;
    INFO(schedule);
    CHECK(each["vectors"]["dispatch_out"] == once);
    CHECK(each["vectors"]["dispatch_in"] == often);
    CHECK(each["vectors"]["combine_out"] == often);
    CHECK(each["vectors"]["combine_in"] == once);
    CHECK(each["time_s"] >= each["bound_s"]);
    const double all = 2 * (once + often), time = each["time_s"], bound = each["bound_s"];
    const double tokens = 8 * 64, vector_bytes = 2 * 256;
    CHECK(each["vectors"]["all"] == Approx(all));
    CHECK(each["redundant"].get<double>() == Approx(1 - 2 * (d + leaving) / all).margin(1e-12));
    CHECK(each["useless"].get<double>() == Approx(often / d - 1).margin(1e-12));
    CHECK(each["payload_Bps"] == Approx(all * tokens * vector_bytes / time));
    CHECK(each["of_bound"] == Approx(bound / time));
    CHECK(each["gain"] == Approx(layers[0]["time_s"].get<double>() / time));
    const auto begin_of = [&](const char* step) {
      return each["steps"][step]["start_s"].get<double>();
    };
    const auto end_of = [&](const char* step) {
      return begin_of(step) + each["steps"][step]["time_s"].get<double>();
    };
    const double computing = std::max(end_of("gemm1"), end_of("gemm2")) - begin_of("gemm1");
    CHECK(each["communication_share"] == Approx(1 - computing / time));
  }
}

TEST_CASE("alone, multicast dispatch and added combine leave one direction as full as it was") {
  const auto layers = layers_of({{"workload.schedule", "[deepep, dysharp_basic]"},
                                 {"data", "off"},
                                 {"workload.tokens", "128"}});
  CHECK(layers[0]["vectors"]["dispatch_in"] == layers[1]["vectors"]["dispatch_in"]);
  CHECK(layers[0]["vectors"]["combine_out"] == layers[1]["vectors"]["combine_out"]);
  CHECK(layers[0]["vectors"]["dispatch_out"] > layers[1]["vectors"]["dispatch_out"]);
}

TEST_CASE("trains of 8 and 32 packets take a layer within 3 % of single ones") {
  const auto times = [](const std::string& train) {
    return times_of(layers_of({{"workload.schedule", "[dysharp, deepep]"},
                               {"data", "off"},
                               {"params.planes", "4"},
                               {"train", train},
                               {"workload.hidden", "2048"}}));
  };
  const auto single = times("1"), some = times("8"), together = times("32");
  for (std::size_t i = 0; i < single.size(); ++i) {
    CHECK(some[i] == Approx(single[i]).epsilon(0.03));
    CHECK(together[i] == Approx(single[i]).epsilon(0.03));
  }
}

TEST_CASE("hubs count translations for others after their own layer has ended, too") {
  const heddle_run done(netlist, {{"workload.schedule", "dysharp"}, {"data", "off"}});
  INFO(done.report());
  REQUIRE(done.result().exited_with(0));
  const auto stats = done.stats();
  const double experts = 4, packets = 4, tokens = 8 * 64;
  const auto sum = [&](const char* statistic) {
    double all = 0;
    for (int gpu = 0; gpu < 8; ++gpu)
      all +=
          stats["units"]["gpu[" + std::to_string(gpu) + "].hub"][statistic]["value"].get<double>();
    return all;
  };
  CHECK(sum("tlb_packets") == 2 * tokens * experts * packets);  // stored and fetched
  // The table has room for all: the first packet of each vector for each expert misses alone.
  CHECK(sum("tlb_packet_hits") == sum("tlb_packets") - tokens * experts);
  CHECK(sum("tlb_vector_hits") == sum("tlb_vectors") - tokens * experts);
  const double remote = tokens * stats["moe_layers"][0]["distinct_gpus"].get<double>();
  CHECK(sum("served_stores") == remote * packets);
  CHECK(sum("served_fetches") == remote * packets);
  // The switch copies a vector to all its experts, and adds what they return.
  const double leaving = tokens * stats["moe_layers"][0]["leaving"].get<double>();
  CHECK(sum("stored") == leaving * packets);
  CHECK(sum("fetched") == leaving * packets);
}

TEST_CASE("hubs that exchange vectors without the switch store them there and back") {
  const heddle_run done(netlist, {{"workload.schedule", "comet"}, {"data", "off"}});
  INFO(done.report());
  REQUIRE(done.result().exited_with(0));
  const auto stats = done.stats();
  const double packets = 4, tokens = 8 * 64;
  const double remote = tokens * stats["moe_layers"][0]["distinct_gpus"].get<double>();
  double stored = 0, fetched = 0;
  for (int gpu = 0; gpu < 8; ++gpu) {
    const auto& hub = stats["units"]["gpu[" + std::to_string(gpu) + "].hub"];
    stored += hub["stored"]["value"].get<double>();
    fetched += hub["fetched"]["value"].get<double>();
  }
  CHECK(stored == 2 * remote * packets);
  CHECK(fetched == 0);
}

TEST_CASE("a run draws how busy the wires were, by direction") {
  const heddle_run done(netlist, {{"workload.schedule", "[dysharp, comet]"}, {"data", "off"}});
  INFO(done.report());
  REQUIRE(done.result().exited_with(0));
  for (const std::string schedule : {"dysharp", "comet"}) {
    std::ifstream file(done.folder().file("out/moe_utilization_" + schedule + ".svg"));
    const std::string drawing((std::istreambuf_iterator<char>(file)), {});
    CHECK_THAT(drawing, Catch::StartsWith("<svg") && Catch::Contains("switches to GPUs") &&
                            Catch::Contains("by " + schedule));
  }
  for (const auto& each : done.stats()["moe_layers"])
    for (const char* direction : {"sent", "received"}) {
      CHECK(each["utilization"][direction] > 0.01);
      CHECK(each["utilization"][direction] < 1);
    }
}

TEST_CASE("the drawing of a layer has the origin and the length of its row") {
  const heddle_run done(netlist, {{"workload.schedule", "dysharp"}});
  INFO(done.report());
  REQUIRE(done.result().exited_with(0));
  const std::string drawing = done.folder().content("out/moe_utilization_dysharp.svg");
  const auto number = [&drawing](const std::string& before, const std::string& behind) {
    std::smatch found;
    const bool is_there =
        std::regex_search(drawing, found, std::regex(before + "([0-9.]+)" + behind));
    return is_there ? std::stod(found[1]) : -1;
  };
  const auto stats = done.stats();
  const auto& row = stats["moe_layers"][0];
  const double time = row["time_s"];
  CHECK(number("time, ", " us in all") == Approx(1e6 * time).margin(0.051));
  constexpr double left = 60, width = 720;  // of the axis of time
  const std::vector<std::pair<std::string, std::string>> colors = {
      {"dispatch", "#4e79a7"}, {"gemm1", "#59a14f"}, {"gemm2", "#8cd17d"}, {"combine", "#f28e2b"}};
  for (const auto& [step, color] : colors) {
    INFO(step);
    const double start = row["steps"][step]["start_s"], length = row["steps"][step]["time_s"];
    const std::string rest = "[^>]*\"" + color + "\"/>";
    CHECK(number("<rect x=\"", "\"" + rest) == Approx(left + width * start / time).margin(0.06));
    CHECK(number("<rect [^>]* width=\"", "\"" + rest) ==
          Approx(width * length / time).margin(0.06));
  }
}

// What dysharp sends into the switch is not what comes out of it: the switch copies and adds.
TEST_CASE("the utilization of a layer is the time for which wires are busy, by direction") {
  const heddle_run done(netlist, {{"workload.schedule", "dysharp"}, {"data", "off"}});
  INFO(done.report());
  REQUIRE(done.result().exited_with(0));
  const auto row = done.stats()["moe_layers"][0];
  std::istringstream lines(done.folder().content("out/links.csv"));
  std::string line;
  std::getline(lines, line);
  double sent = 0, received = 0;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::vector<std::string> of;
    for (std::string cell; std::getline(cells, cell, ',');) of.push_back(cell);
    REQUIRE(of.size() > 7);
    (of[0].rfind("gpu", 0) == 0 ? sent : received) += std::stod(of[7]);  // busy_s
  }
  const double all = 8 * row["time_s"].get<double>();  // eight GPUs with a wire each way
  CHECK(row["utilization"]["sent"] == Approx(sent / all).epsilon(1e-4));
  CHECK(row["utilization"]["received"] == Approx(received / all).epsilon(1e-4));
  CHECK(sent > 1.01 * received);
}

TEST_CASE("random layers: skewed load, empty experts, tables of one entry, full buffers") {
  struct layer {
    const char *seed, *planes, *train, *topk, *tokens, *hidden, *tile, *spread, *buffer, *entries;
  };
  const layer l = GENERATE(layer{"1", "1", "1", "1", "16", "64", "8", "2.5", "64 KiB", "512"},
                           layer{"2", "3", "1", "4", "20", "200", "7", "1.5", "256 B", "1"},
                           layer{"3", "4", "8", "16", "8", "2048", "128", "0.5", "4 KiB", "1"},
                           layer{"4", "9", "32", "3", "36", "1000", "1", "4", "0 B", "2"},
                           layer{"5", "2", "4", "8", "40", "24", "16", "10", "128 B", "1"});
  const settings values = {
      {"seed", l.seed},
      {"params.planes", l.planes},
      {"params.order", "arrival"},
      {"train", l.train},
      {"workload.numerics", "scale"},
      {"workload.schedule", all_schedules},
      {"workload.topk", l.topk},
      {"workload.tokens", l.tokens},
      {"workload.hidden", l.hidden},
      {"workload.tile", l.tile},
      {"workload.routing", std::string("{kind: power, spread: ") + l.spread + "}"},
      {"nvs[*].multimem.buffer", l.buffer},
      {"gpu[*].hub.al_tlb", l.entries},
      {"gpu[*].hub.al_misses", l.entries},
      {"gpu[*].hub.ts_table", l.entries},
      {"gpu[*].hub.or_table", l.entries},
      {"gpu[*].hub.multimem_queue", l.entries}};
  const heddle_run done(netlist, values);
  INFO(done.report());
  REQUIRE(is_verified(done));
}

TEST_CASE("a full reduction buffer evicts, and more sums travel") {
  const auto sums = [](const std::string& buffer) {
    const heddle_run done(netlist, {{"workload.schedule", "dysharp"},
                                    {"params.order", "arrival"},
                                    {"nvs[*].multimem.buffer", buffer}});
    INFO(done.report());
    REQUIRE(is_verified(done));
    const auto stats = done.stats();
    const auto& device = stats["units"]["nvs[0].multimem"];
    CHECK(device["hits"]["value"].get<int>() + device["evictions"]["value"].get<int>() >=
          device["fetches"]["value"].get<int>());
    return device["partial_sums"]["value"].get<int>();
  };
  REQUIRE(sums("64 KiB") == 0);
  REQUIRE(sums("1 KiB") > 0);
}

TEST_CASE("sums that come in parts are right within rounding, all others bit for bit") {
  struct layer {
    const char *key, *value, *schedule, *tokens;
  };
  const layer l = GENERATE(layer{"nvs[*].multimem.buffer", "16 KiB", "dysharp", "64"},
                           layer{"nvs[*].multimem.buffer", "16 KiB", "nvls", "64"},
                           layer{"nvs[*].multimem.buffer", "0 B", "dysharp", "64"},
                           layer{"gpu[*].hub.fetches", "1024", "dysharp", "256"});
  const auto run = [&](const settings& more) {
    settings values = {{"workload.schedule", l.schedule}, {"workload.tokens", l.tokens}};
    values.insert(values.end(), more.begin(), more.end());
    const heddle_run done(netlist, values);
    INFO(done.report());
    REQUIRE(is_verified(done));
    const auto stats = done.stats();
    std::uint64_t of_hubs = 0;
    for (int gpu = 0; gpu < 8; ++gpu)
      of_hubs += stats["units"]["gpu[" + std::to_string(gpu) + "].hub"]["parted"]["value"]
                     .get<std::uint64_t>();
    CHECK(stats["moe_layers"][0]["parted"] == of_hubs);
    return of_hubs;
  };
  CHECK(run({}) == 0);
  CHECK(run({{l.key, l.value}}) > 0);
  // The number is the same whether there are data to be added or not.
  const auto without_data = layers_of({{"workload.schedule", l.schedule},
                                       {"workload.tokens", l.tokens},
                                       {"workload.numerics", "scale"},
                                       {l.key, l.value},
                                       {"data", "off"}});
  CHECK(without_data[0]["parted"] == run({{l.key, l.value}, {"workload.numerics", "scale"}}));
}

// On GPU 2, after its layer: one changes the last bit of a result, the other the first bit of an
// exponent, which is wrong within any rounding.
TEST_CASE("a wrong token is told: by a bit where its sum came whole, by its value where in parts") {
  struct mistake {
    const char *firmware, *buffer;
  };
  const mistake m = GENERATE(mistake{"moe_last_bit", "64 KiB"}, mistake{"moe_exponent", "64 KiB"},
                             mistake{"moe_exponent", "0 B"});
  const scratch_folder folder;
  command line = run_command(netlist, "out",
                             {{"workload.schedule", "dysharp"},
                              {"nvs[*].multimem.buffer", m.buffer},
                              {"gpu[2].cp.firmware", m.firmware}});
  line.words[0] = HEDDLE_WITH_MISTAKES;
  line.folder = folder.path();
  const command_result result = run(line);
  INFO(result.errors);
  REQUIRE(result.exited_with(1));
  CHECK_THAT(result.errors,
             Catch::Contains("wrong data: dysharp: token 0 of gpu[2].cp is not the sum of its "
                             "experts"));
}

TEST_CASE("blocks of 0, 1, 127, 128 and 129 tokens, and all tokens for one expert") {
  const bool is_one = GENERATE(false, true);
  std::vector<std::int16_t> experts(512, 5);
  std::size_t next = 0;
  for (const auto& [expert, tokens] : {std::pair{0, 127}, {1, 128}, {2, 129}, {8, 1}, {3, 127}})
    for (int i = 0; i < tokens && !is_one; ++i)
      experts[next++ * 5 % 512] = static_cast<std::int16_t>(expert);
  const scratch_folder folder;
  write_routing(folder.file("routing.npy"), experts, "(8, 64, 1)");
  const heddle_run done(netlist,
                        {{"workload.schedule", all_schedules},
                         {"workload.topk", "1"},
                         {"workload.tile", "128"},
                         {"workload.numerics", "scale"},
                         {"workload.routing", "{file: " + folder.file("routing.npy") + "}"}});
  INFO(done.report());
  REQUIRE(is_verified(done));
  const auto stats = done.stats();
  for (const auto& each : stats["moe_layers"]) {
    const std::string schedule = each["schedule"];
    if (schedule == "fastermoe" || schedule == "tutel") continue;  // a row for each chunk
    CHECK(each["rows_checked"] == (is_one ? 4 : 6));
  }
}

TEST_CASE("without data a layer takes as long to the femtosecond") {
  const settings values = {{"workload.schedule", all_schedules}, {"workload.numerics", "scale"}};
  settings without = values;
  without.emplace_back("data", "off");
  REQUIRE(times_of(layers_of(values)) == times_of(layers_of(without)));
}

TEST_CASE("a recorded routing, tokens without experts among them") {
  const scratch_folder folder;
  std::vector<std::int16_t> experts = recorded();
  experts[0] = experts[1] = -1;
  experts[7] = -1;
  experts[2] = 12;  // instead of 1
  const heddle_run done = run_recorded(folder, experts, all_schedules);
  INFO(done.report());
  REQUIRE(is_verified(done));
  // 61 pairs of a token and an expert. Every expert has four at most, but for number 12; every
  // GPU eight, but for that expert's.
  const double pairs = 61;
  double remote = 0, leaving = 0;
  for (std::size_t token = 0; token < 32; ++token) {
    std::set<int> gpus;
    for (const std::size_t place : {0, 1})
      if (const int expert = experts[2 * token + place]; expert >= 0) gpus.insert(expert / 2);
    gpus.erase(static_cast<int>(token / 4));
    remote += static_cast<double>(gpus.size());
    leaving += gpus.empty() ? 0 : 1;
  }
  const auto stats = done.stats();
  for (const auto& each : stats["moe_layers"]) {
    CHECK(each["expert_imbalance"] == Approx(5 / (pairs / 16)));
    CHECK(each["gpu_imbalance"] == Approx(9 / (pairs / 8)));
    CHECK(each["distinct_gpus"] == Approx(remote / 32));
    CHECK(each["leaving"] == Approx(leaving / 32));
  }
}

TEST_CASE("tokens whose experts are all at home take no wires") {
  std::vector<std::int16_t> experts;
  for (std::int16_t token = 0; token < 32; ++token)
    for (const int own : {1, 0}) experts.push_back(static_cast<std::int16_t>(token / 4 * 2 + own));
  const scratch_folder folder;
  const heddle_run done = run_recorded(
      folder, experts,
      "[dysharp, dysharp_basic, dysharp_comet, fusion, deepep, fastermoe, tutel, comet, ccfuser]");
  INFO(done.report());
  REQUIRE(is_verified(done));
  const auto stats = done.stats();
  for (const auto& each : stats["moe_layers"]) CHECK(each["vectors"]["all"] == 0);
}

TEST_CASE("a layer whose tokens stay at home is faster than one whose tokens all travel") {
  const auto time_to = [](std::int16_t distance) {
    std::vector<std::int16_t> experts;
    for (std::int16_t token = 0; token < 512; ++token)
      experts.push_back(static_cast<std::int16_t>((token / 64 + distance) % 8 * 2 + token % 2));
    const scratch_folder folder;
    write_routing(folder.file("routing.npy"), experts, "(8, 64, 1)");
    return times_of(
        layers_of({{"workload.schedule", "[dysharp, deepep]"},
                   {"workload.topk", "1"},
                   {"workload.routing", "{file: " + folder.file("routing.npy") + "}"}}));
  };
  const std::vector<double> at_home = time_to(0), away = time_to(1);
  for (std::size_t i = 0; i < 2; ++i) CHECK(at_home[i] < away[i]);
}

TEST_CASE("a recorded token for an expert twice, or for one that does not exist, is refused") {
  const scratch_folder folder;
  std::vector<std::int16_t> experts = recorded();
  const bool is_twice = GENERATE(true, false);
  experts[13] = is_twice ? experts[12] : std::int16_t{99};
  const heddle_run done = run_recorded(folder, experts);
  INFO(done.report());
  REQUIRE(done.result().exited_with(2));
  CHECK_THAT(done.result().errors,
             Catch::Contains("routing.npy: byte 154: token 6 is for expert ") &&
                 Catch::EndsWith(is_twice ? "twice\n" : "99, of 16 (-1: for none)\n"));
}

TEST_CASE("ports of a switch at which no GPU is get no copies") {
  const heddle_run done(
      netlist,
      {{"units.nvs.ports", "12"}, {"workload.schedule", "nvls"}, {"workload.tokens", "16"}});
  INFO(done.report());
  CHECK(is_verified(done));
}

TEST_CASE("a routing of another shape is the user's mistake") {
  const scratch_folder folder;
  std::vector<std::int16_t> experts = recorded();
  experts.resize(8 * 5 * 2);
  write_routing(folder.file("routing.npy"), experts, "(8, 5, 2)");
  const heddle_run done(netlist,
                        {{"workload.tokens", "4"},
                         {"workload.topk", "2"},
                         {"workload.routing", "{file: " + folder.file("routing.npy") + "}"}});
  INFO(done.report());
  REQUIRE(done.result().exited_with(2));
  REQUIRE_THAT(done.result().errors,
               Catch::Contains("routing.npy") && Catch::Contains("[8, 5, 2]"));
}

TEST_CASE("a slow GPU whose experts nobody asks does not bound a layer") {
  const scratch_folder folder;
  std::vector<std::int16_t> experts;  // none of GPU 0, which has 0 and 1
  for (std::int16_t token = 0; token < 32; ++token) {
    experts.push_back(static_cast<std::int16_t>(2 + token % 14));
    experts.push_back(static_cast<std::int16_t>(2 + (token + 5) % 14));
  }
  write_routing(folder.file("routing.npy"), experts);
  const auto layers = layers_of({{"workload.schedule", all_schedules},
                                 {"workload.tokens", "4"},
                                 {"workload.topk", "2"},
                                 {"workload.ffn", "1024"},
                                 {"workload.routing", "{file: " + folder.file("routing.npy") + "}"},
                                 {"gpu[0].hub.tflops", "1"},
                                 {"data", "off"}});
  for (const auto& each : layers) {
    INFO(each["schedule"]);
    CHECK(each["time_s"] >= each["bound_s"]);
  }
}

TEST_CASE("layers that the system cannot run are refused with their place") {
  struct mistake {
    const char *key, *value, *message;
  };
  const mistake m = GENERATE(
      mistake{"workload.experts", "12", "12 experts cannot be divided evenly among 8 GPUs"},
      mistake{"workload.experts", "32", "sends 2 experts to each GPU, the layer has 4"},
      mistake{"nvs[*].multimem.members", "7",
              "moe_small.yaml:15:3: nvs[0].multimem has `members: 7`, the layer has 8 GPUs"},
      mistake{"workload.topk", "17", "topk 17 of 16 experts"},
      mistake{"workload.schedule", "dysharq", "did you mean 'dysharp'?"},
      mistake{"workload.schedule", "[fastermoe]", "4 chunks"},
      mistake{"workload.routing", "{kind: power, spread: -1}", "expected a spread from 0 to 10"},
      mistake{"workload.sms", "[1, 2]", "[16, 50, 50, 16]"},
      mistake{"workload.sms", "[40, 50, 50, 16]", "`sms` are 156 in all, the hub beside gpu[0].cp"},
      mistake{"gpu[*].hub.sms", "100", "has 100"},
      mistake{"workload.sms", "[5, 5, 5, 5]", "leaves GEMMs none of 20"},
      mistake{"workload.experts", "8192", "1024 experts on a GPU in 1 chunks are 1024 blocks, 512"},
      mistake{"workload.dispatch_dtype", "fp8", "vectors of fp8 are not computed"},
      mistake{"workload.gated", "true", "real vectors are multiplied without a gate"},
      mistake{"workload.groups", "firmware", "comet: firmware drives dynamic multimem alone"});
  settings values = {{m.key, m.value}};
  if (std::string(m.value) == "[fastermoe]") values.emplace_back("workload.tokens", "63");
  const heddle_run done(netlist, values);
  INFO(done.report());
  REQUIRE(done.result().exited_with(2));
  REQUIRE_THAT(done.result().errors, Catch::Contains(m.message));
}

TEST_CASE("switches that share the range of tokens get the answers to their own requests") {
  const std::string tiers = project_file("tests/system/tiers/moe.yaml");
  REQUIRE(is_verified(heddle_run(tiers, {})));
  const heddle_run astray(tiers, {{"routing.spread", "owner"}});
  INFO(astray.report());
  REQUIRE(astray.result().exited_with(2));
  REQUIRE_THAT(astray.result().errors, Catch::Contains("an answer of gpu[") &&
                                           Catch::Contains(".hub to spine[") &&
                                           Catch::Contains("`routing: {spread: destination}`"));
}

TEST_CASE("ranks that are not the GPUs from the first one on, in order, are refused") {
  const auto [ranks, experts, message] = GENERATE(table<const char*, const char*, const char*>(
      {{"gpu[7..0]", "16",
        "rank 0 of a moe_layer has its memory at 0x1000000000, where that of "
        "gpu[7].cp is at 0x8000000000"},
       {"gpu[0,2,4]", "6",
        "rank 1 of a moe_layer has its memory at 0x2000000000, where that of "
        "gpu[2].cp is at 0x3000000000"},
       {"gpu[4..7]", "8", "gpu[4].cp"}}));
  const heddle_run run(netlist, {{"workload.ranks", ranks}, {"workload.experts", experts}});
  INFO(run.report());
  REQUIRE(run.result().exited_with(2));
  REQUIRE_THAT(run.result().errors, Catch::Contains(message));
}

TEST_CASE("the first GPUs of a larger system run a layer alone") {
  REQUIRE(is_verified(heddle_run(netlist, {{"workload.ranks", "gpu[0..4]"},
                                           {"workload.experts", "10"},
                                           {"workload.schedule", "[dysharp, deepep]"}})));
}
