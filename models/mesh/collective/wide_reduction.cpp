#include "models/mesh/collective/wide_reduction.hpp"

namespace heddle {

wide_reduction::wide_reduction(offload_initiator_port& unit, std::size_t header_buffer)
    : unit_(unit), headers_(header_buffer) {
  in_unit_.reserve(header_buffer);
}

void wide_reduction::start(const reduction_entry& complete) {
  held_header& fresh = held(started_++);
  fresh = {};
  fresh.header = complete.header;
  fresh.output = complete.output;
  for (port_mask left = complete.arrived; left; left &= left - 1)
    fresh.rest[static_cast<std::size_t>(fresh.count++)] = complete.operands[__builtin_ctz(left)];
  fresh.header.payload = fresh.rest[static_cast<std::size_t>(fresh.next++)];
}

void wide_reduction::pass(const flit& header, int output) {
  held_header& fresh = held(started_++);
  fresh = {};
  fresh.header = header;
  fresh.output = output;
}

bool wide_reduction::issue(cycle_t now) {
  for (std::size_t number = finished_; number != started_; ++number) {
    held_header& each = held(number);
    if (each.is_in_unit || each.next == each.count) continue;
    if (!unit_.can_request(now)) return false;
    const payload_handle operand = each.rest[static_cast<std::size_t>(each.next++)];
    unit_.request({each.header.op, each.header.payload, operand}, now);
    each.is_in_unit = true;
    in_unit_.push(number);
    return true;
  }
  return false;
}

void wide_reduction::take_results(cycle_t now) {
  while (unit_.has_result(now)) {
    held_header& done = held(in_unit_.front());
    in_unit_.pop();
    done.header.payload = unit_.take_result();
    done.is_in_unit = false;
  }
}

flit wide_reduction::take_result() {
  return held(finished_++).header;
}

}  // namespace heddle
