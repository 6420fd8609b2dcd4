#include "models/workloads/moe/moe_laws.hpp"

#include <algorithm>
#include <cmath>

namespace heddle {

double distinct_gpus_law(const moe_shape& shape) {
  const std::uint32_t own = shape.experts_per_gpu();
  double none = 1;  // of the experts of one GPU is among the token's: C(E-e, k) / C(E, k)
  for (std::uint32_t i = 0; i < shape.topk; ++i) {
    const double left = static_cast<double>(shape.experts - i);
    none *= std::max(0.0, left - own) / left;
  }
  return (shape.gpus - 1) * (1 - none);
}

double leaving_law(const moe_shape& shape) {
  const std::uint32_t own = shape.experts_per_gpu();
  double all_own = 1;
  for (std::uint32_t i = 0; i < shape.topk; ++i)
    all_own *= std::max(0.0, static_cast<double>(own) - i) / (shape.experts - i);
  return 1 - all_own;
}

moe_vectors dispatch_vectors(moe_traffic traffic, std::uint32_t gpus, double distinct,
                             double leaving) {
  switch (traffic) {
    case moe_traffic::multicast:
      return {leaving, distinct};
    case moe_traffic::copies:
      return {distinct, distinct};
    default:
      return {1, static_cast<double>(gpus - 1)};
  }
}

// Results go the same ways back.
moe_vectors combine_vectors(moe_traffic traffic, std::uint32_t gpus, double distinct,
                            double leaving) {
  const moe_vectors out = dispatch_vectors(traffic, gpus, distinct, leaving);
  return {out.down, out.up};
}

double redundancy_law(double distinct, double leaving) {
  return (distinct - leaving) / (2 * distinct);
}

double ideal_speedup_law(double distinct, double leaving) {
  return 2 * distinct / (distinct + leaving);
}

double useless_law(std::uint32_t gpus, double distinct) {
  return (gpus - 1 - distinct) / distinct;
}

payload_efficiency payload_efficiency_law(std::uint32_t payload_bytes, std::uint32_t targets) {
  constexpr double flit = 16;
  constexpr std::uint32_t targets_of_flit = 8;
  const double data = payload_bytes / flit;
  const double legs = targets + 1.0;
  const double plain = legs * (data + 2);  // header of the request, header of the response
  const std::uint32_t extensions = (targets + targets_of_flit - 1) / targets_of_flit;
  const double carried = legs * data;
  payload_efficiency result;
  result.ideal = carried / plain;
  result.explicit_targets = carried / (plain + 2 * (targets - 1.0));
  result.dynamic = carried / (plain + extensions);
  result.dynamic_copies = carried / (plain + extensions + targets);
  return result;
}

double moe_compute_time(const moe_shape& shape, const moe_machine& machine) {
  // A multiplication and an addition for each weight and token.
  return 2.0 * shape.matrices() * shape.tokens * shape.topk * shape.hidden * shape.ffn /
         machine.flops;
}

namespace {

// Seconds that the wires of a GPU take, in each direction.
struct wire_times {
  double up = 0, down = 0;
  double longer() const { return std::max(up, down); }
};

// GEMM-2 multiplies one matrix of each expert, GEMM-1 the others.
double first_gemm_of(const moe_shape& shape) {
  return 1 - 1.0 / shape.matrices();
}

// `first_gemm`: the share of the multiplications that GEMM-1 has.
double time_of(const moe_schedule& schedule, const wire_times& dispatch, const wire_times& combine,
               double compute, double first_gemm, double capacity) {
  const bool is_fused = schedule.gemm1 == moe_start::tile && schedule.combine == moe_start::tile;
  if (is_fused && schedule.gemm2 == moe_start::tile) {
    const wire_times both{dispatch.up + combine.up, dispatch.down + combine.down};
    return std::max(both.longer() / capacity, compute);
  }
  if (is_fused)
    return std::max(dispatch.longer(), first_gemm * compute) +
           std::max(combine.longer(), (1 - first_gemm) * compute);
  const double wires = dispatch.longer() + combine.longer();
  if (schedule.chunks == 1) return wires + compute;
  // Three streams. Dispatch and combine share the wires; the first chunk's dispatch and the last
  // one's combine have nothing to compute beside them.
  return std::max(wires, compute + wires / schedule.chunks);
}

}  // namespace

double moe_time_law(const moe_schedule& schedule, const moe_shape& shape, double distinct,
                    const moe_machine& machine) {
  const auto times = [&](const moe_vectors& of, std::uint64_t bytes) {
    const double vector_time = shape.tokens * static_cast<double>(bytes) / machine.payload_rate;
    return wire_times{vector_time * of.up, vector_time * of.down};
  };
  return time_of(
      schedule,
      times(dispatch_vectors(schedule.traffic, shape.gpus, distinct), shape.dispatched_bytes()),
      times(combine_vectors(schedule.traffic, shape.gpus, distinct), shape.vector_bytes()),
      moe_compute_time(shape, machine), first_gemm_of(shape), machine.capacity);
}

moe_machine at_capacity(moe_machine machine, const moe_schedule& schedule) {
  if (schedule.traffic != moe_traffic::everybody) machine.wire_rate *= machine.capacity;
  return machine;
}

double moe_capacity_law(const moe_schedule& schedule, const moe_shape& shape, double distinct,
                        const moe_machine& nominal) {
  moe_machine machine = nominal;
  if (schedule.traffic != moe_traffic::everybody) machine.wire_rate *= machine.capacity;
  // A vector one way is a header the other way: a store and its acknowledgment, a request to load
  // and the sum.
  const auto times = [&](const moe_vectors& of, std::uint64_t vector_bytes) {
    const auto bytes = static_cast<double>(vector_bytes);
    const double packets = std::ceil(bytes / machine.packet_payload);
    const double header_time = shape.tokens * packets * machine.packet_header / machine.wire_rate;
    const double data_time = shape.tokens * bytes / machine.wire_rate + header_time;
    return wire_times{of.up * data_time + of.down * header_time,
                      of.down * data_time + of.up * header_time};
  };
  return time_of(
      schedule,
      times(dispatch_vectors(schedule.traffic, shape.gpus, distinct), shape.dispatched_bytes()),
      times(combine_vectors(schedule.traffic, shape.gpus, distinct), shape.vector_bytes()),
      moe_compute_time(shape, machine), first_gemm_of(shape), 1);
}

}  // namespace heddle
