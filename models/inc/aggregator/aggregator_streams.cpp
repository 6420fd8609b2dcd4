// Operands and results of a stream, and the counts behind them.
#include <algorithm>
#include <cstring>

#include "models/inc/aggregator/aggregator.hpp"
#include "platform/tensor/accumulate.hpp"
#include "platform/tensor/convert.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

// The elements as they are added, one operand after the other.
payload_slice widened(dtype type, const payload_slice& operand, std::uint32_t bytes) {
  const std::size_t elements = bytes / size_of(type);
  const auto wide = static_cast<std::uint32_t>(is_widened(type) ? elements * sizeof(float) : bytes);
  payload_slice result = payload_slice::allocate(wide);
  if (is_widened(type))
    widen(type, operand.data(), reinterpret_cast<float*>(result.data()), elements);
  else
    std::memcpy(result.data(), operand.data(), bytes);
  return result;
}

}  // namespace

// How long the first `bytes` take of the time of all bytes.
fs_t aggregator::share_of(fs_t whole, std::uint64_t bytes, std::uint64_t all) {
  return whole / all * bytes + whole % all * bytes / all;
}

// When the first `bytes` bytes of a packet or train have arrived.
fs_t aggregator::arrival_of(const packet& p, std::uint64_t bytes) {
  if (bytes >= p.payload_bytes) return p.tail;
  return p.head + share_of(p.tail - p.head, bytes, p.payload_bytes);
}

// Bytes of a child's vector, in order; they may end a cell and begin the next.
void aggregator::contribute(aggregation_group& group, std::uint32_t child, std::uint64_t offset,
                            const packet& operand) {
  std::uint32_t taken = 0;
  while (taken < operand.payload_bytes) {
    const std::uint64_t at = offset + taken, cell = group.cell_at(at);
    const auto bytes = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(operand.payload_bytes - taken, group.end_of(cell) - at));
    aggregated_cells::entry* entry = cells_.find_segment(group.index, cell);
    if (!entry) {
      const std::uint64_t whole = group.end_of(cell) - group.begin_of(cell);
      entry = &cells_.open_segment(group.index, cell, whole);
      counters_.peak_operands.raise_to(cells_.used(group.index));
    }
    add_operand(group, *entry, child, at, bytes, operand, taken);
    taken += bytes;
  }
}

void aggregator::add_operand(aggregation_group& group, aggregated_cells::entry& entry,
                             std::uint32_t child, std::uint64_t offset, std::uint32_t bytes,
                             const packet& operand, std::uint32_t skipped) {
  const std::uint64_t begin = group.begin_of(entry.segment), end = group.end_of(entry.segment);
  payload_slice& slot = entry.operands[child];
  if (operand.payload) {
    if (bytes == end - begin) {
      slot = operand.payload.from(skipped);
    } else {
      if (!slot) slot = payload_slice::allocate(static_cast<std::uint32_t>(end - begin));
      std::memcpy(slot.data() + (offset - begin), operand.payload.data() + skipped, bytes);
    }
  }
  group.children[child].pushed = offset + bytes;
  const std::uint32_t first_packet = std::min(bytes, format_.mtu);
  entry.first_in =
      std::max(entry.first_in, arrival_of(operand, skipped + first_packet) + forwarding_);
  entry.last_in = std::max(entry.last_in, arrival_of(operand, skipped + bytes) + forwarding_);
  if (operand.is_explained) entry.why.join(operand.why);
  if (offset + bytes < end) return;
  if (!group.keeps_order && slot) {
    const auto whole = static_cast<std::uint32_t>(end - begin);
    payload_slice wide = widened(group.type, slot, whole);
    if (entry.sum)
      reduce(is_widened(group.type) ? dtype::fp32 : group.type, group.op, entry.sum.data(),
             wide.data(), whole / size_of(group.type));
    else
      entry.sum = std::move(wide);
    slot.reset();
  }
  cells_.contribute(entry, static_cast<int>(child));
  if (aggregated_cells::is_complete(entry)) reduce_cell(group, entry);
}

