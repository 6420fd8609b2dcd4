#include "models/mesh/traffic/mesh_traffic.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "platform/unit/simulation.hpp"
#include "transactors/flit/flit_network.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(mesh_traffic,
                     describe_unit<mesh_traffic>("mesh_traffic",
                                                 "injects and takes synthetic traffic at a node "
                                                 "of a mesh"));

}  // namespace

std::vector<port_description> mesh_traffic::port_descriptions() {
  return {{"port", "flit", "the local port of a router"}};
}

mesh_traffic::mesh_traffic(const unit_context& context, const parameters& p)
    : flit_terminal(context, p, counters_),
      pattern_(static_cast<pattern>(p.pattern.index())),
      here_{static_cast<std::uint8_t>(p.x()), static_cast<std::uint8_t>(p.y())},
      width_(static_cast<std::uint32_t>(p.width())),
      height_(static_cast<std::uint32_t>(p.height())) {
  if (p.x() >= p.width() || p.y() >= p.height())
    throw user_error(fmt::format("{}: ({}, {}) is outside the mesh of {} x {}", path(), p.x(),
                                 p.y(), p.width(), p.height()));
  if (pattern_ == pattern::transpose && width_ != height_)
    throw user_error(path() + ": `transpose` needs a square mesh");
  sim().service<flit_network>().add_endpoint({&port_, here_, "synthetic traffic", 0});
  enter_traffic(*this, p, counters_, &counters_.hops);
}

mesh_position mesh_traffic::next_destination(random_stream& random) {
  const auto at = [](std::uint32_t x, std::uint32_t y) {
    return mesh_position{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
  };
  const auto half_way = [](std::uint32_t from, std::uint32_t size) {
    return (from + (size + 1) / 2 - 1) % size;
  };
  switch (pattern_) {
    case pattern::uniform: {
      const std::uint32_t drawn = random.below(width_ * height_);
      return at(drawn % width_, drawn / width_);
    }
    case pattern::transpose:
      return at(here_.y, here_.x);
    case pattern::neighbor:
      return at((here_.x + 1U) % width_, (here_.y + 1U) % height_);
    case pattern::tornado:
      return at(half_way(here_.x, width_), half_way(here_.y, height_));
    case pattern::bit_complement:
      return at(width_ - 1 - here_.x, height_ - 1 - here_.y);
  }
  return here_;
}

void mesh_traffic::measured(const flit& tail, fs_t) {
  const int columns = std::abs(tail.source.x - here_.x), rows = std::abs(tail.source.y - here_.y);
  counters_.hops += 1 + static_cast<cycle_t>(columns) + static_cast<cycle_t>(rows);
}

std::string mesh_traffic::name_of(mesh_position address) const {
  return text_of(address);
}

}  // namespace heddle
