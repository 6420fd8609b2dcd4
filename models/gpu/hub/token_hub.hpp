// The hub of a GPU that runs mixture-of-experts layers with dynamic multimem (DySHARP III, IV): it
// sends the vectors of own tokens to the experts' GPUs, serves what others send and fetch, tells
// kernels which tiles of tokens are ready, and whom they are for.
//
//   what all share   hub_part.hpp: settings, memory, the layer at hand and how it stands
//   source           token_dispatch, token_combine and token_results of own tokens; vector_mover
//                    stores and fetches vectors; token_notices tell other GPUs
//   target           token_target serves requests, from and to the expert_blocks in memory
//   layer            tile_schedule: which row may go on when; sm_groups multiply it, row_return
//                    sends it back; layer_parts: forward and backward pass, attention; layer_run:
//                    beginning and end
//   firmware         firmware_groups: where firmware plays the groups of the persistent kernel
//   wires            hub_wires: a port for each plane
//
// A layer is started by firmware with a descriptor (sw/drivers/token_layer.h). GPUs first tell each
// other how many tokens their experts get: a layer begins when all have. Besides dynamic multimem
// there are copies, a vector for each target GPU, whose experts send back what they have added, and
// stores to everybody, the static multicast of NVLS; same wires, same packets.
//
// A target adds what its own experts have for a token before it answers. A source's own experts
// take part without wires. Results are BF16: a GPU's sum is rounded for the wire, the switch rounds
// its sum, and the source adds its own experts' in FP32 and rounds once more.
//
// Limitations: the GPU has no other traffic, and a packet that is no part of a layer fails it;
// lists of targets, factors and descriptor are read without bandwidth; commands that the hub has
// taken from their ring wait in it without limit; the epilogue of GEMM-2 writes memory without
// bandwidth; an error ends the layer for good; a GPU may start a layer only when all GPUs have
// ended the one before, because their fetches need its tables; only layers of up to 65536 tokens a
// GPU; its memory must answer in the call. Of a backward pass time and traffic are simulated; real
// vectors are computed as in a forward one.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "models/gpu/hub/expert_blocks.hpp"
#include "models/gpu/hub/expert_rows.hpp"
#include "models/gpu/hub/firmware_groups.hpp"
#include "models/gpu/hub/hub_part.hpp"
#include "models/gpu/hub/hub_wires.hpp"
#include "models/gpu/hub/layer_parts.hpp"
#include "models/gpu/hub/layer_run.hpp"
#include "models/gpu/hub/piece_packer.hpp"
#include "models/gpu/hub/row_return.hpp"
#include "models/gpu/hub/sm_groups.hpp"
#include "models/gpu/hub/tile_schedule.hpp"
#include "models/gpu/hub/token_combine.hpp"
#include "models/gpu/hub/token_dispatch.hpp"
#include "models/gpu/hub/token_lists.hpp"
#include "models/gpu/hub/token_notices.hpp"
#include "models/gpu/hub/token_results.hpp"
#include "models/gpu/hub/token_target.hpp"
#include "models/gpu/hub/token_tracker.hpp"
#include "models/gpu/hub/vector_mover.hpp"
#include "platform/unit/registry.hpp"

namespace heddle {

class token_hub;

// All hubs of a run: simulation::service<token_hub_directory>().
struct token_hub_directory {
  std::vector<token_hub*> hubs;
};

class token_hub final : public unit {
 public:
  using parameters = token_hub_parameters;
  using counters = token_hub_counters;
  static std::vector<port_description> port_descriptions();

  token_hub(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &core_.counters; }
  std::string waiting_for() const override;
  // Of the layer that ran last.
  const token_spans& spans() const { return core_.spans; }
  fs_t started() const { return run_.started(); }
  fs_t finished() const { return run_.finished(); }
  // Bytes on all its links since it was started.
  const wire_profile& sent() const { return wires_.sent(); }
  const wire_profile& received() const { return wires_.received(); }
  double wire_rate() const { return wires_.rate(); }     // B/s of all its links, in each direction
  double flops() const { return core_.settings.flops; }  // of all its SMs
  double hbm_rate() const {                              // B/s
    return static_cast<double>(core_.settings.hbm.bytes_per_second());
  }
  std::uint32_t sms() const { return core_.settings.sms; }
  const packet_format& format() const { return core_.settings.format.packets; }
  std::uint64_t base() const { return core_.settings.base; }
  std::uint64_t base_of(std::uint32_t gpu) const { return core_.settings.window_of(gpu); }
  // Own tokens of the layer that ran last whose sum came in parts, because the reduction buffer of
  // a switch was full: how many, and whether that one is among them.
  std::uint32_t tokens_parted() const { return results_.tokens_parted(); }
  bool is_parted(std::uint32_t own) const { return results_.is_parted(own); }
  // Is told of every tile whose real vectors are read.
  void watch_rows(std::function<void(const token_row_read&)> told) { rows_.watch(std::move(told)); }
  token_vectors vectors() const;

 private:
  void on_connected() override { wires_.connect(); }
  void start();
  bool read_layer();
  bool read_tables();
  void configure();
  void configure_tracker();

  hub_core core_;
  token_tracker tracker_;
  token_lists lists_;
  piece_packer packer_;
  vector_mover mover_;
  token_dispatch dispatch_;
  token_combine combine_;
  token_results results_;
  token_notices notices_;
  expert_blocks blocks_;
  token_target target_;
  expert_rows rows_;
  tile_schedule tiles_;
  row_return returns_;
  sm_groups sms_;
  layer_parts parts_;
  firmware_groups groups_;
  layer_run run_;
  hub_wires wires_;
};

}  // namespace heddle
