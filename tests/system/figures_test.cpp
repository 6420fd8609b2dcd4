// What stats.json says of a collective beside its time: rates, bytes on the wires, the part of the
// hardware, latencies. The oracle is arithmetic on sizes, and links.csv.
#include <catch2/catch.hpp>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

constexpr double ranks = 4, bytes = 65536;

struct example {
  const char* collective;
  double bus_factor;  // the bytes of a rank that an ideal algorithm carries through a port
  double carried;     // tensors of one rank that all ranks send together, around the ring
};

// Sums of a column of links.csv.
double sum_of(const heddle_run& run, std::size_t column) {
  std::istringstream lines(run.folder().content("out/links.csv"));
  std::string line;
  std::getline(lines, line);
  double sum = 0;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string cell;
    for (std::size_t i = 0; i <= column; ++i) std::getline(cells, cell, ',');
    sum += std::stod(cell);
  }
  return sum;
}

}  // namespace

TEST_CASE("rates of a collective follow from its bytes and its time, and its wires carry no more") {
  const example of = GENERATE(example{"allreduce", 2 * (ranks - 1) / ranks, 2 * (ranks - 1)},
                              example{"reduce_scatter", (ranks - 1) / ranks, ranks - 1},
                              example{"allgather", (ranks - 1) / ranks, ranks - 1},
                              example{"broadcast", 1, ranks - 1});
  const heddle_run run(project_file("yaml/ring_allreduce.yaml"),
                       {{"params.gpus", "4"},
                        {"workload.collective", of.collective},
                        {"workload.bytes", "64 KiB"},
                        {"data", "off"}});
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  const auto job = run.stats()["collectives"].at(0);
  INFO(job.dump());
  CHECK(job["bytes"] == bytes);
  CHECK(job["ranks"] == ranks);
  const double time = job["end_s"].get<double>() - job["start_s"].get<double>();
  CHECK(job["time_s"] == Approx(time));
  CHECK(job["algbw_Bps"] == Approx(bytes / time));
  CHECK(job["busbw_Bps"] == Approx(bytes / time * of.bus_factor));
  CHECK(job["hardware_s"] == 0);
  CHECK(job["synchronization_s"] == 0);
  // Two links a packet of 128 B, each with its header and the header of its answer. Flags come to
  // less than a fiftieth, and what is before and behind the collective to less than that.
  const double on_wires = 2 * of.carried * bytes * (128 + 16 + 16) / 128;
  CHECK(job["wire_bytes"] >= on_wires);
  CHECK(job["wire_bytes"] < 1.02 * on_wires);
  CHECK(job["wire_bytes"] <= sum_of(run, 5));
  CHECK(job["wire_bytes"] > 0.99 * sum_of(run, 5));
  CHECK(sum_of(run, 6) >= 2 * of.carried * bytes);  // payload
  CHECK(sum_of(run, 6) < 1.02 * 2 * of.carried * bytes);
}

TEST_CASE("a row of links.csv says what its wire is, and what it has carried in which time") {
  const heddle_run run(project_file("yaml/ring_allreduce.yaml"),
                       {{"params.gpus", "4"}, {"workload.bytes", "64 KiB"}});
  INFO(run.report());
  REQUIRE(run.is_verified());
  const double simulated = run.stats()["simulated_s"];
  std::istringstream lines(run.folder().content("out/links.csv"));
  std::string line;
  std::getline(lines, line);
  CHECK(line ==
        "from,to,bandwidth_Bps,latency_s,packets,wire_bytes,payload_bytes,busy_s,utilization,"
        "credit_stalls,buffer_bytes");
  int links = 0;
  for (; std::getline(lines, line); ++links) {
    INFO(line);
    std::istringstream cells(line);
    std::vector<std::string> of;
    for (std::string cell; std::getline(cells, cell, ',');) of.push_back(cell);
    REQUIRE(of.size() == 11);
    const auto number = [&](std::size_t column) { return std::stod(of[column]); };
    const double packets = number(4), wire_bytes = number(5), payload = number(6);
    CHECK(number(2) == 112.5e9);
    CHECK(number(3) == Approx(250e-9));
    CHECK(wire_bytes >= 16 * packets + payload);  // headers of a flit, and padding to flits
    CHECK(wire_bytes < 32 * packets + payload);
    CHECK(number(7) == Approx(wire_bytes / 112.5e9));
    CHECK(number(8) == Approx(number(7) / simulated).margin(1e-6));
    CHECK(number(9) == 0);
    CHECK(number(10) == 128 << 10);
  }
  CHECK(links == 2 * 4 * 4);
}

