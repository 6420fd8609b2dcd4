// The links. What begins here is in network_interface_requests.cpp, what others began in
// network_interface_target.cpp.
#include "models/mesh/ni/network_interface.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/unit/energy_book.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/flit/flit_network.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(network_interface,
                     describe_unit<network_interface>("network_interface",
                                                      "memory plane to the three links of a mesh",
                                                      network_interface_regs::markdown));

}  // namespace

std::vector<port_description> network_interface::port_descriptions() {
  return {{"in", "memory target", "accesses to other tiles"},
          {"out", "memory initiator", "accesses of other tiles to this one"},
          {"registers", "memory target", "the register block"},
          {"irq", "interrupt output", "up while the register `interrupt` is not 0"},
          {"wide", "flit", "bursts"},
          {"req", "flit", "requests"},
          {"rsp", "flit", "responses"}};
}

network_interface::network_interface(const unit_context& context, const parameters& p)
    : unit(context),
      map_(p, path()),
      here_{static_cast<std::uint8_t>(p.x()), static_cast<std::uint8_t>(p.y())},
      latency_(p.latency()),
      alias_(p.alias().value),
      longest_(static_cast<std::uint32_t>(p.longest().bytes)),
      most_words_(p.words()),
      most_bursts_(p.bursts()),
      carries_data_(sim().settings().carries_data),
      loops_back_(p.loopback()),
      payloads_(sim().service<flit_payloads>()),
      tiles_(sim().service<mesh_tiles>()),
      causes_(sim().service<mesh_causes>()),
      regs_(context),
      registers_socket_(*this, "registers", regs_),
      in_("in"),
      out_("out"),
      in_port_(*this, "in", in_, true),
      out_port_(*this, "out", out_),
      interrupt_(*this, "irq"),
      ports_{{{*this, clock_, "wide", wide, arrivals_, {}},
              {*this, clock_, "req", req, arrivals_, {}},
              {*this, clock_, "rsp", rsp, arrivals_, {}}}} {
  map_.check_alias(alias_, path());
  sim().service<clock_domains>().with_period(p.cycle().fs).join(*this, clock_);
  in_.register_b_transport(this, &network_interface::b_transport);
  in_.register_nb_transport_fw(this, &network_interface::nb_transport_fw);
  in_.register_transport_dbg(this, &network_interface::transport_dbg);
  for (int i = 0; i < links; ++i) ports_[i].listen_from(i);
  state_reductions();
  local_.set_extension(&local_bulk_);
  local_bulk_.is_carried = carries_data_;

  tiles_.all.push_back(this);
  energy_book& book = sim().service<energy_book>();
  book.enter({path(), "dma_load", quantity::bytes, &counters_.loaded, 1, p.load_energy()});
  book.enter({path(), "dma_store", quantity::bytes, &counters_.stored, 1, p.store_energy()});
  book.enter({path(), "spm_write", quantity::bytes, &counters_.written, 1, p.write_energy()});

  const trace_scope scope(sim().trace(), path());
  state_trace_ = scope.state<state>("state", {"IDLE", "WAIT_RESPONSE", "SERVE", "SEND"});
  state_trace_.set(state::idle, 0);
  bursts_trace_ = scope.vector("bursts", 16);
  bursts_trace_.set(0, 0);

  regs_.width.set(map_.width());
  regs_.height.set(map_.height());
  regs_.tile_size.set(static_cast<std::uint32_t>(map_.tile_size()));
  regs_.base.set(map_.base());
  regs_.alias.set(alias_);
  regs_.interrupt.on_write([this](std::uint32_t, std::uint32_t now) { interrupt_.set(now != 0); });
}

network_interface::~network_interface() {
  local_.clear_extension(&local_bulk_);
}  // not the payload's to free

void network_interface::on_connected() {
  for (const flit_port& each : ports_)
    if (each.is_bound() && each.vcs() != 1)
      throw user_error(each.path() + ": a network_interface has no virtual channels");
  ports_[wide].check_flit(flit_payload_bytes);
  for (const link each : {req, rsp}) ports_[each].check_flit(narrow_bytes);
}

// A burst of a reduction is an AW and its beats, a word an AW and a W; every multicast has its Bs
// merged. Memory tiles are in none, but may be asked for some.
void network_interface::state_reductions() {
  auto& network = sim().service<flit_network>();
  const std::size_t longest_burst = 1 + (longest_ + flit_payload_bytes - 1) / flit_payload_bytes;
  const bool is_member = map_.holds(here_);
  for (const flit_port& each : ports_)
    network.add_endpoint({&each, here_, map_.text(), map_.first_of(here_)});
  network.add_source(ports_[wide], is_member ? most_bursts_ * longest_burst : 0);
  network.add_source(ports_[req], is_member ? most_words_ * 2 : 0);
  network.add_source(ports_[rsp], most_words_ + most_bursts_);
}

unsigned network_interface::transport_dbg(int, tlm::tlm_generic_payload& payload) {
  const auto first = map_.node_of(payload.get_address());
  const auto last = map_.node_of(payload.get_address() + payload.get_data_length() - 1);
  if (!first || !last || *first != *last) return 0;
  for (network_interface* each : tiles_.all)
    if (each != this && each->here_ == *first && each->map_.base() == map_.base())
      return each->out_->transport_dbg(payload);
  return 0;
}

