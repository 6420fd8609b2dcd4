#include "tests/system/random_configuration.hpp"

#include <algorithm>

namespace heddle {
namespace {

const std::vector<dimension>& dimensions() {
  static const std::vector<dimension> all = {
      {"gpus", 2, {1, 2, 3, 4, 5, 6, 7, 8, 9}},
      {"planes", 1, {1, 2, 3, 4}},
      {"collective", 0, {0, 0, 0, 1, 2, 3, 4, 5, 6}},
      {"algorithm", 0, {0, 1, 2}},
      {"dtype", 0, {0, 1, 2, 3}},
      {"op", 0, {0, 0, 1, 2}},
      {"elements", 1, {1, 2'000'000}, true},
      {"packets", 2'000, {2'000, 20'000, 20'000, 20'000, 20'000, 20'000, 20'000, 100'000}},
      {"root", 0, {0, 8}, true},
      {"iterations", 1, {1, 1, 2, 5}},
      {"repeat", 1, {1, 1, 2, 3}},
      {"slots", 8, {1, 2, 3, 8}},
      {"slot_lines", 4096, {1, 2, 3, 16, 64, 4096}},
      {"channels", 1, {1, 2, 3, 4, 8, 16}},
      {"dma_channels", 16, {1, 2, 3, 8, 16}},
      {"burst", 4096, {64, 128, 256, 4096, 65'536}},
      {"read_ahead", 16, {1, 2, 3, 16}},
      {"prefetch", 4, {1, 2, 4, 64}},
      {"arbitration", 0, {0, 1}},
      {"mtu", 128, {8, 16, 64, 100, 128, 128, 128, 256, 4096}},
      {"header", 16, {1, 12, 16, 16, 16, 256}},
      {"flit", 16, {1, 16, 16, 32}},
      {"interleave", 4096, {64, 100, 128, 1000, 4096, 65'536}},
      {"outstanding", 4096, {1, 2, 3, 33, 4096, 4096}},
      {"queue", 64, {1, 2, 64, 64}},
      {"train", 1, {1, 1, 2, 3, 8, 32, 64}},
      {"more_buffer", 0, {0, 0, 1, 2, 17, 1000}},  // packets, beyond one train
      {"vcs", 2, {2, 3, 4, 5, 8}},
      {"link_ps", 250'000, {0, 1, 1'000, 250'000, 250'000, 2'000'000}},
      {"link_mbps", 112'500, {1'000, 25'000, 112'500, 112'500, 333'333, 1'000'000}},
      {"forwarding_ps", 100'000, {0, 1, 100'000, 100'000, 1'000'000}},
      {"call_ns", 5, {1, 5, 5, 100}},
      {"access_ns", 20, {0, 20, 20, 500}},
      {"store_ns", 2, {0, 2, 2, 50}},
      {"quantum_ns", 0, {0, 0, 0, 100, 1'000}},
      {"memory_ns", 100, {0, 100, 100, 1'000}},
      {"memory_gbps", 4'800, {50, 4'800, 4'800}},
      {"vector_gbps", 1'600, {20, 1'600, 1'600}},
      {"seed", 1, {1, 1'000'000'007}, true},
  };
  return all;
}

const char* const collectives[] = {"allreduce", "reduce_scatter", "allgather",    "broadcast",
                                   "barrier",   "p2p_latency",    "p2p_bandwidth"};
const char* const algorithms[] = {"ring", "direct", "halving_doubling"};
const char* const dtypes[] = {"fp16", "bf16", "fp32", "int32"};
const char* const ops[] = {"sum", "min", "max"};

std::string with_unit(std::uint64_t number, const char* unit) {
  return std::to_string(number) + " " + unit;
}

}  // namespace

random_configuration::random_configuration(std::uint64_t seed) : numbers_(dimensions(), seed) {}

// Bounded by the packets that a rank sends in all, and by the round trips that they take: packets
// take time to simulate, and so do the cores that poll while packets are under way.
std::uint64_t random_configuration::elements() const {
  constexpr std::uint64_t longest_ps = 10'000'000'000;
  const std::uint64_t element = value("dtype") < 2 ? 2 : 4;
  const std::uint64_t packet = std::min(value("mtu"), value("interleave"));
  const std::uint64_t times = value("iterations") * value("repeat") * value("gpus");
  const std::uint64_t round_trip_ps = std::max<std::uint64_t>(1, 4 * value("link_ps"));
  const std::uint64_t packets =
      std::min(value("packets"), longest_ps / round_trip_ps * value("outstanding"));
  const std::uint64_t most = packets * packet / element / times;
  return std::max<std::uint64_t>(1, std::min(value("elements"), most));
}

settings random_configuration::as_settings() const {
  const std::uint64_t collective = value("collective");
  const std::uint64_t algorithm = collective == 0 ? value("algorithm") : 0;
  std::uint64_t gpus = std::max<std::uint64_t>(value("gpus"), collective >= 5 ? 2 : 1);
  if (algorithm == 2)
    while ((gpus & (gpus - 1)) != 0) --gpus;
  const std::uint64_t outstanding = value("outstanding");
  const std::uint64_t train = std::min(value("train"), outstanding);
  const std::uint64_t flit = value("flit");
  const std::uint64_t padded = (value("mtu") + flit - 1) / flit * flit;
  const std::uint64_t packet = value("header") + padded;
  const std::uint64_t buffer = std::max<std::uint64_t>(16, packet * (train + value("more_buffer")));
  const std::uint64_t element = value("dtype") < 2 ? 2 : 4;
  const std::uint64_t channels = std::min(value("channels"), value("dma_channels"));
  settings all = {
      {"params.gpus", std::to_string(gpus)},
      {"params.planes", std::to_string(value("planes"))},
      {"seed", std::to_string(value("seed"))},
      {"train", std::to_string(train)},
      {"monitors", "on"},
      {"workload.collective", collectives[collective]},
      {"workload.algorithm", algorithms[algorithm]},
      {"workload.dtype", dtypes[value("dtype")]},
      {"workload.op", ops[value("op")]},
      {"workload.bytes", with_unit(elements() * element, "B")},
      {"workload.root", std::to_string(value("root") % gpus)},
      {"workload.iterations", std::to_string(value("iterations"))},
      {"workload.repeat", std::to_string(value("repeat"))},
      {"workload.slots", std::to_string(value("slots"))},
      {"workload.slot_bytes", with_unit(64 * value("slot_lines"), "B")},
      {"workload.channels", std::to_string(channels)},
      {"links[0].bandwidth", with_unit(value("link_mbps"), "MB/s")},
      {"links[0].latency", with_unit(value("link_ps"), "ps")},
      {"links[0].vcs", std::to_string(value("vcs"))},
      {"links[0].buffer", with_unit(buffer, "B")},
      {"nvs[*].forwarding", with_unit(value("forwarding_ps"), "ps")},
      {"gpu[*].dma.channels", std::to_string(value("dma_channels"))},
      {"gpu[*].dma.burst", with_unit(value("burst"), "B")},
      {"gpu[*].dma.read_ahead", std::to_string(value("read_ahead"))},
      {"gpu[*].dma.prefetch", std::to_string(value("prefetch"))},
      {"gpu[*].dma.arbitration", value("arbitration") == 0 ? "oldest" : "round_robin"},
      {"gpu[*].ni.mtu", with_unit(value("mtu"), "B")},
      {"gpu[*].ni.header", with_unit(value("header"), "B")},
      {"gpu[*].ni.flit", with_unit(flit, "B")},
      {"gpu[*].ni.interleave", with_unit(value("interleave"), "B")},
      {"gpu[*].ni.outstanding", std::to_string(outstanding)},
      {"gpu[*].ni.queue", std::to_string(value("queue"))},
      {"gpu[*].cp.call_cost", with_unit(value("call_ns"), "ns")},
      {"gpu[*].cp.access_cost", with_unit(value("access_ns"), "ns")},
      {"gpu[*].cp.store_cost", with_unit(value("store_ns"), "ns")},
      {"gpu[*].cp.quantum", with_unit(value("quantum_ns"), "ns")},
      {"gpu[*].memory.latency", with_unit(value("memory_ns"), "ns")},
      {"gpu[*].memory.bandwidth", with_unit(value("memory_gbps"), "GB/s")},
      {"gpu[*].vector.bandwidth", with_unit(value("vector_gbps"), "GB/s")},
  };
  return all;
}

std::vector<random_configuration> random_configuration::simpler() const {
  std::vector<random_configuration> candidates;
  for (random_numbers& each : numbers_.simpler()) candidates.emplace_back(std::move(each));
  return candidates;
}

}  // namespace heddle