// The packets of a train are reduced as they come: the first result may leave before the last
// operand is here.
void aggregator::reduce_cell(aggregation_group& group, aggregated_cells::entry& entry) {
  outgoing result;
  result.what = group.parent != 0 ? outgoing::kind::up : outgoing::kind::down;
  result.group = &group;
  result.generation = group.generation;
  result.offset = group.begin_of(entry.segment);
  result.bytes = static_cast<std::uint32_t>(group.end_of(entry.segment) - result.offset);
  result.payload = sum_of(group, entry, result.bytes);
  result.tail = entry.last_in + pipeline_;
  result.why = entry.why;
  const fs_t start = std::max(entry.first_in + pipeline_, now_fs());
  if (result.why) {
    result.why.then(category::queueing, site(), entry.first_in);
    result.why.then(category::reduction, site(), start);
  }
  const std::uint32_t packets = format_.packets(result.bytes);
  counters_.reductions += packets;
  counters_.reduced_bytes += result.bytes;
  counters_.waiting += packets * (now_fs() - entry.opened);
  group.reduced += result.bytes;
  regs_.group[static_cast<std::size_t>(group.index)].finished.set(group.reduced);
  cells_.free_buffer(group.index, entry.reserved);
  cells_.close(entry);
  outgoing_.push(start, std::move(result));
}

payload_slice aggregator::sum_of(const aggregation_group& group, aggregated_cells::entry& entry,
                                 std::uint32_t bytes) {
  const std::size_t elements = bytes / size_of(group.type);
  if (!group.keeps_order) {
    if (!entry.sum || !is_widened(group.type)) return std::move(entry.sum);
    payload_slice result = payload_slice::allocate(bytes);
    narrow(group.type, reinterpret_cast<const float*>(entry.sum.data()), result.data(), elements);
    return result;
  }
  operands_.clear();
  for (std::size_t i = 0; i < group.children.size(); ++i) {
    if (!entry.operands[i]) return {};
    operands_.push_back(entry.operands[i].data());
  }
  payload_slice result = payload_slice::allocate(bytes);
  accumulate(group.type, group.op, operands_, result.data(), elements);
  return result;
}

void aggregator::send_up(const outgoing& what) {
  const aggregation_group& group = *what.group;
  write(group.index,
        {group.parent + what.offset, group.parent_endpoint, group.parent_port, what.bytes,
         what.payload, what.tail},
        what.why);
}

// A result of this switch, if it is the root, or one that came from the parent.
void aggregator::send_down(const outgoing& what) {
  aggregation_group& group = *what.group;
  give_results(group, what);
  const bool counts_itself = group.parent == 0 || group.mode == mode_kind::MULTICAST;
  if (!counts_itself) return;
  const std::uint32_t ended = group.segments_ending(what.offset, what.offset + what.bytes);
  if (ended > 0) count_segments(group, ended, what.why);
}

void aggregator::give_results(aggregation_group& group, const outgoing& what) {
  const std::uint32_t target = regs_.group[static_cast<std::size_t>(group.index)].target.value();
  for (std::uint32_t i = 0; i < group.children.size(); ++i) {
    const aggregation_child& each = group.children[i];
    std::uint64_t begin = what.offset, end = what.offset + what.bytes;
    if (group.mode == mode_kind::ROOT && i != target) continue;
    if (group.mode == mode_kind::SCATTER) {
      begin = std::max(begin, each.first);
      end = std::min(end, each.first + each.bytes);
    }
    if (begin >= end || (group.is_test && each.is_member)) continue;
    const std::uint64_t to = each.is_member ? each.address + group.result_offset : each.address;
    counters_.copies += format_.packets(static_cast<std::uint32_t>(end - begin));
    write(group.index,
          {to + begin, each.endpoint, each.port, static_cast<std::uint32_t>(end - begin),
           what.payload.from(static_cast<std::uint32_t>(begin - what.offset)), what.tail},
          what.why);
  }
}

// Behind the results: the flags of members, and where a switch below cannot see it by itself, how
// many segments have ended.
void aggregator::count_segments(aggregation_group& group, std::uint32_t segments,
                                const cause& why) {
  group.counted += segments;
  const auto block = regs_.group[static_cast<std::size_t>(group.index)];
  if (group.is_test && group.has_members()) block.tested.add(segments);
  for (aggregation_child& each : group.children) {
    if (each.is_member) {
      if (group.is_test) continue;
      each.flag += segments;
      write_flag(group, each, 0, why);
    } else if (group.mode != mode_kind::MULTICAST) {
      write_word(group.index, each.endpoint, each.port, each.address + stride_ - alignment,
                 segments, why);
    }
  }
  end_if_done(group);
}

void aggregator::write_flag(const aggregation_group& group, aggregation_child& child,
                            std::uint32_t high, const cause& why) {
  write_word(group.index, child.endpoint, child.port, child.address + group.flag_offset,
             std::uint64_t{high} << 32 | child.flag, why);
}

void aggregator::write_word(int owner, endpoint_id to, int port, std::uint64_t address,
                            std::uint64_t value, const cause& why) {
  payload_slice bytes = payload_slice::allocate(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  write(owner, {address, to, port, sizeof value, std::move(bytes), now_fs()}, why);
}

}  // namespace heddle
