// A group of an aggregator: its children, and how far its stream has come.
//
// A stream is cut into segments, after each of which the flags of the members count one, and a
// segment into cells: what the aggregator reduces at a time, a packet or a train of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/inc/aggregator/aggregator_regs.hpp"
#include "platform/explain/running_cause.hpp"
#include "platform/tensor/dtype.hpp"
#include "platform/tensor/reduce.hpp"
#include "sw/drivers/exchange.h"
#include "transactors/aggregation/aggregation_table.hpp"
#include "transactors/fabric/endpoint.hpp"

namespace heddle {

// Mode EXCHANGE: bytes of a child's buffer for another child.
struct exchanged_chunk {
  std::uint64_t first = 0, bytes = 0;  // in the buffer
  std::uint64_t destination = 0;       // from the results of that child on
  std::uint32_t child = 0;
  std::uint64_t passed = 0;  // bytes that have gone on
  fs_t known = 0;            // when its entry of the table is read
};

struct aggregation_child {
  bool is_member = false;
  std::uint32_t number = 0;   // rank of the member, or the first below the switch
  std::uint64_t address = 0;  // of the member's memory, or the window of the group below
  endpoint_id endpoint = 0;
  int port = 0;                         // of the switch, towards it
  std::uint64_t first = 0, bytes = 0;   // mode SCATTER: its part of the stream
  std::uint64_t pushed = 0;             // bytes of the stream that have come from it
  std::uint32_t flag = 0;               // free-running count of segments, or of chunks
  std::vector<exchanged_chunk> chunks;  // mode EXCHANGE: by first byte
  std::uint64_t to_come = 0;            // bytes of them
  bool has_table = false;
  std::array<std::byte, sizeof(exchange_entry)> record{};  // of its table, until all of it is here
};

// A cell whose operands have not all come.
struct aggregated_cell {
  // Behind the crossbar: when the first packet of the latest train is there, and when everything
  // is.
  fs_t first_in = 0, last_in = 0;
  payload_slice sum;  // order ARRIVAL: so far; fp32 for the types of 16 bits
  cause why;          // the last operand so far
};

using aggregated_cells = aggregation_table<aggregated_cell>;

struct aggregation_group {
  using mode_kind = aggregator_regs::group_operation_mode;
  using state = aggregator_regs::group_status_state;
  static constexpr std::uint32_t no_child = UINT32_MAX;

  int index = 0;
  bool is_allocated = false;
  std::vector<aggregation_child> children;

  // Of the stream, from when the group is armed.
  std::uint32_t generation = 0;  // what an earlier stream has left is ignored
  // How many writes the aggregator had made, for all groups, when the group was armed, and when it
  // was last reset: tells from the number of a refused write which stream it belongs to.
  std::uint64_t writes_when_armed = 0, writes_when_reset = 0;
  fs_t armed_at = 0;
  bool is_test = false;  // members are neither told nor given results
  bool keeps_order = true;
  mode_kind mode = mode_kind::MULTICAST;
  dtype type = dtype::fp32;
  reduce_op op = reduce_op::sum;
  std::uint64_t length = 0, segment = 0, cell = 0, cells_of_segment = 0;
  std::uint64_t parent = 0, result_offset = 0, flag_offset = 0;
  endpoint_id parent_endpoint = 0;
  int parent_port = -1;
  std::uint64_t reduced = 0;   // bytes, of whole cells
  std::uint64_t copied = 0;    // bytes of mode COPY
  std::uint32_t counted = 0;   // segments whose results have gone down
  std::uint64_t reserved = 0;  // of the operand buffers

  bool is_done() const {
    if (mode == mode_kind::OVERLAY) return false;
    if (mode == mode_kind::COPY) return copied == length;
    if (mode == mode_kind::EXCHANGE)
      return std::all_of(children.begin(), children.end(),
                         [](const auto& c) { return c.has_table && c.to_come == 0; });
    return reduced == length && counted == segments_ending(0, length);
  }
  bool is_open(state now) const { return now == state::ARMED || now == state::RUN; }
  // Whether packets go on as they come, instead of being added.
  bool passes_on() const { return is_multicast() || mode == mode_kind::EXCHANGE; }
  bool is_multicast() const { return mode == mode_kind::COPY || mode == mode_kind::OVERLAY; }
  bool has_members() const {
    return std::any_of(children.begin(), children.end(), [](const auto& c) { return c.is_member; });
  }
  std::uint64_t cell_at(std::uint64_t offset) const {
    return offset / segment * cells_of_segment + offset % segment / cell;
  }
  std::uint64_t begin_of(std::uint64_t number) const {
    return number / cells_of_segment * segment + number % cells_of_segment * cell;
  }
  std::uint64_t end_of(std::uint64_t number) const {
    const std::uint64_t end_of_segment = (number / cells_of_segment + 1) * segment;
    return std::min({begin_of(number) + cell, end_of_segment, length});
  }
  // Segments that end in (from, to]; the last one may be shorter.
  std::uint32_t segments_ending(std::uint64_t from, std::uint64_t to) const {
    const std::uint64_t whole = to / segment - from / segment;
    return static_cast<std::uint32_t>(whole + (to == length && length % segment != 0 ? 1 : 0));
  }
};

}  // namespace heddle
