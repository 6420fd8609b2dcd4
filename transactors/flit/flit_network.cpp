#include "transactors/flit/flit_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "platform/services/extra_results.hpp"
#include "platform/trace/output_file.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/fabric/channel_dependencies.hpp"
#include "transactors/flit/link_heat_map.hpp"

namespace heddle {
namespace {

constexpr int ports = flit_router::ports;

// Channels by number: router * ports + output.
class mesh_channels {
 public:
  explicit mesh_channels(const std::vector<const flit_router*>& routers)
      : routers_(routers),
        next_(routers.size() * ports, -1),
        output_(routers.size()),
        waits_(static_cast<channel_dependencies::channel>(routers.size() * ports)) {
    std::unordered_map<const unit*, int> number;
    for (std::size_t i = 0; i < routers.size(); ++i)
      number[&routers[i]->as_unit()] = static_cast<int>(i);
    for (std::size_t i = 0; i < routers.size(); ++i)
      for (int out = 0; out < ports; ++out) {
        const flit_port* far = routers[i]->port_at(out).peer();
        if (!far) continue;
        const auto found = number.find(&far->owner());
        if (found != number.end()) next_[i * ports + static_cast<std::size_t>(out)] = found->second;
      }
  }

  // The ways of all flits to one destination. One may be anywhere on its way, so it is enough to
  // look a router ahead.
  void follow(mesh_position destination) {
    for (std::size_t i = 0; i < routers_.size(); ++i)
      output_[i] = static_cast<std::uint8_t>(routers_[i]->route(destination));
    for (std::size_t i = 0; i < routers_.size(); ++i) {
      const std::size_t held = i * ports + output_[i];
      if (next_[held] < 0) continue;
      const auto then = static_cast<std::size_t>(next_[held]);
      waits_.add(static_cast<channel_dependencies::channel>(held),
                 static_cast<channel_dependencies::channel>(then * ports + output_[then]));
    }
  }

  std::vector<channel_dependencies::channel> find_circle() { return waits_.find_circle(); }

  std::string name_of(std::size_t channel) const {
    return routers_[channel / ports]->port_at(static_cast<int>(channel % ports)).path();
  }

