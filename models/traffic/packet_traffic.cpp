#include "models/traffic/packet_traffic.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/traffic/traffic_payload.hpp"
#include "platform/text/quantity.hpp"
#include "transactors/packet/packet_response.hpp"
#include "transactors/packet/vc_partition.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(packet_traffic,
                     describe_unit<packet_traffic>("packet_traffic",
                                                   "injects, takes and checks synthetic traffic, "
                                                   "packet by packet"));

// Of a closed loop, which has no more packets without a response.
std::uint32_t longest_train(std::uint32_t train, std::uint64_t outstanding) {
  return outstanding == 0 ? train
                          : static_cast<std::uint32_t>(std::min<std::uint64_t>(train, outstanding));
}

bool is_traffic(packet_kind kind) {
  return kind == packet_kind::traffic || kind == packet_kind::traffic_request ||
         kind == packet_kind::traffic_response;
}

}  // namespace

std::vector<port_description> packet_traffic::port_descriptions() {
  return {{"port", "packet", "a link into the fabric"}};
}

packet_traffic::packet_traffic(const unit_context& context, const parameters& p)
    : unit(context),
      terminals_(sim().service<traffic_terminals>()),
      progress_(sim().service<progress_watch>()),
      pattern_(p.to.settings()),
      random_(sim().settings().seed, path()),
      creation_(0),
      trace_file_(p.trace()),
      port_(*this, *this, "port", 0),
      self_(sim().service<fabric>().add_terminal(
          *this, p.order() == "kept" ? packet_order::by_flow : packet_order::none)),
      load_(p.load()),
      burst_(p.burst()),
      outstanding_(p.outstanding()),
      train_(longest_train(sim().settings().train, outstanding_)),
      packet_bytes_(static_cast<std::uint32_t>(p.packet_bytes().bytes)),
      header_bytes_(static_cast<std::uint32_t>(p.header().bytes)),
      train_bytes_(packet_bytes_ * train_),
      stall_(p.stall().fs),
      lasts_run_(p.lasts() == "run"),
      keeps_order_(p.order() == "kept"),
      carries_data_(sim().settings().carries_data),
      checks_data_(carries_data_ && p.check()),
      window_start_(p.warmup().fs),
      window_end_(lasts_run_ ? fs_never : window_start_ + p.measure().fs),
      last_creation_(lasts_run_ ? fs_never : window_end_ + p.cooldown().fs),
      wake_(timed_call::to<packet_traffic, &packet_traffic::transmit>(*this)),
      arrival_(timed_call::to<packet_traffic, &packet_traffic::arrive>(*this)) {
  if (packet_bytes_ <= header_bytes_)
    throw user_error(fmt::format("{}: a packet of {} has no room for a header of {}", path(),
                                 format_bytes(p.packet_bytes().bytes),
                                 format_bytes(p.header().bytes)));
  sim().service<fabric>().expect_packets_of(train_bytes_);
  terminals_.add(path(), self_, packet_granularity::packets);
  terminals_.watch(sim().service<run_control>());
}

void packet_traffic::on_connected() {
  check_link();
  if (lasts_run_ && sim().service<run_control>().running_cores() == 0)
    throw user_error(path() + ": `lasts: run` waits for the end of firmware, but no core has any");
  if (lasts_run_) progress_.start(*this, stall_);
  slot_ = port_.rate().duration(train_bytes_);
  prepare_creation();
  const std::vector<endpoint_id> to = addressed();
  terminals_.check_reachable(*this, to);
  if (!to.empty()) plan_next_packet();
}

traffic_source::place packet_traffic::exchange_place() const {
  return {&terminals_, self_};
}

std::vector<endpoint_id> packet_traffic::addressed() const {
  return trace_ ? trace_->addressed() : pattern_.addressed();
}

void packet_traffic::prepare_creation() {
  const auto link = static_cast<double>(port_.rate().bytes_per_second());
  if (!trace_file_.empty()) {
    trace_ = sim().service<packet_traces>().of(trace_file_, path(), terminals_,
                                               packet_granularity::packets, {last_creation_});
    const double bytes =
        static_cast<double>(trace_->packets(window_start_, window_end_)) * packet_bytes_;
    return enter_results(lasts_run_ ? 0 : bytes / seconds(window_end_ - window_start_));
  }
  const double share = load_.share_of(port_.rate());
  if (share > 1)
    throw user_error(fmt::format("{}: a load of {} is more than its link's {}", path(),
                                 load_.text(), format_bandwidth(link)));
  creation_ = creation_process(share, burst_);
  pattern_.start(terminals_, packet_granularity::packets, self_, sim().settings().seed);
  enter_results(pattern_.has_destination() ? share * link : 0);
}