TEST_CASE("what is no time of the hardware is synchronization") {
  const heddle_run run(project_file("yaml/scin_dgx8.yaml"),
                       {{"workload.algorithm", "scin"}, {"workload.bytes", "64 KiB"}});
  INFO(run.report());
  REQUIRE(run.is_verified());
  const auto job = run.stats()["collectives"].at(0);
  const double hardware = job["hardware_s"], time = job["time_s"];
  CHECK(hardware > 0);
  CHECK(hardware < time);
  CHECK(job["synchronization_s"] == Approx(time - hardware));
}

TEST_CASE("latencies are told by their share, from the least to the most") {
  const heddle_run run(project_file("yaml/ring_allreduce.yaml"),
                       {{"workload.bytes", "4 MiB"}, {"data", "off"}});
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  const auto stats = run.stats();
  const auto& of = stats["latency"]["packet"];
  INFO(of.dump());
  const char* const shares[] = {"min_s", "p50_s", "p90_s", "p99_s", "max_s"};
  for (std::size_t i = 1; i < std::size(shares); ++i) CHECK(of[shares[i - 1]] < of[shares[i]]);
  // Every packet arrives once, those of requests and those of responses.
  double packets = 0;
  for (const auto& unit : stats["units"])
    if (unit.contains("tag_stalls"))
      packets += unit["requests"]["value"].get<double>() + unit["responses"]["value"].get<double>();
  CHECK(of["count"] == packets);
  CHECK(of["mean_s"] > of["min_s"]);
  CHECK(of["mean_s"] < of["max_s"]);
  // Two links of 250 ns and 100 ns in the switch; a header alone takes 142 ps on each.
  CHECK(of["min_s"].get<double>() >= 600e-9);
  CHECK(of["min_s"].get<double>() < 601e-9);
}

TEST_CASE("messages between two ranks are counted in their rate, and in the time of one of them") {
  const int messages = GENERATE(1, 2);  // there and back, or there alone
  const heddle_run run(project_file("yaml/p2p_latency.yaml"),
                       {{"workload.collective", messages == 2 ? "p2p_latency" : "p2p_bandwidth"},
                        {"workload.iterations", "7"},
                        {"workload.bytes", "4 KiB"}});
  INFO(run.report());
  REQUIRE(run.is_verified());
  const auto job = run.stats()["collectives"].at(0);
  INFO(job.dump());
  const double time = job["time_s"], count = 7 * messages;
  CHECK(job["algbw_Bps"] == Approx(4096 * count / time));
  CHECK(job["busbw_Bps"] == Approx(4096 * count / time));
  CHECK(job.contains("message_s") == (messages == 2));
  if (messages == 2) CHECK(job["message_s"] == Approx(time / count));
}

TEST_CASE("factors are the first algorithm's time over that of another") {
  const heddle_run run(
      project_file("yaml/scin_dgx8.yaml"),
      {{"workload.algorithm", "[ring, scin]"}, {"workload.bytes", "64 KiB"}, {"data", "off"}});
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  const auto jobs = run.stats()["collectives"];
  REQUIRE(jobs.size() == 2);
  std::ostringstream factor;
  factor << std::fixed << std::setprecision(2)
         << jobs[0]["time_s"].get<double>() / jobs[1]["time_s"].get<double>() << " x\n";
  const std::string summary = run.folder().content("out/summary.txt");
  const std::size_t table = summary.find("factors against ring:");
  REQUIRE(table != std::string::npos);
  CHECK(summary.find(factor.str(), table) != std::string::npos);
}
