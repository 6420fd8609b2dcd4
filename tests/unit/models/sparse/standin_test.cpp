#include "models/sparse/standin.hpp"

#include <catch2/catch.hpp>
#include <numeric>
#include <random>
#include <set>

#include "models/sparse/lognormal_spread.hpp"
#include "models/sparse/matrix_structure.hpp"
#include "models/sparse/open_matrix.hpp"
#include "models/sparse/standin_columns.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/text/number.hpp"
#include "tests/support/scratch_folder.hpp"

namespace heddle {
namespace {

const std::string folder = std::string(HEDDLE_SOURCE_DIR) + "/yaml/standins/";

std::vector<column_index> all_columns(const nonzero_source& source, std::uint32_t node) {
  std::vector<column_index> columns(source.nonzeros_of(node));
  source.read_columns(node, 0, columns.size(), columns.data());
  return columns;
}

TEST_CASE("a scale is a number or a fraction of two") {
  REQUIRE(parse_scale("1/8") == 0.125);
  REQUIRE(parse_scale("0.125") == 0.125);
  REQUIRE(parse_scale("0.5 / 4") == 0.125);
  const char* wrong = GENERATE("1/0", "1/0.0", "1/", "/8", "1/8/2", "an eighth");
  REQUIRE_THROWS_AS(parse_scale(wrong), quantity_error);
}

TEST_CASE("stand-ins have the structure that the literature reports") {
  const std::string name = GENERATE("arabic", "europe", "queen", "stokes", "uk");
  CAPTURE(name);
  const standin_description description = read_standin_description(folder + name + ".yaml");
  const standin_source& source = description.source;
  const double scale = 1.0 / 16;
  const matrix_structure ours = structure_of(standin(description, source.nodes, scale));
  CHECK(static_cast<double>(ours.nonzeros) ==
        Approx(static_cast<double>(source.nonzeros) * scale).epsilon(1e-6));
  CHECK(ours.unaware() == Approx(source.unaware).epsilon(0.02));
  CHECK(ours.aware() == Approx(source.aware).epsilon(0.02).margin(0.01));
  CHECK(ours.tail() == Approx(source.tail).epsilon(0.02));
  CHECK(ours.imbalance() == Approx(description.structure.imbalance).epsilon(0.02));
  // Smaller matrices have fewer runs, so these are coarser than at full size.
  CHECK(ours.destinations() == Approx(source.destinations).epsilon(0.25));
  CHECK(ours.sharing() == Approx(source.sharing).margin(0.1));
  if (name != "europe") CHECK(ours.slices() == Approx(source.slices).epsilon(0.2));
}

TEST_CASE("a stand-in reads the same from any position") {
  std::mt19937_64 random(GENERATE(range(0, 20)));
  const auto drawn = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() % 1000) / 1000;
  };
  standin_description description;
  description.source.rows = random() % 20'000 + 64;
  description.source.nonzeros = description.source.rows * (random() % 20 + 2);
  description.source.nodes = static_cast<std::uint32_t>(random() % 30 + 2);
  description.source.aware = drawn(0, 5);
  description.source.unaware = drawn(10, 50);
  description.source.tail = drawn(1, 2);
  description.structure = {drawn(1, 50), drawn(0, 1), drawn(0, 1), drawn(1, 5), 1,
                           drawn(1, 2),  drawn(0, 1), random()};
  description.structure.visits = drawn(1, 1 + description.source.aware);
  const standin source(description, static_cast<std::uint32_t>(random() % 20 + 1), 1);
  for (std::uint32_t node = 0; node < source.nodes(); ++node) {
    const std::vector<column_index> whole = all_columns(source, node);
    REQUIRE(std::all_of(whole.begin(), whole.end(),
                        [&](column_index each) { return each < source.columns().rows(); }));
    std::vector<column_index> pieces;
    while (pieces.size() < whole.size()) {
      const std::size_t count =
          std::min<std::size_t>(random() % 200 + 1, whole.size() - pieces.size());
      const std::size_t at = pieces.size();
      pieces.resize(at + count);
      source.read_columns(node, at, count, pieces.data() + at);
    }
    const bool is_same = pieces == whole;
    REQUIRE(is_same);
    const std::uint64_t rows = source.rows().rows_of(node);
    REQUIRE(source.first_of_row(node, 0) == 0);
    REQUIRE(source.first_of_row(node, rows) == (rows == 0 ? 0 : whole.size()));
  }
}

TEST_CASE("nodes ask for as many different columns as their counts say") {
  standin_structure structure;
  structure.run = 5;
  structure.hubs = 0.5;
  structure.pool = 4;
  structure.band = GENERATE(0.0, 0.5, 1.0);
  const row_partition columns(100'000, 32);
  for (std::uint32_t node = 0; node < 32; ++node) {
    const auto found = standin_columns(structure, columns, node, {500, 400});
    CHECK(found.size() == 500);
    CHECK(std::set<column_index>(found.begin(), found.end()).size() == found.size());
    CHECK(std::none_of(found.begin(), found.end(),
                       [&](column_index each) { return columns.owner(each) == node; }));
  }
}

TEST_CASE("a node cannot ask for more remote columns than there are") {
  standin_structure structure;
  structure.band = 1;
  CHECK(standin_columns(structure, {40, 4}, 1, {1000, 1000}).size() == 30);
  CHECK(standin_columns(structure, {40, 1}, 0, {10, 10}).empty());
}

TEST_CASE("sizes spread so that the largest is as much larger as was asked for") {
  const double tail = GENERATE(1.0, 1.08, 2.0, 3.7);
  const auto sizes = lognormal_sizes(shuffled_quantiles(128, 7), deviation_of_tail(128, tail));
  CHECK(*std::max_element(sizes.begin(), sizes.end()) == Approx(tail));
  CHECK(std::accumulate(sizes.begin(), sizes.end(), 0.0) == Approx(128));
}

TEST_CASE("mistakes in a description name their place") {
  const scratch_folder scratch;
  std::string text;
  const auto error = [&](const std::string& from, const std::string& to) -> std::string {
    std::ifstream file(folder + "arabic.yaml");
    text.assign(std::istreambuf_iterator<char>(file), {});
    text.replace(text.find(from), from.size(), to);
    const std::string path = scratch.write("s.yaml", text);
    try {
      read_standin_description(path);
    } catch (const user_error& caught) {
      return std::string(caught.what()).substr(path.size() - std::string("s.yaml").size());
    }
    return "no error";
  };
  CHECK(error("band: 0", "band: 2") == "s.yaml:21:9: band is from 0 to 1, not 2");
  CHECK(error("tail: 3.7", "tial: 3.7").find("missing key 'tail' in source (is 'tial' meant?)") !=
        std::string::npos);
  CHECK(error("visits: 3.6", "visits: 29") == "s.yaml:24:11: visits is from 1 to 28, not 29");
  CHECK(error("aware: 27", "aware: 27000").find("remote nonzeros of") != std::string::npos);
}

}  // namespace
}  // namespace heddle
