#include "transactors/flit/flit_fabric.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "platform/services/system_findings.hpp"
#include "platform/text/counted.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/fabric/channel_dependencies.hpp"
#include "transactors/flit/shortest_flit_ways.hpp"

namespace heddle {

int flit_fabric::add_terminal(const flit_port& port, const flit_port& sink) {
  if (terminals_.size() == most_terminals)
    throw user_error(fmt::format("{}: a run has {} terminals of flits at most", port.owner().path(),
                                 most_terminals));
  terminals_.push_back({&port, &sink, {}});
  return static_cast<int>(terminals_.size()) - 1;
}

void flit_fabric::add_switch(const unit& owner, std::vector<const flit_port*> ports) {
  number_of_.emplace(&owner, switches_.size());
  switches_.push_back({&owner, std::move(ports), {}, {}, {}});
}

void flit_fabric::start() {
  if (std::exchange(is_started_, true)) return;
  for (junction& each : switches_) each.ways.assign(terminals_.size(), {});
  for (terminal& each : terminals_)
    if (!each.sink->is_bound()) each.sink = each.port;
  if (grid_) lay_grid();
  find_shortest_ways();
  if (!grid_) return;
  for (int i = 0; i < static_cast<int>(terminals_.size()); ++i) {
    const junction* const home = behind(*terminals_[i].sink);
    if (home && !home->place.empty()) find_ways_over_grid(i, *home);
  }
}

const flit_fabric::junction* flit_fabric::behind(const flit_port& port) const {
  const auto found = port.peer() ? number_of_.find(&port.peer()->owner()) : number_of_.end();
  return found == number_of_.end() ? nullptr : &switches_[found->second];
}

// To the terminals that are not behind a switch of the grid.
void flit_fabric::find_shortest_ways() {
  const auto number_of = [&](const junction* at) {
    return at ? static_cast<int>(at - switches_.data()) : shortest_flit_ways::no_switch;
  };
  std::vector<std::vector<int>> behind_ports;
  for (const junction& each : switches_) {
    std::vector<int>& numbers = behind_ports.emplace_back();
    for (const flit_port* port : each.ports) numbers.push_back(number_of(behind(*port)));
  }
  shortest_flit_ways shortest(std::move(behind_ports));
  for (int i = 0; i < static_cast<int>(terminals_.size()); ++i) {
    const flit_port& sink = *terminals_[i].sink;
    const junction* const home = behind(sink);
    if (home && home->place.empty())
      shortest.add_terminal(i, number_of(home), sink.peer()->index());
  }
  shortest.find([this](int at, int number, int port) {
    switches_[at].ways[number].output = static_cast<std::uint8_t>(port);
  });
}

void flit_fabric::lay_grid() {
  closes_.assign(grid_->sides().size(), false);
  for (junction& each : switches_) each.place = grid_->places().place(each.owner->path());
  grid_->places().check_sides();
  for (junction& each : switches_) {
    if (each.place.empty()) continue;
    std::vector<flit_grid::coordinates> to(each.ports.size());
    for (std::size_t port = 0; port < to.size(); ++port)
      if (const junction* next = behind(*each.ports[port])) to[port] = next->place;
    each.axes = grid_->axes(each.place, to, each.owner->path());
    for (std::size_t i = 0; i < closes_.size(); ++i)
      closes_[i] = closes_[i] || (each.place[i] == 0 && each.axes[i].down != no_port);
  }
  warn_of_parallel_links();
}

void flit_fabric::warn_of_parallel_links() const {
  std::size_t idle = 0;
  const flit_port* any = nullptr;
  for (const junction& each : switches_) {
    if (each.place.empty()) continue;
    std::map<const junction*, std::size_t> links;
    for (const flit_port* port : each.ports) {
      const junction* const next = behind(*port);
      if (!next || next->place.empty() || next == &each || ++links[next] == 1) continue;
      ++idle;
      any = port;
    }
  }
  if (idle == 0) return;
  any->owner().sim().service<system_findings>().warnings.push_back(fmt::format(
      "{} of switches in a grid carry nothing, such as {}: of parallel links the first is used",
      counted(idle, "port"), any->path()));
}

void flit_fabric::find_ways_over_grid(int number, const junction& home) {
  for (junction& each : switches_) {
    if (each.place.empty()) continue;
    if (each.place != home.place)
      each.ways[number] = grid_->way(each.place, home.place, each.axes, closes_);
    else if (&each == &home)
      each.ways[number].output =
          static_cast<std::uint8_t>(terminals_[number].sink->peer()->index());
  }
}

flit_fabric::routes flit_fabric::routes_of(const unit& at) const {
  const junction& here = switches_[number_of_.at(&at)];
  routes found{here.ways.data(), std::vector<std::uint8_t>(here.ports.size(), no_port),
               std::vector<bool>(here.ports.size())};
  for (std::size_t i = 0; i < here.axes.size(); ++i) {
    if (here.axes[i].is_full_row()) continue;
    const std::uint8_t up = here.axes[i].up, down = here.axes[i].down;
    if (up != no_port) found.across[up] = down;
    if (down != no_port) found.across[down] = up;
    for (const std::uint8_t port : {up, down}) {
      if (port == no_port || !closes_[i] || !grid_->has_classes(i)) continue;
      if (here.ports[port]->vcs() < 2)
        grid_->refuse(here.ports[port]->path() +
                      ": packets in a ring need two virtual channels; add `vcs: 2` to the link");
      found.is_split[port] = true;
    }
  }
  return found;
}

void flit_fabric::state_destinations(int number, const std::vector<int>& addressed) {
  const flit_port& port = *terminals_[number].port;
  const junction* const first = behind(port);
  for (const int to : addressed) {
    const bool reaches = first ? first->ways[to].output != no_port
                               : port.peer() && port.peer() == terminals_[to].sink;
    if (!reaches)
      throw user_error(fmt::format("no way leads from {} to {}, which its traffic addresses",
                                   port.owner().path(), name_of(to)));
    terminals_[to].senders.push_back(static_cast<std::uint32_t>(number));
  }
  if (++stated_ == terminals_.size()) check_deadlock();
}

// A channel is a switch's output: a flit that holds the buffer behind it needs the next one. Ways
// over a grid need no check (flit_grid.hpp).
void flit_fabric::check_deadlock() const {
  constexpr std::size_t most_ports = 256;
  using channel = channel_dependencies::channel;
  channel_dependencies waits(static_cast<channel>(switches_.size() * most_ports));
  std::vector<std::size_t> followed(switches_.size(), SIZE_MAX);
  for (std::size_t to = 0; to < terminals_.size(); ++to)
    for (const std::uint32_t sender : terminals_[to].senders) {
      const junction* here = behind(*terminals_[sender].port);
      while (here && here->place.empty()) {
        const auto number = static_cast<std::size_t>(here - switches_.data());
        if (std::exchange(followed[number], to) == to) break;
        const std::uint8_t output = here->ways[to].output;
        const junction* const next = behind(*here->ports[output]);
        if (next)
          waits.add(
              static_cast<channel>(number * most_ports + output),
              static_cast<channel>(static_cast<std::size_t>(next - switches_.data()) * most_ports +
                                   next->ways[to].output));
        here = next;
      }
    }
  const std::vector<channel> circle = waits.find_circle();
  if (circle.empty()) return;
  const auto path_of = [&](channel each) {
    return switches_[each / most_ports].ports[each % most_ports]->path();
  };
  std::string text = "this network can deadlock: each of these channels waits for the next: ";
  for (const channel each : circle) text += path_of(each) + " -> ";
  throw user_error(text + path_of(circle.front()));
}

const std::string& flit_fabric::name_of(int number) const {
  return terminals_.at(static_cast<std::size_t>(number)).port->owner().path();
}

}  // namespace heddle
