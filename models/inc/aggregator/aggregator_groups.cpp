// Groups: who belongs to them, their streams' beginnings and ends, and what ends them early.
#include <fmt/format.h>

#include <algorithm>

#include "models/inc/aggregator/aggregator.hpp"
#include "models/inc/aggregator/aggregator_directory.hpp"
#include "platform/tensor/accumulate.hpp"
#include "platform/time/time_limits.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/fabric/fabric.hpp"

namespace heddle {
namespace {

// A watchdog that would bark after the end of time is none.
constexpr fs_t patience_of(std::uint64_t ns) {
  const fs_t patience = from_nanoseconds(ns);
  return patience < end_of_time ? patience : 0;
}

}  // namespace

std::uint32_t aggregator::allocate() {
  for (aggregation_group& each : groups_) {
    if (each.is_allocated) continue;
    each.is_allocated = true;
    return static_cast<std::uint32_t>(each.index);
  }
  return UINT32_MAX;
}

// Who serves the address, and through which port; false where nobody does.
bool aggregator::locate(std::uint64_t address, endpoint_id& endpoint, int& port) const {
  const address_window* window = fabric_.find_window(address);
  if (!window || window->endpoint == endpoint_) return false;
  endpoint = window->endpoint;
  port = fabric_.routes(switch_port_.host().stage_unit()).port_for(endpoint, 0);
  return port >= 0;
}

void aggregator::add_child(std::size_t manager, std::uint32_t number) {
  const auto bank = regs_.manager[manager];
  if (number >= groups_.size()) return regs_.report(bank.child_add, "there is no such group");
  aggregation_group& group = groups_[number];
  aggregation_child child;
  child.is_member = bank.child.kind.get() == aggregator_regs::manager_child_kind::MEMBER;
  child.number = bank.child.number.get();
  child.address = bank.child_address.value();
  child.first = bank.child_first.value();
  child.bytes = bank.child_bytes.value();
  const bool is_known = locate(child.address, child.endpoint, child.port);
  const bool is_twice = is_known && child_of(group, child.endpoint) != aggregation_group::no_child;
  const bool is_full = group.children.size() == static_cast<std::size_t>(port_set::most_ports);
  if (!is_known || is_twice || is_full || group.is_open(state_of(group))) {
    const std::string what = !is_known  ? "nobody is there"
                             : is_twice ? "it is a child already"
                             : is_full  ? "the group has no room for more"
                                        : "a stream is under way";
    regs_.report(bank.child_add, fmt::format("child at {:#x}: {}", child.address, what));
    regs_.group[number].status.error.set(error::CHILD);
    return;
  }
  group.children.push_back(child);
  regs_.group[number].children.set(static_cast<std::uint32_t>(group.children.size()));
}

void aggregator::set_child(std::size_t manager, std::uint32_t number) {
  const auto bank = regs_.manager[manager];
  const std::uint32_t child = bank.child_index.value();
  if (number >= groups_.size() || child >= groups_[number].children.size())
    return regs_.report(bank.child_set, "there is no such child");
  groups_[number].children[child].first = bank.child_first.value();
  groups_[number].children[child].bytes = bank.child_bytes.value();
}

std::uint32_t aggregator::child_of(const aggregation_group& group, endpoint_id source) const {
  for (std::uint32_t i = 0; i < group.children.size(); ++i)
    if (group.children[i].endpoint == source) return i;
  return aggregation_group::no_child;
}

// What the registers say of the next stream.
void aggregator::read_stream(aggregation_group& group) const {
  const auto block = regs_.group[static_cast<std::size_t>(group.index)];
  group.is_test = false;
  group.keeps_order = block.operation.order.get() == aggregator_regs::group_operation_order::TREE;
  group.mode = block.operation.mode.get();
  group.type = static_cast<dtype>(block.operation.dtype.get());
  group.op = static_cast<reduce_op>(block.operation.op.get());
  group.length = block.length.value();
  group.segment = block.segment.value();
  group.parent = block.parent.value();
  group.result_offset = block.result_offset.value();
  group.flag_offset = block.flag_offset.value();
  group.reduced = group.copied = group.counted = 0;
  for (aggregation_child& each : group.children) {
    each.pushed = each.to_come = 0;
    each.has_table = false;
    each.chunks.clear();
  }
}

// Why the stream that the registers describe cannot be; NONE where it can.
aggregator::error aggregator::obstacle_to(const aggregation_group& group) const {
  if (group.mode > mode_kind::OVERLAY) return error::TYPE;
  if (group.mode == mode_kind::EXCHANGE && group.parent != 0) return error::TYPE;
  if (group.children.empty()) return error::CHILD;
  if (!group.passes_on() && (!can_reduce_ || !can_accumulate(group.type) || !is_known(group.op) ||
                             !applies_to(group.op, group.type)))
    return error::TYPE;
  const bool is_aligned = group.length % alignment == 0 && group.segment % alignment == 0;
  if (!is_aligned || group.length == 0 || group.segment == 0) return error::ALIGN;
  const std::uint64_t room = stride_ - alignment;
  const std::uint64_t table = group.mode == mode_kind::EXCHANGE ? exchange_table::bytes : 0;
  return table > room || group.length > room - table ? error::WINDOW : error::NONE;
}

// Segments of a possible stream that a child may be ahead of its flag.
std::uint64_t aggregator::segments_ahead(const aggregation_group& group) const {
  const std::uint64_t segments = (group.length + group.segment - 1) / group.segment;
  const std::uint64_t wanted = regs_.group[static_cast<std::size_t>(group.index)].window.value();
  return std::clamp<std::uint64_t>(wanted, 1, segments);
}

// Takes the operand buffers of a possible stream; close_entries() gives them back.
aggregator::error aggregator::reserve(aggregation_group& group) {
  if (group.passes_on()) return error::NONE;
  const std::uint64_t bytes = std::min(segments_ahead(group) * group.segment, group.length);
  if (bytes > regs_.buffer_free.value()) return error::BUFFER;
  group.reserved = bytes;
  regs_.buffer_free.set(regs_.buffer_free.value() - bytes);
  return error::NONE;
}

aggregator::error aggregator::join_parent(aggregation_group& group) {
  if (group.parent != 0 && !locate(group.parent, group.parent_endpoint, group.parent_port))
    return error::CHILD;
  const bool is_tree =
      sim().service<aggregator_directory>().set_parent(window_of(group), group.parent);
  return is_tree ? error::NONE : error::CIRCLE;
}

void aggregator::start(aggregation_group& group) {
  const auto block = regs_.group[static_cast<std::size_t>(group.index)];
  const std::uint64_t window = segments_ahead(group);
  group.segment = std::min(group.segment, group.length);  // a longer one is cut
  group.cell = std::min<std::uint64_t>(std::uint64_t{train_} * format_.mtu, group.segment);
  group.cells_of_segment = (group.segment + group.cell - 1) / group.cell;
  aggregation_limits limits{port_set(static_cast<int>(group.children.size()))};
  for (int i = 0; i < static_cast<int>(group.children.size()); ++i) limits.children.insert(i);
  limits.window = static_cast<std::uint32_t>(window * group.cells_of_segment);
  limits.patience = patience_of(block.watchdog.value());
  cells_.restart(group.index, std::move(limits));
  block.finished.set(0);
  block.culprit.set(0);
  block.tested.set(0);
  block.status.error.set(error::NONE);
  group.armed_at = now_fs();
  set_state(group, state::ARMED);
}

void aggregator::arm(aggregation_group& group) {
  if (state_of(group) == state::ERROR) return;
  close_entries(group);
  ++group.generation;
  group.writes_when_armed = writes_made_;
  read_stream(group);
  error obstacle = obstacle_to(group);
  if (obstacle == error::NONE) obstacle = reserve(group);
  if (obstacle == error::NONE) obstacle = join_parent(group);
  if (obstacle != error::NONE) return fail(group, obstacle, 0, 0, "it cannot be armed");
  start(group);
}

void aggregator::control(aggregation_group& group) {
  const auto block = regs_.group[static_cast<std::size_t>(group.index)];
  const bool releases = block.control.release.get() == aggregator_regs::group_control_release::YES;
  if (block.control.test.get() == aggregator_regs::group_control_test::YES) test(group);
  if (!releases && block.control.reset.get() != aggregator_regs::group_control_reset::YES) return;
  close_entries(group);
  ++group.generation;
  group.writes_when_armed = group.writes_when_reset = writes_made_;
  block.status.error.set(error::NONE);
  block.culprit.set(0);
  set_state(group, state::IDLE);
  if (!releases) return;
  sim().service<aggregator_directory>().set_parent(window_of(group), 0);
  group.children.clear();
  group.is_allocated = false;
  block.children.set(0);
}

// Acts as if every member had pushed one packet; what comes down from the root ends here. Does
// nothing once a member has pushed.
void aggregator::test(aggregation_group& group) {
  const bool have_pushed = std::any_of(group.children.begin(), group.children.end(),
                                       [](const auto& c) { return c.is_member && c.pushed > 0; });
  if (!group.is_open(state_of(group)) || have_pushed || !group.has_members()) return;
  group.is_test = true;
  packet operand;
  operand.head = operand.tail = now_fs();
  operand.payload_bytes = static_cast<std::uint32_t>(std::min(group.length, alignment));
  for (std::uint32_t i = 0; i < group.children.size(); ++i)
    if (group.children[i].is_member) contribute(group, i, 0, operand);
}

// Nothing of the stream is left, and its buffers are free.
void aggregator::close_entries(const aggregation_group& group) {
  std::vector<aggregated_cells::entry*> open;
  cells_.for_each_open([&](aggregated_cells::entry& each) {
    if (each.group == group.index) open.push_back(&each);
  });
  for (aggregated_cells::entry* each : open) {
    cells_.free_buffer(group.index, each->reserved);
    cells_.close(*each);
  }
  aggregation_group& own = groups_[static_cast<std::size_t>(group.index)];
  regs_.buffer_free.set(regs_.buffer_free.value() + own.reserved);
  own.reserved = 0;
}

// The stream is over; what others push before the group is armed again is refused.
void aggregator::end_if_done(aggregation_group& group) {
  if (!group.is_done() || !group.is_open(state_of(group))) return;
  close_entries(group);
  set_state(group, state::IDLE);
}

// The group stops; everybody in the tree learns why, and whom it is about.
void aggregator::fail(aggregation_group& group, error reason, std::uint64_t culprits,
                      std::uint32_t number, const std::string& what, int except_port) {
  const auto block = regs_.group[static_cast<std::size_t>(group.index)];
  if (state_of(group) == state::ERROR) return;
  const bool was_open = group.is_open(state_of(group));
  ++counters_.errors;
  block.status.error.set(reason);
  block.culprit.set(culprits);
  regs_.report(block.status, fmt::format("group {}: {}", group.index, what));
  close_entries(group);
  ++group.generation;
  set_state(group, state::ERROR);
  events_.raise(std::uint64_t{1} << group.index);
  if (was_open && !group.is_test) tell_error(group, reason, number, except_port);
}

void aggregator::tell_error(aggregation_group& group, error reason, std::uint32_t number,
                            int except_port) {
  const cause why = running_cause::copy();
  const std::uint32_t high = static_cast<std::uint32_t>(reason) | number << rank_shift;
  const std::uint64_t word = std::uint64_t{high} << 32;
  const std::uint64_t behind = stride_ - alignment;
  for (aggregation_child& each : group.children) {
    if (each.is_member)
      write_flag(group, each, high, why);
    else if (each.port != except_port)
      write_word(group.index, each.endpoint, each.port, each.address + behind, word, why);
  }
  if (group.parent != 0 && group.parent_port != except_port)
    write_word(group.index, group.parent_endpoint, group.parent_port, group.parent + behind, word,
               why);
}

// The watchdog of a packet: some of the children have not pushed it.
void aggregator::expired(aggregated_cells::entry& late) {
  aggregation_group& group = groups_[static_cast<std::size_t>(late.group)];
  std::uint64_t culprits = 0;
  std::string names;
  late.missing.for_each([&](int child) {
    if (child < 64) culprits |= std::uint64_t{1} << child;
    const aggregation_child& each = group.children[static_cast<std::size_t>(child)];
    names += fmt::format("{}{}{}", names.empty() ? "" : ", ",
                         each.is_member ? "rank " : "the switch above rank ", each.number);
  });
  const auto first = static_cast<std::size_t>(late.missing.next(0));
  fail(group, error::MISSING, culprits, group.children[first].number,
       fmt::format("{} never pushed byte {}", names, group.begin_of(late.segment)));
}

aggregator::state aggregator::state_of(const aggregation_group& group) const {
  return regs_.group[static_cast<std::size_t>(group.index)].status.state.get();
}

void aggregator::set_state(aggregation_group& group, state now) {
  if (state_of(group) == now) return;
  regs_.group[static_cast<std::size_t>(group.index)].status.state.set(now);
  state_traces_[static_cast<std::size_t>(group.index)].set(now, now_fs());
}

// A debugger can write a number into the field that no error has.
std::string aggregator::error_name(const aggregation_group& group) const {
  const auto number = static_cast<std::size_t>(
      regs_.group[static_cast<std::size_t>(group.index)].status.error.get());
  const trace_states known = aggregator_regs::group_status_error_names();
  return number < known.names().size() ? known.names()[number] : fmt::format("error {}", number);
}

std::vector<reduction_group> aggregator::reduction_groups() const {
  std::vector<reduction_group> all;
  for (const aggregation_group& each : groups_) {
    if (each.generation == 0 || each.children.empty() || each.passes_on()) continue;
    reduction_group of;
    of.window = window_of(each);
    of.parent = each.parent;
    of.result_offset = each.result_offset;
    of.length = each.length;
    of.armed_at = each.armed_at;
    of.keeps_order = each.keeps_order;
    for (const aggregation_child& child : each.children)
      of.children.push_back(
          {child.is_member ? reduction_group::input::member : reduction_group::input::group,
           child.address});
    all.push_back(std::move(of));
  }
  return all;
}

}  // namespace heddle
