// One layer by one schedule.
#pragma once

#include <optional>
#include <vector>

#include "models/gpu/hub/token_hub.hpp"
#include "models/workloads/moe/moe_config.hpp"
#include "models/workloads/moe/moe_golden.hpp"
#include "models/workloads/moe/moe_layout.hpp"
#include "models/workloads/moe/routing_figures.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {

// What all layers of a workload share.
struct moe_setting {
  moe_config config;
  expert_routing routing{0, 0};
  routing_figures figures;
  std::vector<token_hub*> hubs;  // by rank
  std::uint64_t range = 0;       // first address of the range of tokens
  // Of whatever makes packets of tokens: hubs, and devices in switches.
  std::uint32_t smallest_header = 0, largest_mtu = 0;
  double first_time = 0;  // s, of the first layer: what the others gain over it is told
};

class moe_job final : public workload_job {
 public:
  moe_job(const workload_context& context, moe_setting& setting, const moe_schedule& schedule,
          std::uint32_t number);

  void post() override;
  verdict check(const job_times& times) override;
  // Draws the layer, too: only its result says when it began and ended.
  void describe(workload_result& result) const override;
  // Of a layer's critical path nothing is known but its steps: long ones are not explained.
  std::uint64_t bytes() const override { return shape().vector_bytes() * shape().tokens; }

 private:
  // Tokens are those of all parts.
  const moe_shape& shape() const { return shape_; }
  std::uint32_t parts() const { return parts_of(setting_.config.pass); }
  std::uint32_t chunks() const { return parts() * schedule_.chunks; }
  token_layer layer_of(std::uint32_t rank) const;
  void write_tables(std::uint32_t rank);
  void write_operands(std::uint32_t rank);
  void write_vectors(rank_core& core, const token_layer& layer, const moe_golden& of) const;
  static void write_weights(rank_core& core, const token_layer& layer, const moe_golden& of);
  void write_gates(rank_core& core, const token_layer& layer, const moe_golden& of) const;
  bool is_right(std::uint32_t token, moe_golden& of);
  void check_row(std::uint32_t rank, const token_row_read& row);
  moe_golden golden() const;
  std::vector<moe_machine> machines() const;  // by rank
  double bound() const;                       // s
  bool is_possible(const job_times& times) const;
  void name(workload_result& result) const;
  void draw(const workload_result& result) const;
  // Vectors out of and into the GPUs, in both steps, since the job was posted.
  token_vectors vectors() const;

  const workload_context& context_;
  moe_setting& setting_;
  const moe_schedule& schedule_;
  const std::uint32_t number_;
  const moe_shape shape_;
  const std::optional<expert_routing> of_parts_;  // where there are several: each has the same
  const expert_routing& routing_;
  std::vector<std::vector<std::uint32_t>> counts_;  // by rank: of each block of own experts
  moe_layout layout_;
  token_vectors before_;
  std::uint64_t rows_checked_ = 0;
  double max_error_ = 0;  // relative to the sum of the magnitudes
};

}  // namespace heddle
