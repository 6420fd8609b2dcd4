#include "tests/bench/traffic_endpoint.hpp"

#include <algorithm>

#include "platform/unit/simulation.hpp"

namespace heddle {

traffic_endpoint::traffic_endpoint(const unit_context& context, const endpoint_traffic& traffic)
    : unit(context),
      traffic_(traffic),
      random_(1, path()),
      port_(*this, *this, "port", 0),
      self_(sim().service<fabric>().add_endpoint(*this, 0, 0)),
      injection_(timed_call::to<traffic_endpoint, &traffic_endpoint::send>(*this)),
      arrival_(timed_call::to<traffic_endpoint, &traffic_endpoint::consume>(*this)) {
  probe_.wire_bytes = traffic.wire_bytes;
}

void traffic_endpoint::start() {
  others_ = static_cast<std::uint32_t>(sim().service<fabric>().endpoints() - 1);
  is_sending_ = true;
  next_ = now_fs();
  injection_.at(next_ + random_.below(static_cast<std::uint32_t>(2 * traffic_.mean_pause)));
}

void traffic_endpoint::send() {
  const fs_t now = now_fs();
  if (!is_sending_ || now < next_ || !port_.has_credits(probe_, now)) return;
  packet& p = *take_packet();
  p.source = self_;
  p.destination = static_cast<endpoint_id>((self_ + 1 + random_.below(others_)) % (others_ + 1));
  p.wire_bytes = traffic_.wire_bytes;
  port_.send(p, now, now);
  const fs_t pause = random_.below(static_cast<std::uint32_t>(2 * traffic_.mean_pause));
  next_ = std::max(now + pause, port_.free_at());
  injection_.at(next_);
}

void traffic_endpoint::receive(packet_port&, packet& arrived) {
  arriving_.push(arrived, arrived.tail);
  arrival_.at(arrived.tail);
}

void traffic_endpoint::consume() {
  const fs_t now = now_fs();
  while (arriving_.is_due(now)) {
    packet& p = arriving_.pop();
    port_.release(p, now);
    give_back(&p);
  }
  if (!arriving_.empty()) arrival_.at(arriving_.next_due());
}

}  // namespace heddle
