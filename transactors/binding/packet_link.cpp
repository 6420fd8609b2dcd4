// How two packet ports become the ends of a link: the fabric and the monitors hear of it, and waves
// show what its wires carry.
#include "platform/explain/explanation.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/binding/monitored_binding.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/packet/packet_port.hpp"

namespace heddle {

void packet_port::connect(port& other, const parameter_set* link) {
  auto* far = dynamic_cast<packet_port*>(&other);
  if (!far)
    throw user_error(path() + " is a packet port, " + other.path() + " is a " + other.kind());
  check_granularity(*far);
  const auto& parameters = dynamic_cast<const link_parameters&>(*link);
  for (packet_port* end : {this, far}) {
    end->rate_ = parameters.rate();
    end->latency_ = parameters.latency().fs;
    end->set_way();
    end->vcs_ = static_cast<int>(parameters.vcs());
    end->buffer_bytes_ = parameters.buffer().bytes;
    end->weight_ = static_cast<std::uint32_t>(parameters.weight());
    const auto room = static_cast<std::int64_t>(end->buffer_bytes_);
    for (int vc = 0; vc < end->vcs_; ++vc) end->credits_[vc].available = room;
    for (int vc = max_vcs; vc < all_vcs; ++vc) end->credits_[vc].available = room;
    end->create_sockets();
    end->mark_bound();
  }
  peer_ = far;
  far->peer_ = this;
  bind_monitored(*transmit_, *far->receive_, *this, *far);
  bind_monitored(*far->transmit_, *receive_, *far, *this);
  owner().sim().service<fabric>().add_link(*this, *far);
  for (packet_port* end : {this, far})
    end->starts_.set_wire(
        owner().sim().service<explanation>().add_site(end->path() + " -> " + end->peer_->path()));
  for (const packet_port* end : {this, far})
    owner().sim().service<link_directory>().links.push_back(
        {end, end->peer_, end, end->rate_.bytes_per_second(), end->latency_, &end->last_start_,
         end->buffer_bytes_});
}

void packet_port::trace_wire() {
  const trace_scope scope(owner().sim().trace(), path());
  fabric_ = &owner().sim().service<fabric>();
  wire_trace_ = scope.state<wire_state>("wire", wire_state_names());
  destination_trace_ = scope.text_label("destination");
  bytes_trace_ = scope.number_label("bytes", 32);
  step_trace_ = scope.text_label("step");
  wire_trace_.set(wire_state::idle, 0);
  destination_trace_.set("", 0);
  bytes_trace_.set(0, 0);
  step_trace_.set("", 0);
  is_traced_ = wire_trace_.enabled() || destination_trace_.enabled() || bytes_trace_.enabled() ||
               step_trace_.enabled();
}

void packet_port::show(const packet& sent, fs_t now, fs_t end) const {
  wire_trace_.set(static_cast<wire_state>(static_cast<int>(sent.kind) + 1), now);
  wire_trace_.set(wire_state::idle, end, now);
  if (destination_trace_.enabled()) {
    destination_trace_.set(fabric_->endpoint(sent.destination).owner->path(), now);
    destination_trace_.set("", end, now);
  }
  bytes_trace_.set(sent.wire_bytes, now);
  bytes_trace_.set(0, end, now);
  if (step_trace_.enabled()) {
    step_trace_.set(sent.step == 0 ? std::string() : std::to_string(sent.step), now);
    step_trace_.set("", end, now);
  }
}

}  // namespace heddle
