#include "transactors/flit/flit_grid.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace heddle;

namespace {

// All switches of a grid, with a port up and one down in each dimension where there is a neighbor.
struct whole_grid {
  using coordinates = flit_grid::coordinates;

  whole_grid(const std::vector<topology::index>& sides, bool is_wrapped)
      : grid({sides, "*", {}}), closes(sides.size()) {
    std::size_t count = 1;
    for (const topology::index side : sides) count *= side;
    for (std::size_t i = 0; i < count; ++i) add("sw[" + std::to_string(i) + "]", is_wrapped);
  }

  void add(const std::string& path, bool is_wrapped) {
    const coordinates here = grid.places().place(path);
    std::vector<coordinates> to;
    for (std::size_t i = 0; i < here.size(); ++i) {
      const topology::index side = grid.sides()[i];
      for (const bool is_up : {true, false}) {
        const bool is_edge = here[i] == (is_up ? side - 1 : 0);
        if (side == 1 || (is_edge && !is_wrapped)) continue;
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
  const bool is_wrapped = GENERATE(false, true);
  const whole_grid all(sides, is_wrapped);
  for (std::size_t from = 0; from < all.places.size(); ++from)
    for (std::size_t to = 0; to < all.places.size(); ++to) {
      CAPTURE(sides, is_wrapped, all.places[from], all.places[to]);
      REQUIRE(all.hops(from, to) == all.distance(from, to));
    }
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