cycle_t network_interface::cycle_after(fs_t time) const {
  const fs_t period = clock_.domain().period();
  return (time + period - 1) / period;
}

void network_interface::evaluate(cycle_t now) {
  while (!finished_.empty() && finished_.front().first <= now) {
    mesh_access& done = *finished_.front().second;
    finished_.pop_front();
    finish(done);
  }
  for (std::uint64_t arrived = arrivals_.take(now); arrived; arrived &= arrived - 1) {
    const auto from = static_cast<link>(__builtin_ctzll(arrived));
    const flit taken = ports_[from].take(0, now);
    const axi_channel channel = axi_tag::channel(taken.tag);
    if (channel == axi_channel::r)
      take_beat(taken, now);
    else if (channel == axi_channel::b)
      take_response(taken, now);
    else
      take_request(taken, from, now);
  }
  issue(now);
  if (!reads_.empty()) read_beat(now);
  transmit_wide(now);
  for (const link each : {req, rsp}) transmit(each, now);
  if (!finished_.empty()) clock_.wake(std::max(now + 1, finished_.front().first));
  if (state_trace_.enabled() || bursts_trace_.enabled()) show_state(now);
}

// What it sends is its own or an answer; what it serves came from other tiles.
void network_interface::show_state(cycle_t now) {
  const auto is_idle = [](const due_flits& each) { return each.empty(); };
  state next = state::idle;
  if (!writes_.empty() || !std::all_of(due_.begin(), due_.end(), is_idle))
    next = state::send;
  else if (!inbound_.empty() || !reads_.empty())
    next = state::serve;
  else if (!words_.empty() || !bursts_.empty())
    next = state::wait_response;
  const fs_t time = clock_.domain().start_of(now);
  state_trace_.set(next, time);
  bursts_trace_.set(bursts_.size(), time);
}

void network_interface::send_at(cycle_t due, link on, const flit& sent) {
  due_[on].push(due, sent);
  clock_.wake(due);
}

// A link without credit wakes this unit when it has one.
void network_interface::transmit(link on, cycle_t now) {
  const due_flits& waiting = due_[on];
  if (!waiting.empty() && waiting.next() <= now) {
    if (!ports_[on].has_credit(0, now)) return;
    send_due(on, now);
  }
  if (!waiting.empty()) clock_.wake(std::max(now + 1, waiting.next()));
}

void network_interface::send_due(link on, cycle_t now) {
  ports_[on].send(due_[on].front(), 0, now);
  due_[on].pop();
  is_write_next_ = true;
}

// Writes that begin here take turns with what is due, answers to others' reads.
void network_interface::transmit_wide(cycle_t now) {
  const due_flits& waiting = due_[wide];
  const bool has_due = !waiting.empty() && waiting.next() <= now;
  const bool has_write = next_write() <= now;
  if (has_write) count_late_beats(next_write());
  if (has_due || has_write) {
    if (!ports_[wide].has_credit(0, now)) return;
    if (has_write && (is_write_next_ || !has_due)) {
      send_beat(*writes_.front(), now);
      is_write_next_ = false;
    } else {
      send_due(wide, now);
      if (!reads_.empty()) clock_.wake(now + 1);  // which have room for a beat
    }
  }
  if (!waiting.empty()) clock_.wake(std::max(now + 1, waiting.next()));
  const cycle_t next = next_write();
  if (next != never) clock_.wake(std::max(now + 1, next));
  if (!writes_.empty() && writes_.front()->sent > 0 && next > now + 1)
    late_since_ = std::min(late_since_, now + 1);
}

// The cycle of the next flit of the oldest write. A stream that does not know it wakes this unit.
cycle_t network_interface::next_write() {
  if (writes_.empty()) return never;
  const mesh_access& oldest = *writes_.front();
  if (oldest.sent == 0 || !oldest.stream) return oldest.not_before;
  return std::max(oldest.not_before, oldest.stream->next_beat(clock_));
}

void network_interface::count_late_beats(cycle_t came) {
  if (late_since_ == never) return;
  counters_.beat_waits += came - late_since_;
  late_since_ = never;
}

std::string network_interface::waiting_for() const {
  std::string text;
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  for (const auto* all : {&words_, &bursts_})
    for (const mesh_access* each : *all)
      if (!each->is_finished)
        add(fmt::format("the response to a {} of {} B at {:#x} ({}{})",
                        each->is_read ? "read" : "write", each->bytes, each->address,
                        name_of(each->op),
                        each->sent < each->beats + (each->is_read ? 0 : 1) && !each->is_word
                            ? fmt::format(", {} of {} flits sent", each->sent, each->beats + 1)
                            : ""));
  for (const inbound_write& each : inbound_)
    add(fmt::format("{} of {} B of a write from ({}, {})", each.bytes - each.done, each.bytes,
                    each.address.source.x, each.address.source.y));
  return text;
}

}  // namespace heddle
