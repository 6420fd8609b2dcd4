#include "models/traffic/destination_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace heddle {
namespace {

// Who sends to whom when each is the destination of one: Fisher and Yates, or, when nobody may send
// to itself, Sattolo's variant, whose permutations are single cycles.
std::size_t permuted(std::size_t place, std::size_t size, bool may_be_itself, std::uint64_t seed) {
  random_stream random(seed, "permutation of synthetic traffic");
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = size - 1; i > 0; --i)
    std::swap(order[i], order[random.below(static_cast<std::uint32_t>(may_be_itself ? i + 1 : i))]);
  return order[place];
}

// Packets of one source go to several destinations.
bool is_free(traffic_pattern pattern) {
  return pattern == traffic_pattern::uniform || pattern == traffic_pattern::hotspot ||
         pattern == traffic_pattern::next_group || pattern == traffic_pattern::in_turn ||
         pattern == traffic_pattern::table;
}

}  // namespace

destination_settings destination_parameters::settings() const {
  return {static_cast<traffic_pattern>(pattern.index()),
          pattern(),
          table(),
          destinations(),
          hot(),
          itself(),
          shift(),
          group(),
          hot_share(),
          sides()};
}

destination_pattern::destination_pattern(destination_settings settings)
    : settings_(std::move(settings)) {}

void destination_pattern::refuse(const std::string& why) const {
  throw user_error(settings_.destinations.place,
                   fmt::format("pattern `{}`: {}", settings_.name, why));
}

void destination_pattern::start(traffic_terminals& terminals, packet_granularity granularity,
                                endpoint_id self, std::uint64_t seed) {
  self_ = self;
  if (settings_.pattern == traffic_pattern::table) {
    if (settings_.table.empty()) refuse("needs `table`, the file that says who sends to whom");
    all_ = terminals.select_by_table(settings_.table, self, granularity);
  } else {
    all_ = terminals.select(settings_.destinations, granularity);
  }
  place_ = all_->place_of(self);
  if (settings_.pattern == traffic_pattern::hotspot || !settings_.hot.globs.empty()) {
    if (settings_.hot.globs.empty()) refuse("needs `hot`, the terminals that get more");
    hot_ = terminals.select(settings_.hot, granularity);
  }
  if (settings_.pattern == traffic_pattern::next_group) check_group();
  if (all_->size() == 0) return;
  turn_ = place_ == destination_set::absent ? 0 : (place_ + 1) % all_->size();
  if (settings_.pattern == traffic_pattern::all2one)
    return always_send_to((hot_ ? hot_ : all_)->endpoints.front());
  if (!is_free(settings_.pattern)) return always_send_to(all_->endpoints[fixed_place(seed)]);
  const bool has_hot =
      settings_.pattern == traffic_pattern::hotspot && settings_.hot_share > 0 && !is_alone(*hot_);
  has_destination_ = has_hot || !is_alone(*all_);
}

void destination_pattern::check_group() const {
  if (place_ == destination_set::absent)
    refuse("a terminal that is not among its destinations has no group");
  if (all_->size() % settings_.group != 0 || all_->size() == settings_.group)
    refuse(fmt::format("{} terminals do not make two or more groups of {}", all_->size(),
                       settings_.group));
}

void destination_pattern::always_send_to(endpoint_id only) {
  fixed_ = only;
  is_fixed_ = true;
  has_destination_ = settings_.itself || fixed_ != self_;
}

std::size_t destination_pattern::fixed_place(std::uint64_t seed) const {
  const std::size_t size = all_->size();
  if (place_ == destination_set::absent)
    refuse("a terminal that is not among its destinations has no place from which to count");
  switch (settings_.pattern) {
    case traffic_pattern::ring:
      return (place_ + 1) % size;
    case traffic_pattern::shift:
      return (place_ + settings_.shift) % size;
    case traffic_pattern::bit_complement:
      return size - 1 - place_;
    case traffic_pattern::permutation:
      return permuted(place_, size, settings_.itself, seed);
    case traffic_pattern::neighbor:
    case traffic_pattern::tornado:
      return place_in_grid();
    default:
      break;
  }
  const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(size))));
  if (side * side != size) refuse(fmt::format("{} terminals are no square", size));
  return place_ % side * side + place_ / side;
}

