// Each rank's time in stats.json, against the log of what its core accessed. Natively no time
// passes between accesses, so that an access of a kind lasts as long as the next of the same kind
// comes after it, and a collective lasts from the issue of its first access to that of the first
// one behind it.
#include <catch2/catch.hpp>

#include <boost/algorithm/string/split.hpp>
#include <cmath>
#include <sstream>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

// The instant at which a core issues its first access in that function.
double issue_of_first(const std::string& log, const std::string& core,
                      const std::string& function) {
  std::istringstream lines(log);
  std::vector<double> times;
  std::vector<std::string> fields;
  for (std::string line; times.size() < 2 && std::getline(lines, line);) {
    boost::algorithm::split(fields, line, [](char c) { return c == ','; });
    if (fields[1] == core && fields[2] == function) times.push_back(std::stod(fields[0]));
  }
  REQUIRE(times.size() == 2);
  return times[0] - (times[1] - times[0]);
}

}  // namespace

TEST_CASE("the time of every rank is that between its own marks") {
  const int ranks = GENERATE(2, 3, 5);
  const scratch_folder folder;
  const heddle_run done(project_file("yaml/ring_allreduce.yaml"),
                        {{"params.gpus", std::to_string(ranks)}, {"workload.bytes", "4 KiB"}},
                        {"--mmio-log", folder.file("log.csv")});
  INFO(done.report());
  REQUIRE(done.is_verified());
  const auto row = done.stats()["collectives"][0];
  const std::string log = folder.content("log.csv");
  double first_start = 1, last_end = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const std::string core = "gpu[" + std::to_string(rank) + "].cp";
    const double start = issue_of_first(log, core, "dma_copy");
    const double end = issue_of_first(log, core, "dma_drain");
    INFO(core);
    CHECK(std::llround(row["rank_time_s"][rank].get<double>() * 1e15) == std::llround(end - start));
    first_start = rank == 0 ? start : std::min(first_start, start);
    last_end = std::max(last_end, end);
  }
  CHECK(std::llround(row["start_s"].get<double>() * 1e15) == std::llround(first_start));
  CHECK(std::llround(row["end_s"].get<double>() * 1e15) == std::llround(last_end));
  CHECK(std::llround(row["time_s"].get<double>() * 1e15) == std::llround(last_end - first_start));
}
