// What all parts of a token hub share: its settings, the layer at hand and how it stands, the
// memory of the GPU, and what is counted.
//
// Parts call one another because of something, the running cause. What a part puts off keeps that
// cause until its time, and goes on because of it.
#pragma once

#include <algorithm>

#include "models/gpu/hub/hub_memory.hpp"
#include "models/gpu/hub/hub_parameters.hpp"
#include "models/gpu/hub/hub_peers.hpp"
#include "models/gpu/hub/hub_settings.hpp"
#include "models/gpu/hub/layer_map.hpp"
#include "models/gpu/hub/layer_status.hpp"
#include "models/gpu/hub/token_figures.hpp"
#include "models/gpu/hub/token_hub_regs.hpp"
#include "platform/explain/running_cause.hpp"
#include "transactors/memory/register_socket.hpp"

namespace heddle {

// Ports in the order in which the unit lists them.
struct hub_core {
  hub_core(unit& owner, const unit_context& context, const token_hub_parameters& p)
      : site(owner.site()),
        settings(p, context.sim.settings()),
        peers(owner, context.sim.service<fabric>(), settings, layer),
        registers(context),
        registers_socket(owner, "registers", registers),
        memory(owner, status, longest_access()),
        status(owner, registers, counters) {}

  const site_id site;
  const hub_settings settings;
  token_hub_counters counters;
  layer_map layer;
  hub_peers peers;
  token_hub_registers registers;
  register_socket registers_socket;
  hub_memory memory;
  layer_status status;
  token_spans spans{};

 private:
  // A train of packets, or a whole vector.
  std::size_t longest_access() const {
    constexpr std::size_t longest_vector = 1 << 16;
    return std::max(std::size_t{settings.train} * settings.format.packets.mtu, longest_vector);
  }
};

// A part of the hub names what is shared as if it were its own.
class hub_part {
 protected:
  using error = layer_status::error;

  explicit hub_part(hub_core& core)
      : site_(core.site),
        settings_(core.settings),
        layer_(core.layer),
        peers_(core.peers),
        status_(core.status),
        memory_(core.memory),
        counters_(core.counters),
        spans_(core.spans) {}
  hub_part(const hub_part&) = delete;
  hub_part& operator=(const hub_part&) = delete;
  ~hub_part() = default;

  token_span& span(token_step step) { return spans_[static_cast<std::size_t>(step)]; }

  const site_id site_;
  const hub_settings& settings_;
  const layer_map& layer_;
  const hub_peers& peers_;
  layer_status& status_;
  hub_memory& memory_;
  token_hub_counters& counters_;

 private:
  token_spans& spans_;
};

}  // namespace heddle
