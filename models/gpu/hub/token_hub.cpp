// Registers, wires and memory of the hub.
#include "models/gpu/hub/token_hub.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/services/run_control.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/memory/access.hpp"
#include "transactors/packet/train_check.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(token_hub,
                     describe_unit<token_hub>("token_hub",
                                              "hub of a GPU that runs mixture-of-experts "
                                              "layers with dynamic multimem",
                                              token_hub_regs::markdown));

}  // namespace

std::vector<port_description> token_hub::port_descriptions() {
  return {{"registers", "memory target", "the register block"},
          {"memory", "memory initiator", "memory of the GPU"},
          {"irq", "interrupt output", "up while irq_status & irq_enable is not 0"},
          {"port[ports]", "packet", "one link a plane"}};
}

token_hub::side::side(token_hub& hub, int index)
    : owner(hub),
      port(hub, hub, fmt::format("port[{}]", index), index),
      wake(timed_call::to<side, &side::transmit>(*this)),
      arrival(timed_call::to<side, &side::arrive, &side::fetch_arrival>(*this)) {}

token_hub::token_hub(const unit_context& context, const parameters& p)
    : unit(context),
      format_(p.tokens()),
      base_(p.base().value),
      size_(p.size().bytes),
      first_base_(p.first_base().value),
      interleave_(p.interleave().bytes),
      outstanding_limit_(static_cast<std::uint32_t>(p.outstanding())),
      fetch_limit_(static_cast<std::uint32_t>(p.fetches())),
      queue_limit_(static_cast<std::uint32_t>(p.queue())),
      multimem_queue_(static_cast<std::uint32_t>(p.multimem_queue())),
      train_(sim().settings().train),
      list_latency_(p.list_latency().fs),
      memory_latency_(p.memory_latency().fs),
      poll_(p.poll().fs),
      hbm_(p.hbm()),
      sms_(static_cast<std::uint32_t>(p.sms())),
      flops_(p.rates().flops_of_sm * static_cast<double>(p.sms())),
      carries_data_(sim().settings().carries_data),
      fabric_(sim().service<fabric>()),
      endpoint_(fabric_.add_endpoint(*this, base_, size_, packet_order::none)),
      regs_(context),
      registers_socket_(*this, "registers", regs_),
      memory_("memory", *this),
      memory_port_(*this, "memory", memory_.socket()),
      events_(*this, regs_),
      layout_(p.layout()),
      tracker_(p.tracker()),
      pool_(*this, p.rates()),
      staged_(timed_queue<staged_packet>::to<token_hub, &token_hub::take_staged,
                                             &token_hub::fetch_staged>(*this)),
      served_(timed_queue<served_packet>::to<token_hub, &token_hub::take_served,
                                             &token_hub::fetch_served>(*this)),
      own_stored_(timed_queue<std::uint32_t>::to<token_hub, &token_hub::take_own_stored>(*this)),
      due_rows_(timed_queue<due_row>::to<token_hub, &token_hub::take_due_rows>(*this)),
      ready_tokens_(
          timed_queue<std::uint32_t>::to<token_hub, &token_hub::take_ready_tokens>(*this)),
      summed_(timed_queue<result_part>::to<token_hub, &token_hub::write_summed>(*this)),
      results_(timed_queue<result_part>::to<token_hub, &token_hub::take_results>(*this)),
      commands_(timed_queue<dymultimem_command>::to<token_hub, &token_hub::take_commands>(*this)),
      begin_(timed_call::to<token_hub, &token_hub::begin>(*this)) {
  for (int i = 0; i < static_cast<int>(p.ports()); ++i)
    sides_.push_back(std::make_unique<side>(*this, i));
  fabric_.expect_packets_of(train_ * format_.packets.wire_bytes(format_.packets.mtu, 1));
  no_data_.resize(std::max<std::size_t>(std::size_t{train_} * format_.packets.mtu, 1 << 16));
  regs_.start.on_write([this](std::uint64_t, std::uint64_t) { start(); });
  connect_commands();
  sim().service<token_hub_directory>().hubs.push_back(this);
}

void token_hub::on_connected() {
  routes_ = &fabric_.routes(*this);
  constexpr std::uint32_t element = 2;  // bytes of BF16, which hubs add
  if (format_.packets.mtu % element != 0 || interleave_ % element != 0)
    throw user_error(fmt::format("{}: `mtu` ({} B) and `interleave` ({} B) cut elements of {} B",
                                 path(), format_.packets.mtu, interleave_, element));
  for (const auto& each : sides_)
    if (each->port.is_bound()) each->port.trace_wire();
  const std::uint32_t largest = train_ * format_.packets.wire_bytes(format_.packets.mtu, 1);
  const packet_port* tightest = fabric_.smallest_buffer();
  if (tightest) check_train_fits(path(), train_, largest, *tightest);
}

// Registers ------------------------------------------------------------------------------------

void token_hub::start() {
  if (regs_.status.state.get() != state::IDLE)
    return regs_.report(regs_.start, "started while a layer was under way, or has failed");
  if (!configure()) return;
  regs_.status.state.set(state::BUSY);
  ++layers_started_;
  started_ = now_fs();
  sent_.begin(started_);
  received_.begin(started_);
  send_counts();
  begin_if_all_counts();
}

void token_hub::fail(error reason, std::uint32_t token, std::uint32_t expert) {
  fail(reason, token, expert, fmt::format("token {}, expert {}", token, expert));
}