std::size_t destination_pattern::place_in_grid() const {
  const std::uint64_t points = std::accumulate(settings_.sides.begin(), settings_.sides.end(),
                                               std::uint64_t{1}, std::multiplies<>());
  if (points != all_->size())
    refuse(fmt::format("{} terminals do not fill a grid of {} points; state its `sides`",
                       all_->size(), points));
  std::size_t place = 0, below = 1;  // points whose last coordinates are the same
  for (std::size_t i = settings_.sides.size(); i-- > 0; below *= settings_.sides[i]) {
    const std::uint64_t step = settings_.pattern == traffic_pattern::tornado
                                   ? (settings_.sides[i] + 1) / 2 - 1
                                   : std::uint64_t{1};
    place += (place_ / below + step) % settings_.sides[i] * below;
  }
  return place;
}

void destination_pattern::send_all_to(std::size_t place, const std::string& whose) {
  if (place >= all_->size())
    throw user_error(
        fmt::format("{} is {}, but there are {} terminals", whose, place, all_->size()));
  always_send_to(all_->endpoints[place]);
}

std::vector<endpoint_id> destination_pattern::addressed() const {
  if (!has_destination_) return {};
  if (is_fixed_) return {fixed_};
  std::vector<endpoint_id> all = all_->endpoints;
  if (settings_.pattern == traffic_pattern::next_group) {
    const std::size_t first =
        (place_ / settings_.group + 1) % (all.size() / settings_.group) * settings_.group;
    all.assign(all_->endpoints.begin() + static_cast<std::ptrdiff_t>(first),
               all_->endpoints.begin() + static_cast<std::ptrdiff_t>(first + settings_.group));
  }
  if (hot_) all.insert(all.end(), hot_->endpoints.begin(), hot_->endpoints.end());
  if (!settings_.itself) all.erase(std::remove(all.begin(), all.end(), self_), all.end());
  return all;
}

endpoint_id destination_pattern::next(random_stream& random) {
  if (is_fixed_) return fixed_;
  if (settings_.pattern == traffic_pattern::in_turn) return take_turn();
  if (settings_.pattern == traffic_pattern::next_group) return draw_in_group(random);
  if (settings_.pattern == traffic_pattern::hotspot) return draw_hot_or_any(random);
  return draw_other(*all_, random);
}

// True: there is none but the terminal itself, to which it must not send.
bool destination_pattern::is_alone(const destination_set& among) const {
  return !settings_.itself && among.size() == 1 && among.endpoints.front() == self_;
}

// All goes to the others where one of the two sets is the terminal itself.
endpoint_id destination_pattern::draw_hot_or_any(random_stream& random) const {
  const bool is_hot = random.fraction() < settings_.hot_share;
  const destination_set& drawn = is_hot ? *hot_ : *all_;
  const destination_set& other = is_hot ? *all_ : *hot_;
  return draw_other(is_alone(drawn) ? other : drawn, random);
}

// Drawn again when it is the terminal itself.
endpoint_id destination_pattern::draw_other(const destination_set& among,
                                            random_stream& random) const {
  endpoint_id drawn = among.draw(random);
  while (drawn == self_ && !settings_.itself) drawn = among.draw(random);
  return drawn;
}

endpoint_id destination_pattern::draw_in_group(random_stream& random) const {
  const std::size_t groups = all_->size() / settings_.group;
  const std::size_t next = (place_ / settings_.group + 1) % groups;
  return all_->endpoints[next * settings_.group +
                         random.below(static_cast<std::uint32_t>(settings_.group))];
}

endpoint_id destination_pattern::take_turn() {
  endpoint_id to = 0;
  do {
    to = all_->endpoints[turn_];
    turn_ = (turn_ + 1) % all_->size();
  } while (to == self_ && !settings_.itself);
  return to;
}

}  // namespace heddle
