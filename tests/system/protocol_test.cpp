// How a receiver learns that its data are there: exact data by every protocol on fabrics whose
// paths take unequal times, what each costs, and who refuses what.
#include <catch2/catch.hpp>
#include <random>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

// Planes of unequal latency: blocks of 4 KiB overtake each other.
const std::string uneven = R"(
heddle: 1
name: uneven
params: {gpus: 4, planes: 3}
seed: 1
units:
  gpu: {array: "${gpus}", index: g, use: units/accelerator.yaml, number: "${g}", planes: "${planes}"}
  sw: {array: "${planes}", type: switch, ports: "${gpus}"}
links:
  - for: {g: "${gpus}", p: "${planes}"}
    between: ["gpu[g].port[p]", "sw[p].port[g]"]
    bandwidth: 50 GB/s
    latency: "${100 + 700 * p * p} ns"
workload: {collective: allreduce, algorithm: ring, dtype: fp16, op: sum, bytes: 1 KiB}
)";

nlohmann::json result_of(const heddle_run& run) {
  INFO(run.report());
  REQUIRE(run.is_verified());
  return run.stats()["collectives"][0];
}

double time_of(const heddle_run& run) {
  return result_of(run)["time_s"].get<double>();
}

// Of 128 B by four ranks, on one plane.
nlohmann::json result_by(const std::string& protocol, const std::string& latency) {
  const scratch_folder folder;
  return result_of(heddle_run(folder.write("even.yaml", uneven), {{"params.planes", "1"},
                                                                  {"workload.bytes", "128 B"},
                                                                  {"workload.protocol", protocol},
                                                                  {"links[0].latency", latency}}));
}

double propagation_in(const nlohmann::json& result) {
  return result["breakdown"]["propagation"].get<double>();
}

}  // namespace

TEST_CASE("rings are exact by every protocol where paths take unequal times") {
  const scratch_folder folder;
  const std::string file = folder.write("uneven.yaml", uneven);
  const auto seed = static_cast<unsigned>(GENERATE(range(0, 6)));
  std::mt19937 random(seed);
  const char* const protocols[] = {"ordered", "in_packet", "acknowledged"};
  const char* const collectives[] = {"allreduce", "reduce_scatter", "allgather"};
  const std::string protocol = protocols[seed % 3];
  const heddle_run run(file, {{"params.gpus", std::to_string(2 + random() % 4)},
                              {"params.planes", protocol == "ordered" ? "1" : "3"},
                              {"workload.collective", collectives[random() % 3]},
                              {"workload.protocol", protocol},
                              {"workload.bytes", "[240 B, 7680 B, 61440 B, 240 KiB]"}});
  INFO(run.report());
  CHECK(run.is_verified());
}

TEST_CASE("ranks use no more DMA channels than each of them has") {
  const scratch_folder folder;
  const std::string file = folder.write("uneven.yaml", uneven);
  const std::string collective = GENERATE("allreduce", "reduce_scatter", "allgather", "broadcast");
  const std::string algorithm = collective == "broadcast" ? "[ring, double_tree]" : "ring";
  const heddle_run unequal(file, {{"gpu[1].dma.channels", "1"},
                                  {"gpu[2].dma.channels", "3"},
                                  {"workload.collective", collective},
                                  {"workload.algorithm", algorithm},
                                  {"workload.bytes", "[240 B, 1 MiB]"}});
  INFO(unequal.report());
  REQUIRE(unequal.is_verified());
  const heddle_run equal(file, {{"workload.channels", "1"},
                                {"workload.collective", collective},
                                {"workload.algorithm", algorithm},
                                {"workload.bytes", "[240 B, 1 MiB]"}});
  REQUIRE(equal.is_verified());
  const auto results = unequal.stats()["collectives"];
  for (std::size_t i = 0; i < results.size(); ++i)
    CHECK(results[i]["time_s"] == equal.stats()["collectives"][i]["time_s"]);
}

// A step crosses the fabric once, with acknowledgement three times: data, answer, counter.
TEST_CASE("a step of a ring takes one way through the fabric, and three where it is acknowledged") {
  struct ways {
    const char* protocol;
    double crossings;
  };
  const ways each = GENERATE(ways{"acknowledged", 3}, ways{"ordered", 1}, ways{"in_packet", 1});
  const auto short_links = result_by(each.protocol, "1 us");
  const auto long_links = result_by(each.protocol, "3 us");
  // Six steps; each crossing is two links. Cores poll every 125 ns, of which 4 us are 32, and each
  // poll occupies the memory for another picosecond.
  const double gained = long_links["time_s"].get<double>() - short_links["time_s"].get<double>();
  CHECK(gained == Approx(6 * each.crossings * 2 * 2e-6).margin(1e-9));
  // The explanation finds the packets behind the flag, also where they bring it themselves.
  CHECK(propagation_in(short_links) == Approx(6 * each.crossings * 2 * 1e-6));
  CHECK(propagation_in(long_links) == Approx(6 * each.crossings * 2 * 3e-6));
}

TEST_CASE("auto takes order where the fabric keeps it, else flags in the packets of short chunks") {
  const scratch_folder folder;
  const std::string file = folder.write("uneven.yaml", uneven);
  const auto time = [&](const std::string& protocol, const std::string& planes,
                        const std::string& bytes) {
    return time_of(heddle_run(
        file,
        {{"params.planes", planes}, {"workload.bytes", bytes}, {"workload.protocol", protocol}}));
  };
  CHECK(time("auto", "3", "8 KiB") == time("in_packet", "3", "8 KiB"));
  CHECK(time("in_packet", "3", "8 KiB") < time("acknowledged", "3", "8 KiB"));
  CHECK(time("auto", "3", "1 MiB") == time("acknowledged", "3", "1 MiB"));
  CHECK(time("acknowledged", "3", "1 MiB") < time("in_packet", "3", "1 MiB"));
  for (const char* bytes : {"64 B", "8 KiB", "1 MiB"}) {
    CHECK(time("auto", "1", bytes) == time("ordered", "1", bytes));
    CHECK(time("ordered", "1", bytes) < time("in_packet", "1", bytes));
    CHECK(time("ordered", "1", bytes) < time("acknowledged", "1", bytes));
  }
}

TEST_CASE("a fabric that cannot keep the order of writes is refused where order is asked for") {
  const scratch_folder folder;
  const heddle_run run(folder.write("uneven.yaml", uneven), {{"workload.protocol", "ordered"}});
  CHECK(run.result().exited_with(2));
  CHECK_THAT(run.result().errors,
             Catch::Contains("`ordered` needs a fabric that keeps writes in order: what gpu[0].ni "
                             "writes to gpu[1].ni takes several paths, by its address; choose "
                             "`acknowledged` or `in_packet`"));
}

TEST_CASE("messages in lines are refused where a vector unit takes none of their length") {
  const heddle_run run(project_file("yaml/ring_allreduce.yaml"),
                       {{"gpu[3].vector.block", "64 B"},
                        {"workload.protocol", "in_packet"},
                        {"workload.bytes", "[512 B, 1 KiB]"}});
  CHECK(run.result().exited_with(2));
  CHECK(run.result().errors ==
        "--set workload.protocol: `in_packet`: gpu[3].vector takes a message as one block of up to "
        "64 B, messages have up to 128 B: `block` has to be that or more\n");
}