 private:
  const std::vector<const flit_router*>& routers_;
  std::vector<int> next_;             // router behind a channel, -1: an endpoint or nothing
  std::vector<std::uint8_t> output_;  // of each router, to the destination that is followed
  channel_dependencies waits_;
};

bool is_in_dimension_order(const std::vector<const flit_router*>& network) {
  const flit_router::order first = network.front()->dimension_order();
  return first != flit_router::order::other &&
         std::all_of(network.begin(), network.end(),
                     [first](const flit_router* each) { return each->dimension_order() == first; });
}

using unit_set = std::unordered_set<const unit*>;

unit_set members_of(const std::vector<const flit_router*>& network) {
  unit_set members;
  for (const flit_router* each : network) members.insert(&each->as_unit());
  return members;
}

bool is_joined_to(const unit_set& routers, const flit_port& endpoint) {
  return endpoint.peer() && routers.count(&endpoint.peer()->owner()) > 0;
}

}  // namespace

std::vector<std::vector<const flit_router*>> joined_routers(
    const std::vector<const flit_router*>& routers) {
  std::unordered_map<const unit*, const flit_router*> left;  // not in a network yet
  for (const flit_router* each : routers) left[&each->as_unit()] = each;
  std::vector<std::vector<const flit_router*>> networks;
  for (const flit_router* first : routers) {
    if (left.erase(&first->as_unit()) == 0) continue;
    std::vector<const flit_router*>& found = networks.emplace_back();
    found.push_back(first);
    for (std::size_t at = 0; at < found.size(); ++at)
      for (int port = 0; port < ports; ++port) {
        const flit_port* far = found[at]->port_at(port).peer();
        const auto next = far ? left.find(&far->owner()) : left.end();
        if (next == left.end()) continue;
        found.push_back(next->second);
        left.erase(next);
      }
  }
  return networks;
}

std::size_t flit_network::reductions_under_way(const unit& router) {
  if (under_way_.empty()) {
    for (const auto& network : joined_routers(routers_)) {
      const unit_set members = members_of(network);
      std::size_t sum = 0;
      for (const source& each : sources_)
        if (is_joined_to(members, *each.endpoint)) sum += each.reductions;
      for (const unit* each : members) under_way_[each] = sum;
    }
  }
  return under_way_[&router];
}

std::vector<const flit_network::located*> flit_network::endpoints_at(
    const unit_set& routers) const {
  std::vector<const located*> found;
  for (const located& each : endpoints_)
    if (is_joined_to(routers, *each.endpoint)) found.push_back(&each);
  return found;
}

std::vector<const flit_network::located*> flit_network::endpoints_of(const unit& router) const {
  for (const auto& network : joined_routers(routers_)) {
    const unit_set members = members_of(network);
    if (members.count(&router) > 0) return endpoints_at(members);
  }
  return {};
}

std::vector<std::vector<const flit_network::located*>> flit_network::endpoints_by_network() const {
  std::vector<std::vector<const located*>> found;
  for (const auto& network : joined_routers(routers_))
    found.push_back(endpoints_at(members_of(network)));
  return found;
}

void flit_network::add_router(const flit_router& added) {
  routers_.push_back(&added);
  if (routers_.size() > 1) return;
  added.as_unit().sim().service<extra_results>().writers.push_back(
      [this](const extra_result_context& run) {
        output_file file(run.directory + "/link_utilization" + run.suffix + ".svg");
        file.write(link_heat_map(routers_, run.shares, run.title));
        file.commit();
      });
}

const flit_network::located* flit_network::endpoint_at(const unit& router,
                                                       mesh_position there) const {
  for (const auto& network : joined_routers(routers_)) {
    const auto is_at = [&](const flit_router* each) { return each->position() == there; };
    const auto is_it = [&](const flit_router* each) { return &each->as_unit() == &router; };
    if (std::none_of(network.begin(), network.end(), is_it)) continue;
    const auto found = std::find_if(network.begin(), network.end(), is_at);
    if (found == network.end()) return nullptr;
    for (const located& each : endpoints_)
      if (each.endpoint->peer() && &each.endpoint->peer()->owner() == &(*found)->as_unit())
        return &each;
  }
  return nullptr;
}

void flit_network::check() {
  if (is_checked_) return;
  is_checked_ = true;
  check_neighbors();
  check_endpoints();
  check_deadlock();
}

// Ports 0 to 3 go north, east, south and west: one coordinate grows or falls, the other stays.
void flit_network::check_neighbors() const {
  constexpr std::array<int, 4> east = {0, 1, 0, -1}, north = {1, 0, -1, 0};
  std::unordered_map<const unit*, const flit_router*> by_unit;
  for (const flit_router* each : routers_) by_unit[&each->as_unit()] = each;
  const auto sign = [](int value) { return (value > 0) - (value < 0); };
  for (const flit_router* each : routers_)
    for (int port = 0; port < 4; ++port) {
      const flit_port* far = each->port_at(port).peer();
      const auto found = far ? by_unit.find(&far->owner()) : by_unit.end();
      if (found == by_unit.end()) continue;
      const mesh_position a = each->position(), b = found->second->position();
      const auto side = static_cast<std::size_t>(port);
      if (sign(b.x - a.x) == east[side] && sign(b.y - a.y) == north[side]) continue;
      throw user_error(fmt::format("{} at {} leads to {} at {}, which does not lie that way",
                                   each->port_at(port).path(), text_of(a), far->path(),
                                   text_of(b)));
    }
}

// An endpoint is where its router is, and all of a network agree on the addresses.
void flit_network::check_endpoints() const {
  std::unordered_map<const unit*, const flit_router*> by_unit;
  for (const flit_router* each : routers_) by_unit[&each->as_unit()] = each;
  std::unordered_map<const unit*, std::size_t> network_of;
  const auto networks = joined_routers(routers_);
  for (std::size_t i = 0; i < networks.size(); ++i)
    for (const flit_router* each : networks[i]) network_of[&each->as_unit()] = i;
  std::vector<const located*> first(networks.size());
  for (const located& each : endpoints_) {
    const flit_port* near = each.endpoint->peer();
    const auto router = near ? by_unit.find(&near->owner()) : by_unit.end();
    if (router == by_unit.end()) continue;
    if (router->second->position() != each.here)
      throw user_error(fmt::format("{} at {} is joined to {} at {}", each.endpoint->path(),
                                   text_of(each.here), near->path(),
                                   text_of(router->second->position())));
    const located*& other = first[network_of[&near->owner()]];
    if (!other) other = &each;
    if (other->map != each.map)
      throw user_error(fmt::format("{} and {} are on one network and do not share a map: {} and {}",
                                   other->endpoint->path(), each.endpoint->path(), other->map.str(),
                                   each.map.str()));
  }
}

void flit_network::check_deadlock() const {
  std::vector<const flit_router*> followed_routers;
  for (const auto& network : joined_routers(routers_))
    if (!is_in_dimension_order(network))
      followed_routers.insert(followed_routers.end(), network.begin(), network.end());
  mesh_channels channels(followed_routers);
  std::set<std::pair<int, int>> followed;  // networks share places
  for (const flit_router* each : followed_routers)
    if (followed.insert({each->position().x, each->position().y}).second)
      channels.follow(each->position());
  const std::vector<channel_dependencies::channel> circle = channels.find_circle();
  if (circle.empty()) return;
  std::string text = "this network can deadlock: each of these channels waits for the next: ";
  for (const channel_dependencies::channel each : circle) text += channels.name_of(each) + " -> ";
  throw user_error(text + channels.name_of(circle.front()) +
                   "; route all routers of a mesh in the same order of dimensions");
}

}  // namespace heddle