void token_hub::fail(error reason, std::uint32_t token, std::uint32_t expert,
                     const std::string& what) {
  if (regs_.status.state.get() == state::ERROR) return;  // the first reason counts
  ++counters_.errors;
  is_running_ = false;
  regs_.status.error.set(reason);
  regs_.status.state.set(state::ERROR);
  regs_.error_token.set(token);
  regs_.error_expert.set(expert);
  const std::vector<std::string> names = token_hub_regs::status_error_names().names();
  regs_.report(regs_.start, fmt::format("{}: {}", names[static_cast<std::size_t>(reason)], what));
  events_.raise(failed_bit);
}

// Wires ----------------------------------------------------------------------------------------

token_hub::side& token_hub::side_towards(endpoint_id destination, std::uint64_t address) {
  return *sides_[static_cast<std::size_t>(routes_->port_for(destination, address / interleave_))];
}

// What goes to another hub has the plain channels of the link: requests the lower half.
std::uint8_t token_hub::vc_of(const side& through, const packet& p) const {
  if (p.is_inc) return inc_vc_of(p.kind);
  const int half = through.port.vcs() / 2;
  const int within = p.destination % half;
  return static_cast<std::uint8_t>(is_response(p.kind) ? half + within : within);
}

void token_hub::enqueue(side& to, packet& p) {
  to.waiting.push(p);
  transmit(to);
}

void token_hub::transmit(side& from) {
  const fs_t now = now_fs();
  if (from.waiting.empty()) return;
  if (from.port.free_at() > now) return from.wake.at(from.port.free_at());
  packet* next = from.waiting.pop_sendable(from.port, now);
  if (!next) return;
  sent_.add(now, next->wire_bytes);
  const bool is_own = next->kind == token_store || next->kind == token_fetch;
  if (is_own) pieces_.at(next->tag).of->slots[from.number()].waiting -= next->train;
  from.port.send(*next, now, next->tail);
  if (!from.waiting.empty()) from.wake.at(from.port.free_at());
  if (is_own) pump(from);
}

// For messages.
std::string token_hub::sender_name(endpoint_id sender) const {
  const std::string& path = fabric_.endpoint(sender).owner->path();
  const std::uint32_t rank = rank_of(sender);
  return rank < layer_.gpus ? fmt::format("rank {} ({})", rank, path) : path;
}

double token_hub::wire_rate() const {
  double rate = 0;
  for (const auto& each : sides_)
    if (each->port.is_bound()) rate += static_cast<double>(each->port.rate().bytes_per_second());
  return rate;
}

void token_hub::credits_returned(packet_port& at) {
  transmit(*sides_[static_cast<std::size_t>(at.index())]);
}

void token_hub::receive(packet_port& at, packet& arrived) {
  side& through = *sides_[static_cast<std::size_t>(at.index())];
  through.arriving.push(arrived, arrived.tail, {arrived.header.address()});
  through.arrival.at(arrived.tail);
}

void token_hub::side::fetch_arrival() const {
  if (arriving.empty()) return;
  arriving.fetch_next();
  __builtin_prefetch(arriving.next_about().header);
}

void token_hub::arrive(side& at) {
  const fs_t now = now_fs();
  while (at.arriving.is_due(now)) {
    packet& p = at.arriving.pop();
    at.port.release(p, now);
    received_.add(now, p.wire_bytes);
    if (p.kind == token_store || p.kind == token_fetch)
      serve(at, p);
    else if (p.kind == token_notice)
      take_notice(p);
    else
      take_answer(p);
  }
  if (!at.arriving.empty()) at.arrival.at(at.arriving.next_due());
}

// Memory ---------------------------------------------------------------------------------------

// Returns when it is done. Without data the bytes are whatever lies in no_data_. An item that
// became due at fs_never would keep the agenda from ever being empty: callers stop there.
fs_t token_hub::access(tlm::tlm_command command, std::uint64_t address, const payload_slice& data,
                       std::uint32_t bytes, fs_t start) {
  void* where = data ? const_cast<std::byte*>(data.data()) : static_cast<void*>(no_data_.data());
  const auto [done, is_ok] =
      memory_.access(command, address, where, bytes, start, static_cast<bool>(data), data);
  if (is_ok) return done;
  fail_access(command, address, bytes);
  return fs_never;
}

bool token_hub::debug(tlm::tlm_command command, std::uint64_t address, void* data,
                      std::uint64_t bytes) {
  tlm::tlm_generic_payload payload;
  constexpr std::uint64_t at_once = 1 << 20;
  for (std::uint64_t done = 0; done < bytes; done += at_once) {
    const auto some = static_cast<std::uint32_t>(std::min(at_once, bytes - done));
    set_access(payload, command, address + done, static_cast<std::byte*>(data) + done, some);
    if (memory_.socket()->transport_dbg(payload) == some) continue;
    fail_access(command, address + done, some);
    return false;
  }
  return true;
}

void token_hub::fail_access(tlm::tlm_command command, std::uint64_t address, std::uint64_t bytes) {
  const char* const what = command == tlm::TLM_READ_COMMAND ? "read" : "write";
  fail(error::BUS, 0, 0,
       fmt::format("memory refuses to {} {} B at {:#x}: an address of the layer or of a command",
                   what, bytes, address));
}

std::string token_hub::waiting_for() const {
  if (regs_.status.state.get() != state::BUSY) return {};
  if (!is_running_)
    return fmt::format("counts of {} GPUs", layers_started_ * (layer_.gpus - 1) - counts_seen_);
  return fmt::format("{} of {} own tokens, {} of {} rows of own experts",
                     layer_.tokens - tokens_done_, layer_.tokens, tracker_.rows() - rows_done_,
                     tracker_.rows());
}

}  // namespace heddle
