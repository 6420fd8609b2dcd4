#include "models/workloads/collective/bandwidth_model.hpp"

namespace heddle {
namespace {

// What the wires allow, per second of one rank's tensor: a rank sends (or gets) all of it once and
// 1/N of it twice. In all-reduce both directions carry that, and the control packets of the other;
// in its halves one direction has 1/N of the control packets alone.
double nvls_ceiling(boot_collective collective, const link_directory& net, double ranks) {
  if (collective == BOOT_ALLREDUCE) return net.duplex_payload_rate * ranks / (ranks + 1);
  if (net.simplex_payload_rate == 0) return 0;
  const double control = 1 / net.duplex_payload_rate - 1 / net.simplex_payload_rate;
  return 1 / (1 / net.simplex_payload_rate + control / ranks);
}

// Every operand comes once and every result goes once, so whoever has both has data in one
// direction and responses or requests beside it: all ranks of an all-reduce, the root of a
// reduction. The others have that for 1/N of the data, where it is cut into chunks; nobody gets its
// own chunk.
double scin_ceiling(boot_collective collective, const link_directory& net, double ranks) {
  if (net.simplex_payload_rate == 0) return 0;
  const double data = 1 / net.simplex_payload_rate;
  const double control = 1 / net.duplex_payload_rate - data;
  switch (collective) {
    case BOOT_BROADCAST:
      return net.simplex_payload_rate;
    case BOOT_REDUCE_SCATTER:
      return 1 / (data + control / ranks);
    case BOOT_ALLGATHER:
      return 1 / (data * (ranks - 1) / ranks + control / ranks);
    default:
      return net.duplex_payload_rate;
  }
}

// The wide link brings a beat of 64 B a cycle to every tile. Several rows meet in routers of the
// first column that have three inputs and add two at a time: every other cycle (collective NoC
// 4.2.3).
double mesh_ceiling(const collective_config& config, const link_directory& net, double ranks) {
  if (config.collective == BOOT_BROADCAST) return net.widest();
  if (config.collective != BOOT_REDUCE) return 0;
  const bool has_rows = ranks > static_cast<double>(config.columns);
  return config.algorithm == BOOT_MESH_HW && has_rows ? net.widest() / 2 : net.widest();
}

// Quantized bytes, scales included, over bytes of the tensor.
double quantized_share(const quantization& quant, dtype type) {
  const std::size_t bytes = quantized_bytes(quant, quant.block) + scale_bytes(quant, quant.block);
  return static_cast<double>(bytes) / static_cast<double>(quant.block * size_of(type));
}

}  // namespace

bool is_point_to_point(boot_collective collective) {
  return collective == BOOT_P2P_LATENCY || collective == BOOT_P2P_BANDWIDTH;
}

double bus_factor(boot_collective collective, double ranks) {
  switch (collective) {
    case BOOT_ALLREDUCE:
      return 2 * (ranks - 1) / ranks;
    case BOOT_REDUCE_SCATTER:
    case BOOT_ALLGATHER:
    case BOOT_ALLTOALL:
      return (ranks - 1) / ranks;
    default:
      return 1;
  }
}

double algbw_ceiling(const collective_config& config, const link_directory& net, double ranks) {
  if (config.collective == BOOT_BARRIER || config.collective > BOOT_REDUCE) return 0;
  if (is_point_to_point(config.collective)) return net.simplex_payload_rate;
  switch (config.algorithm) {
    case BOOT_MESH_HW:
    case BOOT_MESH_NAIVE:
    case BOOT_MESH_SEQ:
    case BOOT_MESH_TREE:
      return mesh_ceiling(config, net, ranks);
    case BOOT_NVLS:
      return nvls_ceiling(config.collective, net, ranks);
    case BOOT_SCIN:
      return scin_ceiling(config.collective, net, ranks);
    case BOOT_SCIN_INQ:
      return net.duplex_payload_rate / quantized_share(config.quant, config.type);
    default: {
      const double factor = bus_factor(config.collective, ranks);
      return factor > 0 ? net.duplex_payload_rate / factor : 0;
    }
  }
}

}  // namespace heddle
