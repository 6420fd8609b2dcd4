#include "transactors/flit/flit_grid.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace heddle;

namespace {

enum class rows { line, ring, full };

// All switches of a grid, with a port up and one down in each dimension where there is a neighbor,
// or one to each other switch of the row.
struct whole_grid {
  using coordinates = flit_grid::coordinates;

  whole_grid(const std::vector<topology::index>& sides, rows shape)
      : grid({sides, "*", {}}), closes(sides.size()) {
    std::size_t count = 1;
    for (const topology::index side : sides) count *= side;
    for (std::size_t i = 0; i < count; ++i) add("sw[" + std::to_string(i) + "]", shape);
  }

  void add(const std::string& path, rows shape) {
    const coordinates here = grid.places().place(path);
    std::vector<coordinates> to;
    for (std::size_t i = 0; i < here.size(); ++i) {
      const topology::index side = grid.sides()[i];
      for (topology::index other = 0; shape == rows::full && other < side; ++other) {
        if (other == here[i]) continue;
        to.push_back(here);
        to.back()[i] = other;
      }
      if (shape == rows::full) continue;
      for (const bool is_up : {true, false}) {
        const bool is_edge = here[i] == (is_up ? side - 1 : 0);
        if (side == 1 || (is_edge && shape == rows::line)) continue;
        to.push_back(here);
        to.back()[i] = (here[i] + (is_up ? 1 : side - 1)) % side;
      }
    }
    places.push_back(here);
    neighbors.push_back(to);
    axes.push_back(grid.axes(here, to, path));
    for (std::size_t i = 0; i < here.size(); ++i)
      closes[i] = closes[i] || (here[i] == 0 && axes.back()[i].down != flit_way::nowhere);
  }

  std::size_t number_of(const coordinates& place) const {
    std::size_t found = 0;
    while (places[found] != place) ++found;
    return found;
  }
  // SIZE_MAX: a way ends before it is there.
  std::size_t hops(std::size_t from, std::size_t to) const {
    std::size_t count = 0;
    for (std::size_t at = from; at != to; ++count) {
      const flit_way way = grid.way(places[at], places[to], axes[at], closes);
      if (way.output >= neighbors[at].size() || count > places.size()) return SIZE_MAX;
      at = number_of(neighbors[at][way.output]);
    }
    return count;
  }
  std::size_t distance(std::size_t from, std::size_t to) const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < closes.size(); ++i) {
      const topology::index a = places[from][i], b = places[to][i];
      const topology::index gap = a < b ? b - a : a - b;
      if (axes[from][i].is_full_row()) {
        sum += gap > 0;
        continue;
      }
      sum += closes[i] ? std::min(gap, grid.sides()[i] - gap) : gap;
    }
    return sum;
  }

  flit_grid grid;
  std::vector<bool> closes;
  std::vector<coordinates> places;
  std::vector<std::vector<coordinates>> neighbors;  // by switch and port
  std::vector<std::vector<flit_grid::axis>> axes;
};

}  // namespace

TEST_CASE("a way over a grid of flit switches is as long as the distance") {
  const auto sides =
      GENERATE(as<std::vector<topology::index>>{}, std::vector<topology::index>{2},
               std::vector<topology::index>{3}, std::vector<topology::index>{4, 2},
               std::vector<topology::index>{2, 2, 2}, std::vector<topology::index>{2, 5},
               std::vector<topology::index>{1, 4}, std::vector<topology::index>{3, 4, 2});
  const rows shape = GENERATE(rows::line, rows::ring, rows::full);
  const whole_grid all(sides, shape);
  for (std::size_t from = 0; from < all.places.size(); ++from)
    for (std::size_t to = 0; to < all.places.size(); ++to) {
      CAPTURE(sides, shape, all.places[from], all.places[to]);
      REQUIRE(all.hops(from, to) == all.distance(from, to));
    }
}

TEST_CASE("a row of flit switches is a line, a ring, or full") {
  const flit_grid grid({{5}, "*", {}});
  const auto axis_of = [&](const std::vector<topology::index>& others) {
    std::vector<flit_grid::coordinates> to;
    for (const topology::index each : others) to.push_back({each});
    return grid.axes({1}, to, "sw[1]").at(0);
  };
  CHECK_FALSE(axis_of({0, 2}).is_full_row());
  CHECK(axis_of({4, 2, 0, 3}).direct == std::vector<std::uint8_t>{2, flit_way::nowhere, 1, 3, 0});
  CHECK_THROWS_WITH(axis_of({0, 2, 4}),
                    Catch::Contains("port 2 of sw[1] leads past a neighbor, and the switch is not "
                                    "linked to all others of that row"));
}

TEST_CASE("grids without switches, with two at one place or longer than these are refused") {
  flit_grid grid({{4, 2}, "torus*", {}});
  CHECK(grid.places().place("other[0]").empty());
  CHECK_THROWS_WITH(grid.places().check_sides(), Catch::Contains("no switch matches 'torus*'"));
  CHECK(grid.places().place("torus[3]") == flit_grid::coordinates{1, 1});
  CHECK_THROWS_WITH(grid.places().check_sides(),
                    Catch::Contains("side 0 is 4, and the switches are 2 in that direction"));
  CHECK(grid.places().place("torus[7]") == flit_grid::coordinates{3, 1});
  CHECK_NOTHROW(grid.places().check_sides());
  CHECK_THROWS_WITH(grid.places().place("torus_b[1][1]"),
                    Catch::Contains("stands where another switch of the grid does"));
}
