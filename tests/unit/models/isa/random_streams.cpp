#include "tests/unit/models/isa/random_streams.hpp"

#include <algorithm>

namespace heddle {
namespace {

constexpr std::uint64_t flags_end = 64;
constexpr std::uint64_t ordinary_begin = 64, ordinary_pair = 64 * 1024;

const std::vector<dimension>& dimensions() {
  static const std::vector<dimension> all = {
      {"members", 2, {1, 2, 3, 4, 5, 6, 7, 8, 8, 13}},
      {"streams", 1, {1, 2, 2, 3, 4, 4}},
      {"rounds", 1, {1, 1, 2, 3}},
      {"masks", 0, {0, 1'000'000}, true},  // 0: all members
      {"groups", 0, {0, 0, 0, 1, 2}},      // 1: disjoint groups, 2: single members
      {"controllers", 1, {1, 1, 2, 4, 16}},
      {"mtu", 128, {8, 16, 64, 100, 128, 128, 128, 256, 4096}},
      {"header", 16, {1, 12, 16, 16, 256}},
      {"flit", 16, {1, 16, 16, 32}},
      {"train", 1, {1, 1, 2, 3, 32}},
      {"wave", 128, {8, 64, 128, 130, 512, 1024, 4096, 4096}},
      {"entries", 64, {1, 1, 2, 3, 16, 64}},
      {"scales_fit", 1, {0, 1}},
      {"more_buffer", 1000, {0, 0, 1, 17, 1000}},  // packets, beyond one train
      {"write_queue", 2, {1, 2, 2, 16}},
      {"latency", 20, {0, 1, 20, 20, 1'000}},
      {"quantized_latency", 100, {0, 100, 1'000}},
      {"bytes_per_cycle", 128, {1, 32, 128, 128, 65'536}},
      {"link_ps", 10'000, {0, 1, 10'000, 250'000}},
      {"link_mbps", 112'500, {1'000, 112'500, 112'500, 1'000'000}},
      {"longest_delay_ns", 0, {0, 0, 20, 300, 5'000}},
      {"longest_hold_ns", 0, {0, 0, 0, 100}},
      {"late_ns", 0, {0, 10, 1'000, 50'000}},
      {"length", 2, {2, 64 << 20}, true},
      {"dtype", 0, {0, 1, 2, 3}},
      {"op", 0, {0, 0, 1, 2}},
      {"quantized", 0, {0, 0, 0, 1, 2}},  // bits: 1: 8, 2: 4
      {"block_log", 6, {5, 6, 7, 8, 9}},
      {"ordinary", 0, {0, 0, 1, 50, 400}},  // packets from every member to another
      {"seed", 1, {1, 1'000'000'007}, true},
  };
  return all;
}

std::uint64_t mixed(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
  std::uint64_t value = 0x9e3779b97f4a7c15;
  for (const std::uint64_t each : {a, b, c, d}) {
    value = (value ^ each) * 0xbf58476d1ce4e5b9;
    value ^= value >> 29;
  }
  return value;
}

}  // namespace

random_streams::random_streams(std::uint64_t seed, std::uint64_t packets, std::uint64_t longest)
    : numbers_(dimensions(), seed), packets_(packets), longest_(longest) {}

random_streams::random_streams(const random_streams& limits, random_numbers numbers)
    : numbers_(std::move(numbers)), packets_(limits.packets_), longest_(limits.longest_) {}

std::vector<random_streams> random_streams::simpler() const {
  std::vector<random_streams> candidates;
  for (random_numbers& each : numbers_.simpler())
    candidates.push_back(random_streams(*this, std::move(each)));
  return candidates;
}

std::string random_streams::text() const {
  std::string text;
  for (const dimension& each : dimensions())
    text += " " + each.name + "=" + std::to_string(numbers_[each.name]);
  for (const staged_instruction& i : instructions())
    text += "\nstream " + std::to_string(i.stream) + ": " + std::to_string(i.length) + " B, " +
            std::to_string(i.source) + " to " + std::to_string(i.destination);
  return text;
}

isa_bench_options random_streams::options() const {
  isa_bench_options made;
  made.members = static_cast<int>(numbers_["members"]);
  made.train = static_cast<std::uint32_t>(numbers_["train"]);
  made.latency = numbers_["link_ps"] * fs_per_ps;
  made.rate = numbers_["link_mbps"] * 1'000'000;
  made.format = {static_cast<std::uint32_t>(numbers_["mtu"]),
                 static_cast<std::uint32_t>(numbers_["header"]),
                 static_cast<std::uint32_t>(numbers_["flit"])};
  const std::uint64_t packet = numbers_["header"] + made.format.padded(made.format.mtu);
  const std::uint64_t smallest = numbers_["header"] + 2 * made.format.padded(8);  // a flag
  made.buffer = std::max(
      {std::uint64_t{16}, smallest, packet * (numbers_["train"] + numbers_["more_buffer"])});
  std::uint64_t end = ordinary_begin + numbers_["members"] * ordinary_pair;
  for (const staged_instruction& each : instructions())
    end =
        std::max<std::uint64_t>({end, each.offset + each.length, each.scale_offset + each.length});
  made.memory = static_cast<std::uint32_t>(end + 64);
  made.isa = [numbers = numbers_](isa_parameters& p) {
    const std::uint64_t entries = numbers["entries"];
    p.streams.set(4);
    p.controllers.set(numbers["controllers"]);
    p.wave.set({numbers["wave"]});
    p.table.set({numbers["wave"] * entries});
    p.scale_table.set({entries * (numbers["scales_fit"] != 0 ? 256 : 2)});
    p.write_queue.set(numbers["write_queue"]);
    p.latency.set(numbers["latency"]);
    p.quantized_latency.set(numbers["quantized_latency"]);
    p.bytes_per_cycle.set(numbers["bytes_per_cycle"]);
  };
  return made;
}

member_mask random_streams::mask(std::uint64_t stream, std::uint64_t round,
                                 std::uint64_t which) const {
  const std::uint64_t members = numbers_["members"], streams = numbers_["streams"];
  member_mask possible = (member_mask{1} << members) - 1;
  if (numbers_["groups"] == 1 && members >= streams) {
    possible = 0;
    for (std::uint64_t m = stream; m < members; m += streams) possible |= member_mask{1} << m;
  }
  if (numbers_["masks"] == 0) return possible;
  const std::uint64_t random = mixed(numbers_["masks"], stream, round, which);
  member_mask chosen = random & possible;
  if (numbers_["groups"] == 2 || chosen == 0) {
    std::uint64_t skipped = (random >> 32) % static_cast<std::uint64_t>(count_of(possible));
    for (chosen = possible; skipped > 0; --skipped) chosen &= chosen - 1;
    chosen &= ~chosen + 1;
  }
  return chosen;
}

std::uint32_t random_streams::length(std::uint64_t nth, const staged_instruction& of) const {
  const std::uint64_t waves = numbers_["streams"] * numbers_["rounds"] * numbers_["members"];
  const std::uint64_t piece = std::min(numbers_["mtu"] * numbers_["train"], numbers_["wave"]);
  std::uint64_t most = std::min({numbers_["length"], longest_, packets_ * piece / waves / 2});
  if (nth > 0) most = most / 2 + mixed(nth, most, numbers_["seed"], 0) % (most / 2 + 1);
  const std::uint64_t element = of.quant ? 1 : size_of(of.type);
  return static_cast<std::uint32_t>(std::max(element, most / element * element));
}

std::vector<staged_instruction> random_streams::instructions() const {
  std::vector<staged_instruction> all;
  const quantization quant{numbers_["quantized"] == 2 ? 4U : 8U,
                           std::size_t{1} << numbers_["block_log"]};
  const bool is_quantized =
      numbers_["quantized"] != 0 && quantized_bytes(quant, quant.block) <= numbers_["wave"];
  std::uint64_t offset = ordinary_begin + numbers_["members"] * ordinary_pair;
  for (std::uint64_t round = 0; round < numbers_["rounds"]; ++round)
    for (std::uint64_t stream = 0; stream < numbers_["streams"]; ++stream) {
      staged_instruction i;
      i.stream = static_cast<int>(stream);
      i.id = static_cast<std::uint32_t>(all.size());
      i.source = mask(stream, round, 0);
      i.destination = mask(stream, round, 1);
      i.type = static_cast<dtype>(numbers_["dtype"]);
      i.op = static_cast<reduce_op>(numbers_["op"]);
      if (is_quantized) {
        i.quant = quant;
        i.type = dtype::fp16;
        i.op = reduce_op::sum;
      }
      i.length = length(all.size(), i);
      i.offset = offset;
      i.scale_offset = offset + (i.length + 3) / 4 * 4;
      offset = i.scale_offset + (is_quantized ? (i.length + 3) / 4 * 4 : 0);
      all.push_back(i);
    }
  return all;
}

member_mask random_streams::members_of(int stream) const {
  member_mask members = 0;
  for (const staged_instruction& each : instructions())
    if (each.stream == stream) members |= each.source | each.destination;
  return members;
}

std::vector<random_streams::traffic> random_streams::ordinary() const {
  std::vector<traffic> all;
  const auto members = static_cast<int>(numbers_["members"]);
  if (members < 2) return all;
  const std::uint64_t most = ordinary_pair / numbers_["mtu"];
  for (int from = 0; from < members; ++from) {
    const auto step = 1 + mixed(numbers_["masks"], static_cast<std::uint64_t>(from), 0, 7) %
                              static_cast<std::uint64_t>(members - 1);
    traffic t;
    t.from = from;
    t.to = (from + static_cast<int>(step)) % members;
    t.offset = flags_end + static_cast<std::uint64_t>(from) * ordinary_pair;
    t.packets = static_cast<std::uint32_t>(std::min(numbers_["ordinary"], most));
    all.push_back(t);
  }
  return all;
}

}  // namespace heddle
