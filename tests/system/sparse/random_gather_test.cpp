// Random gathers: matrices, partitions, batches, tables down to one entry, delays, cache modes,
// lost packets. Each is exact, or says that it has failed.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>
#include <random>

#include "tests/support/heddle_run.hpp"
#include "tests/support/random_numbers.hpp"

using namespace heddle;

namespace {

const std::vector<dimension>& dimensions() {
  static const std::vector<dimension> all = {
      {"leaves", 1, {1, 2, 3}},
      {"hosts", 2, {2, 4}},
      {"rows", 1, {1, 400}, true},
      {"nonzeros", 0, {0, 4000}, true},
      {"near", 0, {0, 0, 1, 8}},  // columns near the row; 0: anywhere
      {"k", 1, {1, 3, 4, 16, 17, 64, 128, 129, 354}},
      {"batch", 64, {1, 2, 7, 64, 1000, 32'768}},
      {"features", 15, {0, 1, 3, 7, 15, 15, 15, 8, 9, 12}},
      {"clients", 16, {1, 2, 16, 31}},
      {"delay", 500, {0, 1, 100, 500, 500, 50'000}},
      {"pending", 256, {1, 2, 7, 256}},
      {"lsq", 64, {1, 2, 64}},
      {"tx_queue", 64, {1, 2, 64}},
      {"rx_queue", 64, {1, 2, 64}},
      {"idx_buffer", 4096, {64, 128, 4096}},
      {"property_buffer", 4096, {64, 4096}},
      {"tx_buffer", 2'097'152, {4096, 2'097'152}},
      {"pool", 0, {0, 0, 12, 13, 16, 4096}},  // 12: the longest request of a packet
      {"cache", 32, {0, 1, 32}},              // MiB
      {"all", 0, {0, 1}},                     // scope
      {"buffer", 48, {0, 48}},                // MiB of a rack's switch; 0: two packets
      {"quantum", 1, {1, 3, 64}},
      {"inside", 0, {0, 1}},
      {"lose", 0, {0, 0, 0, 1, 2, 5, 17}},
      {"loser", 0, {0, 11}, true},
      {"seed", 1, {1, 1'000'000}, true},
  };
  return all;
}

// Matrix Market, row by row, without duplicates.
std::string matrix_of(const random_numbers& n) {
  const std::uint64_t rows = n["rows"];
  std::mt19937_64 random(n["seed"]);
  std::vector<std::vector<bool>> is_there(rows, std::vector<bool>(rows));
  std::string entries;
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < n["nonzeros"]; ++i) {
    const std::uint64_t row = random() % rows;
    const std::uint64_t column =
        n["near"] == 0 ? random() % rows : (row + random() % (2 * n["near"])) % rows;
    if (is_there[row][column]) continue;
    is_there[row][column] = true;
    entries += std::to_string(row + 1) + " " + std::to_string(column + 1) + "\n";
    ++count;
  }
  return "%%MatrixMarket matrix coordinate pattern general\n" + std::to_string(rows) + " " +
         std::to_string(rows) + " " + std::to_string(count) + "\n" + entries;
}

class random_gather {
 public:
  explicit random_gather(std::uint64_t seed) : numbers_(dimensions(), seed) {}
  explicit random_gather(random_numbers numbers) : numbers_(std::move(numbers)) {}

  bool loses() const { return value("lose") > 0; }

  settings as_settings(const std::string& matrix) const {
    const std::uint64_t nodes = value("leaves") * value("hosts");
    const auto features = value("features");
    std::string list;
    const char* const names[] = {"filter", "coalesce", "nic_concat", "switch"};
    for (unsigned bit = 0; bit < 4; ++bit)
      if (features >> bit & 1) list += (list.empty() ? "" : ",") + std::string(names[bit]);
    settings all = {{"params.leaves", text("leaves")},
                    {"params.hosts", text("hosts")},
                    {"params.quantum", text("quantum")},
                    {"workload.matrix", matrix},
                    {"workload.features", "[" + list + "]"},
                    {"workload.k", text("k")},
                    {"workload.batch", text("batch")},
                    {"workload.clients", text("clients")},
                    {"workload.delay", text("delay")},
                    {"workload.memory", "real"},
                    {"workload.clear", value("inside") ? "inside" : "outside"},
                    {"workload.scope", value("all") ? "all" : "uplink"}};
    for (const char* name : {"pending", "lsq", "tx_queue", "rx_queue", "pool"})
      all.emplace_back("node[*].nic." + std::string(name), text(name));
    for (const char* name : {"idx_buffer", "property_buffer", "tx_buffer"})
      all.emplace_back("node[*].nic." + std::string(name), text(name) + " B");
    all.emplace_back("leaf[*].middle.pool", text("pool"));
    all.emplace_back("leaf[*].middle.cache", text("cache") + " MiB");
    if (value("buffer") == 0) all.emplace_back("leaf[*].middle.buffer", "3000 B");
    if (!loses()) return all;
    all.emplace_back("node[" + std::to_string(value("loser") % nodes) + "].nic.lose", text("lose"));
    all.emplace_back("workload.watchdog", "500 us");
    return all;
  }

  std::string matrix() const { return matrix_of(numbers_); }

  std::vector<random_gather> simpler() const {
    std::vector<random_gather> all;
    for (random_numbers& each : numbers_.simpler()) all.emplace_back(std::move(each));
    return all;
  }

 private:
  std::uint64_t value(const std::string& name) const { return numbers_[name]; }
  std::string text(const std::string& name) const { return std::to_string(value(name)); }

  random_numbers numbers_;
};

bool is_exact(const heddle_run& run) {
  if (!run.result().exited_with(0)) return false;
  const nlohmann::json gathers = run.stats()["gathers"];
  for (const auto& each : gathers)
    if (each["verified"] != true) return false;
  return !gathers.empty();
}

// What is wrong with it; empty if nothing is.
std::string mistake_of(const random_gather& gather) {
  const scratch_folder folder;
  const std::string matrix = folder.path() + "/random.mtx";
  std::ofstream(matrix) << gather.matrix();
  const heddle_run run("gather.yaml", gather.as_settings(matrix), {}, 60);
  if (is_exact(run)) return {};
  if (gather.loses() && run.result().exited_with(1) &&
      run.result().errors.find("gather error") != std::string::npos)
    return {};
  return run.report() + gather.matrix().substr(0, 400);
}

void check(std::uint64_t first_seed, std::uint64_t count) {
  for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    const random_gather gather(seed);
    if (mistake_of(gather).empty()) continue;
    const random_gather smallest =
        shrink(gather, [](const random_gather& each) { return !mistake_of(each).empty(); });
    FAIL("seed " << seed << ", smallest that fails:\n" << mistake_of(smallest));
  }
}

}  // namespace

TEST_CASE("random gathers are exact, or have failed: seeds 1 to 20") {
  check(1, 20);
}
TEST_CASE("random gathers are exact, or have failed: seeds 21 to 40") {
  check(21, 20);
}

// For campaigns: HEDDLE_FIRST_SEED and HEDDLE_SEEDS.
TEST_CASE("random gathers are exact, or have failed: given seeds", "[.]") {
  const auto from_environment = [](const char* name, std::uint64_t fallback) {
    const char* const text = std::getenv(name);
    return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
  };
  check(from_environment("HEDDLE_FIRST_SEED", 41), from_environment("HEDDLE_SEEDS", 100));
}
