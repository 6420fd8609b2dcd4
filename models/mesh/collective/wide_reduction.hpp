// The central reduction logic of a router: operands go to a functional unit two at a time, over the
// offload port, while the header waits in a buffer. Results leave in the order in which their
// reductions started. One operation starts a cycle, so three inputs take two cycles a beat; the
// pipeline of the unit is hidden as long as the buffer holds more headers than it has stages.
//
// Operands are combined in the order of their ports: north, east, south, west, local.
#pragma once

#include <array>
#include <vector>

#include "models/mesh/collective/reduction_buffer.hpp"
#include "transactors/flit/flit_ring.hpp"
#include "transactors/flit/offload_port.hpp"

namespace heddle {

class wide_reduction {
 public:
  wide_reduction(offload_initiator_port& unit, std::size_t header_buffer);

  bool empty() const { return started_ == finished_; }
  bool has_room() const { return started_ - finished_ < headers_.size(); }
  std::size_t in_flight() const { return started_ - finished_; }
  const flit& oldest() const { return held(finished_).header; }  // not while it is empty

  // The entry is complete and there is room.
  void start(const reduction_entry& complete);
  // A flit without arithmetic (a write address) that keeps its place among the others.
  void pass(const flit& header, int output);
  // Starts an operation of the oldest reduction that can use one. Returns whether it did.
  bool issue(cycle_t now);
  void take_results(cycle_t now);

  // The oldest reduction, when its result is here.
  bool has_result() const { return !empty() && held(finished_).is_done(); }
  int output() const { return held(finished_).output; }
  flit take_result();

 private:
  struct held_header {
    flit header;  // its payload is the result so far
    std::array<payload_handle, mesh_directions> rest{};
    int next = 0, count = 0;  // in rest
    int output = 0;
    bool is_in_unit = false;
    bool is_done() const { return !is_in_unit && next == count; }
  };
  held_header& held(std::size_t number) { return headers_[number % headers_.size()]; }
  const held_header& held(std::size_t number) const { return headers_[number % headers_.size()]; }

  offload_initiator_port& unit_;
  std::vector<held_header> headers_;  // the header buffer
  std::size_t started_ = 0, finished_ = 0;
  flit_ring<std::size_t> in_unit_;  // headers, in the order of their requests
};

}  // namespace heddle
