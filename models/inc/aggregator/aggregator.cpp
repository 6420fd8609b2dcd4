// Construction and registers. Groups, packets and streams have files of their own.
#include "models/inc/aggregator/aggregator.hpp"

#include <fmt/format.h>

#include "models/inc/aggregator/aggregator_directory.hpp"
#include "platform/services/tenant_directory.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/packet/packet_wires.hpp"
#include "transactors/packet/train_check.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(aggregator,
                     describe_unit<aggregator>("aggregator",
                                               "trees of switches that reduce and multicast what "
                                               "ranks push, inside a switch",
                                               aggregator_regs::markdown));

}  // namespace

std::vector<port_description> aggregator::port_descriptions() {
  return {{"registers", "memory target", "the register block, for a manager"},
          {"irq", "interrupt output", "up while irq_status & irq_enable is not 0"},
          {"inc", "in-network device", "the switch that it sits in"}};
}

aggregator::aggregator(const unit_context& context, const parameters& p)
    : unit(context),
      format_(p.format()),
      train_(sim().settings().train),
      base_(p.base().value),
      stride_(p.stride().bytes),
      buffer_(p.buffer().bytes),
      can_reduce_(p.reduces() == "yes"),
      forwarding_(p.forwarding().fs),
      pipeline_(p.pipeline() * p.cycle().fs),
      cycle_(p.cycle().fs),
      audit_(sim().service<register_audit_log>()),
      fabric_(sim().service<fabric>()),
      endpoint_(fabric_.add_inc_endpoint(*this, base_, aggregator_regs::group_count * stride_,
                                         packet_order::by_flow)),
      regs_(context),
      registers_socket_(*this, "registers", regs_),
      events_(*this, regs_),
      switch_port_(*this, "inc", *this),
      cells_(this),
      groups_(aggregator_regs::group_count),
      outgoing_(timed_queue<outgoing>::to<aggregator, &aggregator::send_due>(*this)) {
  if (!sim().service<aggregator_directory>().add(base_))
    throw user_error(
        fmt::format("{}: address windows overlap: those of another aggregator begin at {:#x}, too",
                    path(), base_));
  if (!sim().service<aggregator_directory>().agrees_on(stride_))
    throw user_error(path() +
                     ": `stride` is not that of the other aggregators, which write to "
                     "each other's windows");
  sim().service<reduction_directory>().sources.push_back(this);
  sim().service<tenant_directory>().rooms[&regs_] = aggregator_regs::manager_count;
  sim().service<link_directory>().endpoints[this] = wires_of_full_packets(format_);
  regs_.groups.set(aggregator_regs::group_count);
  regs_.window_base.set(base_);
  regs_.window_stride.set(stride_);
  regs_.buffer_free.set(buffer_);
  regs_.capabilities.reduces.set(can_reduce_ ? aggregator_regs::capabilities_reduces::YES
                                             : aggregator_regs::capabilities_reduces::NO);
  regs_.capabilities.copies.set(aggregator_regs::capabilities_copies::YES);
  regs_.capabilities.exchanges.set(aggregator_regs::capabilities_exchanges::YES);
  regs_.allocate.on_read([this] { return allocate(); });
  for (std::size_t i = 0; i < regs_.manager.size(); ++i) {
    const auto bank = regs_.manager[i];
    bank.port_select.on_write(
        [this, i](std::uint32_t, std::uint32_t now) { describe_port(i, now); });
    bank.child_add.on_write([this, i](std::uint32_t, std::uint32_t now) { add_child(i, now); });
    bank.child_set.on_write([this, i](std::uint32_t, std::uint32_t now) { set_child(i, now); });
    bank.word_send.on_write([this, i](std::uint32_t, std::uint32_t) { send_word(i); });
  }
  const trace_scope scope(sim().trace(), path());
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    aggregation_group& group = groups_[i];
    group.index = static_cast<int>(i);
    cells_.add_group({port_set(port_set::most_ports)});
    regs_.group[i].arm.on_write([this, &group](std::uint32_t, std::uint32_t) { arm(group); });
    regs_.group[i].control.on_write(
        [this, &group](std::uint32_t, std::uint32_t) { control(group); });
    state_traces_.push_back(scope.state<state>(fmt::format("group_{}", i),
                                               aggregator_regs::group_status_state_names()));
    state_traces_.back().set(state::IDLE, 0);
  }
}

void aggregator::on_connected() {
  regs_.ports.set(static_cast<std::uint32_t>(switch_port_.port_count()));
  copies_out_.resize(static_cast<std::size_t>(switch_port_.port_count()));
  const std::uint32_t largest = train_ * format_.wire_bytes(format_.mtu, 1);
  for (int i = 0; i < switch_port_.port_count(); ++i) {
    const packet_port& port = switch_port_.port_at(i);
    if (port.is_bound()) check_train_fits(path(), train_, largest, port);
  }
}

stage_sheet aggregator::sheet() const {
  stage_sheet result;
  result.latency = forwarding_;
  result.charged = site();
  return result;
}

// What a manager learns of the neighborhood, as from the identification of a link's far end.
void aggregator::describe_port(std::size_t manager, std::uint32_t port) {
  using kind = aggregator_regs::manager_port_kind_kind;
  kind found = kind::NONE;
  std::uint64_t peer_address = 0;
  const bool is_there = port < static_cast<std::uint32_t>(switch_port_.port_count());
  const packet_port* peer =
      is_there ? switch_port_.port_at(static_cast<int>(port)).peer() : nullptr;
  if (peer) {
    const auto* neighbor = sim().service<aggregator_directory>().find(fabric_, peer->owner());
    found = !neighbor ? kind::OTHER : neighbor->is_aggregator ? kind::AGGREGATOR : kind::MEMORY;
    if (neighbor) peer_address = neighbor->base;
  }
  regs_.manager[manager].port_kind.kind.set(found);
  regs_.manager[manager].port_peer.set(peer_address);
}

void aggregator::send_word(std::size_t manager) {
  const auto bank = regs_.manager[manager];
  endpoint_id endpoint = 0;
  int port = -1;
  const std::uint64_t address = bank.word_address.value();
  if (!locate(address, endpoint, port))
    return regs_.report(bank.word_send, fmt::format("nothing answers at {:#x}", address));
  bank.words_under_way.add(1);
  write_word(static_cast<int>(first_manager + manager), endpoint, port, address,
             bank.word_value.value(), running_cause::copy());
}

std::string aggregator::waiting_for() const {
  std::string text;
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  for (const aggregation_group& group : groups_) {
    if (state_of(group) == state::ERROR)
      add(fmt::format("group {} to be reset after {}", group.index, error_name(group)));
    const auto* first = cells_.find_segment(group.index, cells_.first_unfinished(group.index));
    if (!first) continue;
    std::string missing;
    first->missing.for_each([&](int child) {
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ",
                             group.children[static_cast<std::size_t>(child)].number);
    });
    add(fmt::format("rank {} to push byte {} of group {}", missing, group.begin_of(first->segment),
                    group.index));
  }
  return text;
}

}  // namespace heddle
