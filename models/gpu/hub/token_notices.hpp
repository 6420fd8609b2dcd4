// Notices from GPU to GPU: how many tokens experts get, before a layer, and which tokens of the
// receiver an expert is done with.
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpu/hub/hub_part.hpp"
#include "models/gpu/hub/hub_wires.hpp"
#include "models/gpu/hub/token_notice.hpp"

namespace heddle {

class layer_run;
class token_combine;

class token_notices final : private hub_part {
 public:
  // `combine` hears of tokens that are done, `run` of counts.
  token_notices(hub_core& core, hub_wires& wires, token_combine& combine, layer_run& run)
      : hub_part(core), wires_(wires), combine_(combine), run_(run) {}

  // Every other GPU learns how many tokens its experts get from this one.
  void send_counts();
  // Own experts are done with those tokens of a GPU, which were in that row.
  void tell(std::uint32_t gpu, const std::vector<std::uint16_t>& tokens, std::uint32_t row);
  void take(packet& notice);

 private:
  packet& notice_for(std::uint32_t gpu, std::uint32_t payload_bytes, std::uint32_t train) const;
  void send(packet& p, std::uint64_t plane);

  hub_wires& wires_;
  token_combine& combine_;
  layer_run& run_;
};

}  // namespace heddle
