#include "models/mesh/traffic/mesh_traffic.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "platform/unit/simulation.hpp"
#include "transactors/flit/flit_network.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(mesh_traffic,
                     describe_unit<mesh_traffic>("mesh_traffic",
                                                 "injects and takes synthetic traffic at a node "
                                                 "of a mesh"));

// In the order of the parameter's choices.
constexpr std::array patterns = {traffic_pattern::uniform,        traffic_pattern::transpose,
                                 traffic_pattern::neighbor,       traffic_pattern::tornado,
                                 traffic_pattern::bit_complement, traffic_pattern::permutation,
                                 traffic_pattern::hotspot,        traffic_pattern::table};
// Whether the other terminals have to be known, and not their number alone.
bool needs_names(traffic_pattern pattern) {
  return pattern == traffic_pattern::permutation || pattern == traffic_pattern::hotspot ||
         pattern == traffic_pattern::table;
}

mesh_position at(std::uint32_t x, std::uint32_t y) {
  return {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
}

destination_settings settings_of(const mesh_traffic_parameters& p) {
  destination_settings settings;
  settings.pattern = patterns[p.pattern.index()];
  settings.name = p.pattern();
  settings.table = p.table();
  settings.hot = p.hot();
  settings.hot_share = p.hot_share();
  return settings;
}

}  // namespace

std::vector<port_description> mesh_traffic::port_descriptions() {
  return {{"port", "flit", "the local port of a router"}};
}

mesh_traffic::mesh_traffic(const unit_context& context, const parameters& p)
    : flit_terminal(context, p, counters_),
      pattern_(patterns[p.pattern.index()]),
      here_{static_cast<std::uint8_t>(p.x()), static_cast<std::uint8_t>(p.y())},
      width_(static_cast<std::uint32_t>(p.width())),
      height_(static_cast<std::uint32_t>(p.height())) {
  if (p.x() >= p.width() || p.y() >= p.height())
    throw user_error(fmt::format("{}: ({}, {}) is outside the mesh of {} x {}", path(), p.x(),
                                 p.y(), p.width(), p.height()));
  if (pattern_ == traffic_pattern::transpose && width_ != height_)
    throw user_error(path() + ": `transpose` needs a square mesh");
  if (needs_names(pattern_) || !p.trace().empty())
    named_ = std::make_unique<named_destinations>(named_destinations{
        {settings_of(p), p.trace()}, sim().service<traffic_directory>().terminals.size()});
  sim().service<flit_network>().add_endpoint({&port_, here_, "synthetic traffic", 0});
  enter_traffic(*this, *this, p, counters_, &counters_.hops);
}

void mesh_traffic::on_connected() {
  if (!port_.is_bound()) throw user_error(port_.path() + " is not connected");
  sim().service<mesh_terminals>().check_sides(*this);
  if (!named_) return start(here_);
  mesh_terminals::of_mesh& mesh = sim().service<mesh_terminals>().on_mesh_of(port_.peer()->owner());
  packet_destinations& to = named_->to;
  to.start(mesh.terminals, mesh.traces, *this, mesh_terminals::endpoint_at(here_), limit());
  start(here_, start_creation(to, named_->entry) && !to.addressed().empty());
}

traffic_source::place mesh_traffic::exchange_place() const {
  return {&sim().service<mesh_terminals>().on_mesh_of(port_.peer()->owner()),
          mesh_terminals::endpoint_at(here_)};
}

std::vector<std::uint16_t> mesh_traffic::addressed() const {
  if (named_) return named_->to.addressed();
  if (pattern_ != traffic_pattern::uniform)
    return {mesh_terminals::endpoint_at(fixed_destination())};
  std::vector<std::uint16_t> all;
  for (std::uint32_t i = 0; i < width_ * height_; ++i)
    all.push_back(mesh_terminals::endpoint_at(at(i % width_, i / width_)));
  return all;
}

cycle_t mesh_traffic::next_creation(random_stream& random) {
  return named_ ? creation_of(named_->to, random) : flit_terminal::next_creation(random);
}

mesh_position mesh_traffic::next_destination(random_stream& random) {
  if (named_) return mesh_terminals::place_of(named_->to.next(random));
  if (pattern_ != traffic_pattern::uniform) return fixed_destination();
  const std::uint32_t drawn = random.below(width_ * height_);
  return at(drawn % width_, drawn / width_);
}

// Of a pattern that follows from coordinates and knows one destination.
mesh_position mesh_traffic::fixed_destination() const {
  const auto half_way = [](std::uint32_t from, std::uint32_t size) {
    return (from + (size + 1) / 2 - 1) % size;
  };
  switch (pattern_) {
    case traffic_pattern::transpose:
      return at(here_.y, here_.x);
    case traffic_pattern::neighbor:
      return at((here_.x + 1U) % width_, (here_.y + 1U) % height_);
    case traffic_pattern::tornado:
      return at(half_way(here_.x, width_), half_way(here_.y, height_));
    case traffic_pattern::bit_complement:
      return at(width_ - 1 - here_.x, height_ - 1 - here_.y);
    default:  // by name
      return here_;
  }
}

void mesh_traffic::measured(const flit& tail, fs_t) {
  const int columns = std::abs(tail.source.x - here_.x), rows = std::abs(tail.source.y - here_.y);
  counters_.hops += 1 + static_cast<cycle_t>(columns) + static_cast<cycle_t>(rows);
}

std::string mesh_traffic::name_of(mesh_position address) const {
  return text_of(address);
}

}  // namespace heddle