// The terminal's figures become part of the results.
void packet_traffic::enter_results(double bytes_per_second) {
  packet_terminal entered;
  entered.unit = path();
  entered.source = this;
  entered.link = static_cast<double>(port_.rate().bytes_per_second());
  entered.offered = bytes_per_second;
  entered.wire_bytes = train_bytes_;
  entered.from = window_start_;
  entered.to = window_end_;
  entered.is_closed_loop = outstanding_ > 0;
  entered.window_bytes = &counters_.window_bytes;
  entered.measured = &counters_.measured;
  entered.latency = &counters_.latency;
  entered.min_latency = &counters_.min_latency;
  entered.max_latency = &counters_.max_latency;
  entered.network_latency = &counters_.network_latency;
  entered.min_network_latency = &counters_.min_network_latency;
  entered.reordered = &counters_.reordered;
  entered.latencies = &histogram_;
  sim().service<traffic_directory>().packet_terminals.push_back(std::move(entered));
}

void packet_traffic::check_link() const {
  if (!port_.is_bound()) throw user_error(port_.path() + " is not connected");
  if (port_.buffer_bytes() < train_bytes_)
    throw user_error(fmt::format("{}: the link's buffer of {} holds no {} of {}", port_.path(),
                                 format_bytes(port_.buffer_bytes()),
                                 train_ > 1 ? "train" : "packet", format_bytes(train_bytes_)));
}

// Packets of one flow keep to one virtual channel: they would overtake each other otherwise.
std::uint8_t packet_traffic::first_vc(packet_kind kind) const {
  return vc_partition(port_.vcs()).first(kind);
}

void packet_traffic::plan_next_packet() {
  created_ = fs_never;
  planned_ = nullptr;
  std::uint32_t packets = train_;
  if (outstanding_ > 0) {
    const std::uint64_t room = outstanding_ - unanswered_;
    if (room == 0) return;  // a response comes first
    packets = static_cast<std::uint32_t>(std::min<std::uint64_t>(packets, room));
  }
  endpoint_id to = 0;
  if (!(trace_ ? follow_trace(to, packets) : draw_packet(to))) return;
  packet& p = *take_packet();
  p.kind = outstanding_ > 0 ? packet_kind::traffic_request : packet_kind::traffic;
  p.source = self_;
  p.destination = to;
  p.train = static_cast<std::uint16_t>(packets);
  p.wire_bytes = packets * packet_bytes_;
  p.payload_bytes = packets * (packet_bytes_ - header_bytes_);
  p.carries_data = carries_data_;
  p.vc = first_vc(p.kind);
  p.address = counters_.bytes_sent.raw();
  p.tag = number_;
  p.created = created_;
  planned_ = &p;
  wake_.at(std::max({created_, port_.free_at(), now_fs()}));
}

bool packet_traffic::draw_packet(endpoint_id& to) {
  if (outstanding_ > 0) next_trial_ = std::max(next_trial_, now_fs());
  const std::uint64_t misses = creation_.misses(random_);
  if (next_trial_ >= last_creation_ || misses >= (last_creation_ - next_trial_) / slot_)
    return false;
  created_ = next_trial_ + misses * slot_;
  next_trial_ = created_ + slot_;
  to = pattern_.next(random_);
  return true;
}

bool packet_traffic::follow_trace(endpoint_id& to, std::uint32_t& packets) {
  if (trace_->is_over()) return false;
  created_ = outstanding_ > 0 ? std::max(trace_->time(), now_fs()) : trace_->time();
  to = trace_->destination();
  packets = std::min(packets, trace_->left_in_row());
  trace_->advance(packets);
  return true;
}

// Sends what the port takes now. What waits for credits or a response is sent when that comes.
void packet_traffic::transmit() {
  const fs_t now = now_fs();
  if (port_.free_at() > now) return wake_.at(port_.free_at());
  if (packet* reply = replies_.pop_sendable(port_, now)) {
    terminals_.injected();
    port_.send(*reply, now, now);
  } else if (!send_planned(now)) {
    return;
  }
  if (!replies_.empty() || created_ <= port_.free_at()) wake_.at(port_.free_at());
}

