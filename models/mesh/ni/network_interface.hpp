// Network interface of a tile (collective NoC 3.1.1): accesses on the memory plane become AXI
// channels, these become flits on three links, and back.
//
//   in   accesses to other tiles: words on the narrow links, bursts on the wide one
//   out  where what arrives is performed
//
// Timing: `latency` cycles between each socket and the links, both ways.
//
// Its parts: access_socket (in) gives what it takes to access_intake, which says where it goes, and
// to request_side, which sends it and waits for the answer; target_side performs on `out` what
// other tiles ask; interface_links are the three links, and wide_turns says who sends on the wide
// one; access_explanation says why an access took so long.
//
// Limitations: responses complete in the order in which they come; the answers that wait here are
// bounded by what the initiators may have outstanding; bursts are not realigned to beats; no byte
// enables, no streaming; reads and atomics are not collective.
#pragma once

#include <string>
#include <vector>

#include "models/mesh/ni/access_explanation.hpp"
#include "models/mesh/ni/access_intake.hpp"
#include "models/mesh/ni/access_socket.hpp"
#include "models/mesh/ni/interface_links.hpp"
#include "models/mesh/ni/interface_tile.hpp"
#include "models/mesh/ni/mesh_tiles.hpp"
#include "models/mesh/ni/network_interface_parameters.hpp"
#include "models/mesh/ni/network_interface_regs.hpp"
#include "models/mesh/ni/request_side.hpp"
#include "models/mesh/ni/target_side.hpp"
#include "models/mesh/ni/wide_turns.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/memory/register_socket.hpp"

namespace heddle {

class network_interface final : public unit {
 public:
  using parameters = network_interface_parameters;
  using counters = network_interface_counters;
  static std::vector<port_description> port_descriptions();

  network_interface(const unit_context& context, const parameters& p);

  enum class state : std::uint8_t { idle, wait_response, serve, send };

  void evaluate(cycle_t now);  // one clock cycle
  const statistic_set* statistics() const override { return &counters_; }
  const network_interface_counters& count() const { return counters_; }
  std::string waiting_for() const override;

  const mesh_map& map() const { return tile_.map; }
  mesh_position position() const { return tile_.here; }
  std::uint32_t longest() const { return tile_.longest; }  // bytes of a burst
  fs_t cycle() const { return tile_.clock.domain().period(); }
  const flit_port& link(interface_link which) const { return links_.port(which); }
  unsigned debug_access(tlm::tlm_generic_payload& payload) { return target_.debug_access(payload); }

 private:
  void on_connected() override { links_.check(); }
  void set_registers(std::uint64_t alias);
  void enter_energy(const parameters& p);
  void state_reductions(std::size_t most_words, std::size_t most_bursts);
  const mesh_access* find_at(mesh_position source, std::uint32_t transaction) const;
  void take(const flit& arrived, interface_link from, cycle_t now);
  void show_state(cycle_t now);

  network_interface_counters counters_;
  interface_tile tile_;
  network_interface_registers registers_;
  register_socket registers_socket_;
  interface_links links_;
  access_explanation explanation_;
  target_side target_;
  request_side requests_;
  access_intake intake_;
  access_socket socket_;
  wide_turns turns_;
  interrupt_output_port interrupt_;
  trace_signal<state> state_trace_;
  trace_signal<std::uint64_t> bursts_trace_;  // without response
};

}  // namespace heddle
