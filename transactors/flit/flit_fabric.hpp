// The flit plane where nodes have no coordinates of their own: terminals, numbered in the order of
// the netlist, and switches with any number of ports. The way to a terminal is a shortest one
// (shortest_flit_ways.hpp); or switches stand in a grid, and packets go in dimension order
// (flit_grid.hpp). Meshes have routes and checks of their own (flit_network.hpp).
//
// One per run: simulation::service<flit_fabric>().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "transactors/flit/flit_grid.hpp"

namespace heddle {

class flit_fabric {
 public:
  static constexpr int most_terminals = 65'536;
  static constexpr std::uint8_t no_port = flit_way::nowhere;

  // A flit carries the number of its terminal in the two bytes of its destination.
  static mesh_position address_of(int terminal) {
    return {static_cast<std::uint8_t>(terminal), static_cast<std::uint8_t>(terminal >> 8)};
  }
  static int terminal_at(mesh_position address) { return address.x | address.y << 8; }

  // When units are made. Packets leave by `port`, and arrive at `sink` if that is bound. Returns
  // the terminal's number.
  int add_terminal(const flit_port& port, const flit_port& sink);
  // Ports by index; those that are not bound lead nowhere.
  void add_switch(const unit& owner, std::vector<const flit_port*> ports);
  bool has_switches() const { return !switches_.empty(); }
  void set_grid(grid_shape shape) { grid_.emplace(std::move(shape)); }

  // When all ports are joined; whoever comes first has the routes found. Throws user_error for
  // switches that do not fit the grid.
  void start();

  // What a switch looks up.
  struct routes {
    const flit_way* ways = nullptr;    // by terminal
    std::vector<std::uint8_t> across;  // by port: where packets of its dimension go on, or no_port
    std::vector<bool> is_split;        // by port: it divides its virtual channels into classes
  };
  routes routes_of(const unit& at) const;

  // A terminal sends to these. Throws user_error when no way leads to one of them, and, once all
  // terminals have said so, when their packets can wait for each other in a circle.
  void state_destinations(int terminal, const std::vector<int>& addressed);
  const std::string& name_of(int terminal) const;

 private:
  struct junction {
    const unit* owner;
    std::vector<const flit_port*> ports;
    std::vector<flit_way> ways;  // by terminal
    flit_grid::coordinates place;
    std::vector<flit_grid::axis> axes;
  };
  struct terminal {
    const flit_port* port;
    const flit_port* sink;
    std::vector<std::uint32_t> senders;  // terminals that address it
  };
  void find_shortest_ways();
  void lay_grid();
  void warn_of_parallel_links() const;
  void find_ways_over_grid(int number, const junction& home);
  void check_deadlock() const;
  const junction* behind(const flit_port& port) const;  // nullptr: no switch

  std::vector<terminal> terminals_;
  std::vector<junction> switches_;
  std::unordered_map<const unit*, std::size_t> number_of_;  // of a switch
  std::optional<flit_grid> grid_;
  std::vector<bool> closes_;  // of the grid, by dimension
  std::size_t stated_ = 0;    // terminals that have stated their destinations
  bool is_started_ = false;
};

}  // namespace heddle