bool packet_traffic::send_planned(fs_t now) {
  if (!planned_) return false;
  if (created_ > now) {
    wake_.at(created_);
    return false;
  }
  if (!port_.has_credits(*planned_, now)) return false;
  packet& p = *planned_;
  p.injected = now;
  ++number_;
  if (carries_data_) {
    p.payload = payload_slice::allocate(p.payload_bytes);
    traffic_payload(p.source, p.tag).fill(p.payload.data(), p.payload_bytes);
  }
  counters_.packets_sent += p.train;
  counters_.bytes_sent += p.wire_bytes;
  if (outstanding_ > 0) unanswered_ += p.train;
  terminals_.injected();
  port_.send(p, now, now);
  if (lasts_run_ && progress_.is_due(now)) progress_.look(now);
  plan_next_packet();
  return true;
}

void packet_traffic::credits_returned(packet_port&) {
  transmit();
}

// Called when the packet is sent to here: what follows is computed ahead for the instant when its
// last byte arrives. Responses have to wait for that instant, and all packets where the run may end
// before it.
void packet_traffic::receive(packet_port& at, packet& arrived) {
  terminals_.delivered();
  at.release(arrived, arrived.tail);
  if (arrived.destination != self_ || !is_traffic(arrived.kind))
    fail(arrived, "is not for this terminal");
  if (!lasts_run_) {
    if (arrived.kind != packet_kind::traffic_response) take(arrived);
    if (arrived.kind == packet_kind::traffic) return give_back(&arrived);
  }
  arriving_.insert(arrived, arrived.tail);
  arrival_.at(arriving_.next_due());
}

void packet_traffic::arrive() {
  const fs_t now = now_fs();
  bool may_send = false;
  while (arriving_.is_due(now)) {
    packet& p = arriving_.pop();
    if (lasts_run_ && p.kind != packet_kind::traffic_response) take(p);
    if (p.kind == packet_kind::traffic) {
      give_back(&p);
      continue;
    }
    may_send = true;
    if (p.kind == packet_kind::traffic_request) {
      answer(p);
      continue;
    }
    counters_.responses += p.train;
    unanswered_ -= p.train;
    give_back(&p);
    if (!planned_) plan_next_packet();
  }
  if (!arriving_.empty()) arrival_.at(arriving_.next_due());
  if (may_send) transmit();
}

void packet_traffic::answer(packet& request) {
  turn_into_response(request, packet_kind::traffic_response);
  request.vc = first_vc(request.kind);
  request.wire_bytes = request.train * header_bytes_;
  replies_.push(request);
}

void packet_traffic::take(const packet& arrived) {
  counters_.packets_received += arrived.train;
  counters_.bytes_received += arrived.wire_bytes;
  if (is_in_window(arrived.tail)) counters_.window_bytes += arrived.wire_bytes;
  if (is_in_window(arrived.created)) record(arrived);
  check_order(arrived);
  if (checks_data_) check_data(arrived);
}

void packet_traffic::check_order(const packet& arrived) {
  const auto [latest, is_first] = latest_.try_emplace(arrived.source, arrived.tag);
  if (is_first) return;
  const bool is_later = static_cast<std::int32_t>(arrived.tag - latest->second) > 0;
  if (is_later) {
    latest->second = arrived.tag;
    return;
  }
  counters_.reordered += arrived.train;
  if (keeps_order_) fail(arrived, fmt::format("arrived behind number {}", latest->second));
}

void packet_traffic::check_data(const packet& arrived) {
  if (!traffic_payload(arrived.source, arrived.tag)
           .matches(arrived.payload.data(), arrived.payload_bytes))
    fail(arrived, "carries wrong data");
}

void packet_traffic::fail(const packet& arrived, const std::string& what) {
  sim().service<run_control>().fail(fmt::format("{}: packet {} from {} {}", path(), arrived.tag,
                                                terminals_.path_of(arrived.source), what));
}

void packet_traffic::record(const packet& arrived) {
  const bool is_first = counters_.measured.raw() == 0;
  ++counters_.measured;
  const fs_t latency = arrived.tail - arrived.created;
  histogram_.add(latency);
  counters_.latency += latency;
  counters_.max_latency.raise_to(latency);
  lower_to(counters_.min_latency, latency, is_first);
  const fs_t in_network = arrived.tail - arrived.injected;
  counters_.network_latency += in_network;
  counters_.max_network_latency.raise_to(in_network);
  lower_to(counters_.min_network_latency, in_network, is_first);
}

std::string packet_traffic::waiting_for() const {
  if (!planned_) return unanswered_ > 0 ? fmt::format("{} responses", unanswered_) : "";
  if (created_ > now_fs()) return {};
  return fmt::format("a credit of {}, to send a packet to {}",
                     port_.peer() ? port_.peer()->path() : "an open port",
                     terminals_.path_of(planned_->destination));
}

}  // namespace heddle
