#include "models/workloads/collective/collective_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "models/workloads/collective/choose_algorithm.hpp"
#include "platform/text/quantity.hpp"
#include "platform/yaml/mapping.hpp"
#include "sw/collectives/torus.h"
#include "sw/collectives/tree.h"

namespace heddle {
namespace {

struct named_collective {
  const char* name;
  boot_collective number;
};
constexpr named_collective collectives[] = {{"allreduce", BOOT_ALLREDUCE},
                                            {"reduce_scatter", BOOT_REDUCE_SCATTER},
                                            {"allgather", BOOT_ALLGATHER},
                                            {"broadcast", BOOT_BROADCAST},
                                            {"barrier", BOOT_BARRIER},
                                            {"p2p_latency", BOOT_P2P_LATENCY},
                                            {"p2p_bandwidth", BOOT_P2P_BANDWIDTH},
                                            {"reduce", BOOT_REDUCE},
                                            {"alltoall", BOOT_ALLTOALL}};

std::size_t choose(const yaml_node& node, const char* what,
                   const std::vector<std::string>& choices) {
  const std::string chosen = as_choice(node, what, choices);
  return static_cast<std::size_t>(std::find(choices.begin(), choices.end(), chosen) -
                                  choices.begin());
}

boot_collective collective_of(const yaml_node& node) {
  return collectives[choose(node, "collective", collective_names())].number;
}

constexpr std::uint64_t largest_tensor = 1ULL << 30;  // bytes
constexpr const char* too_large = "a tensor has at most 1 GiB";

// "64 MiB", a list, or {from: 1 KiB, to: 64 MiB}: every doubling.
std::vector<std::uint64_t> read_sizes(const yaml_node& node) {
  std::vector<std::uint64_t> sizes;
  if (node.is_mapping()) {
    yaml_mapping range(node, "bytes");
    const std::uint64_t from = as_bytes(range.required("from"));
    const std::uint64_t to = as_bytes(range.required("to"));
    range.finish();
    if (from == 0 || from > to)
      throw user_error(node.place(), fmt::format("{} to {} holds no size: expected `from` above 0 "
                                                 "and up to `to`",
                                                 format_bytes(from), format_bytes(to)));
    if (to > largest_tensor) throw user_error(node.place(), too_large);
    for (std::uint64_t size = from; size <= to; size *= 2) sizes.push_back(size);
    return sizes;
  }
  for (const yaml_node& item : as_list(node)) sizes.push_back(as_bytes(item));
  if (sizes.empty()) throw user_error(node.place(), "expected a size");
  return sizes;
}

// "there is no alltoall by mesh_hw (one of direct, scatter_gather)".
std::string no_such_algorithm(boot_collective collective, const std::string& name) {
  std::vector<std::string> others;
  for (const collective_algorithm& each : algorithm_registry::instance().all())
    if (each.is_named && algorithm_behind(each.name, collective)) others.emplace_back(each.name);
  return fmt::format("there is no {} by {} (one of {})", name_of(collective), name,
                     fmt::join(others, ", "));
}

// What shows without the hardware.
void check_algorithms(const collective_config& config) {
  collective_case job;
  job.collective = config.collective;
  job.type = config.type;
  job.op = config.op;
  for (const std::string& each : config.algorithms) {
    if (each == auto_algorithm) continue;
    const collective_algorithm* const found = algorithm_behind(each, config.collective);
    if (!found)
      throw user_error(config.algorithm_place, no_such_algorithm(config.collective, each));
    if (found->limit) continue;  // what it does not know is done by software
    const std::string obstacle = obstacle_of_type(*found, job);
    if (!obstacle.empty()) throw user_error(config.algorithm_place, obstacle);
  }
}

void read_algorithms(const yaml_node& node, collective_config& config) {
  std::vector<std::string> known = {auto_algorithm};
  for (const collective_algorithm& each : algorithm_registry::instance().all())
    if (each.is_named) known.push_back(each.name);
  config.algorithm_place = node.place();
  config.algorithms.clear();
  for (const yaml_node& each : as_list(node))
    config.algorithms.push_back(as_choice(each, "algorithm", known));
  if (config.algorithms.empty()) throw user_error(node.place(), "expected an algorithm");
}

// Why one of the algorithms that are asked for cannot do the operator with int32; "" where all can.
std::string obstacle_to_integers(const collective_config& config, reduce_op op) {
  collective_case job;
  job.collective = config.collective;
  job.type = dtype::int32;
  job.op = op;
  for (const std::string& each : config.algorithms) {
    const collective_algorithm* const found =
        each == auto_algorithm ? nullptr : algorithm_behind(each, config.collective);
    if (!found || found->limit) continue;
    std::string obstacle = obstacle_of_type(*found, job);
    if (!obstacle.empty()) return obstacle;
  }
  return {};
}

// After the algorithms and the type of elements.
reduce_op read_op(const yaml_node& node, const collective_config& config) {
  const reduce_op op =
      *parse_reduce_op(as_choice(node, "op", {"sum", "min", "max", "and", "or", "xor"}));
  if (applies_to(op, config.type)) return op;
  const std::string obstacle = obstacle_to_integers(config, op);
  if (!obstacle.empty())
    throw user_error(node.place(),
                     fmt::format("{} is of the bits of integers, and {}", name_of(op), obstacle));
  throw user_error(node.place(), fmt::format("{} is of the bits of integers: `dtype: int32`, which "
                                             "may stand for the bits of {}",
                                             name_of(op), name_of(config.type)));
}

quantization read_quantization(const yaml_node& node) {
  yaml_mapping mapping(node, "quantization");
  quantization quant;
  if (const auto n = mapping.optional("bits")) {
    quant.bits = static_cast<unsigned>(as_integer(*n, 4, 8));
    if (quant.bits != 4 && quant.bits != 8) throw user_error(n->place(), "8 or 4 bits");
  }
  if (const auto n = mapping.optional("block")) {
    quant.block = static_cast<std::size_t>(as_integer(*n, 1, 1 << 20));
    if (!quant.is_valid())
      throw user_error(n->place(), "a block has 32, 64, 128, 256 or 512 elements");
  }
  mapping.finish();
  return quant;
}

flag_protocol protocol_of(const yaml_node& node) {
  const std::string name =
      as_choice(node, "protocol", {"acknowledged", "ordered", "in_packet", "auto"});
  if (name == "acknowledged") return flag_protocol::acknowledged;
  if (name == "ordered") return flag_protocol::ordered;
  return name == "in_packet" ? flag_protocol::in_packet : flag_protocol::chosen;
}

// "rows", "columns", or how many groups of ranks that follow each other.
void read_groups(const yaml_node& node, collective_config& config) {
  config.groups_place = node.place();
  const bool is_number = !node.quoted() && !node.text().empty() &&
                         std::isdigit(static_cast<unsigned char>(node.text().front())) != 0;
  if (is_number) {
    config.groups = group_shape::blocks;
    config.group_count = static_cast<std::uint64_t>(as_integer(node, 1, 65'536));
    return;
  }
  config.groups = as_choice(node, "groups", {"rows", "columns"}) == "rows" ? group_shape::rows
                                                                           : group_shape::columns;
}

// What only in-switch accelerators know.
void read_in_switch(yaml_mapping& mapping, collective_config& config) {
  if (const auto n = mapping.optional("instructions"))
    config.is_on_demand = as_choice(*n, "instructions", {"ahead", "on_demand"}) == "on_demand";
  if (const auto n = mapping.optional("addresses"))
    config.has_single_addresses = as_choice(*n, "addresses", {"each", "single"}) == "single";
  if (const auto n = mapping.optional("streams")) {
    config.streams = static_cast<std::uint64_t>(as_integer(*n, 1, 8));
    config.streams_place = n->place();
  }
}

void read_files(yaml_mapping& mapping, collective_config& config) {
  if (const auto n = mapping.optional("input")) {
    config.input = as_text(*n);
    config.input_place = n->place();
    config.output = "result_rank{r}.npy";
    if (config.input.find("{r}") == std::string::npos)
      throw user_error(n->place(),
                       "`input` names one file a rank: it needs {r}, as in "
                       "tensors/rank{r}.npy");
  }
  if (const auto n = mapping.optional("output")) {
    config.output = as_text(*n);
    config.output_place = n->place();
    const std::filesystem::path file(config.output);
    if (std::count(file.begin(), file.end(), "..") > 0)
      throw user_error(n->place(),
                       "results lie in the run directory, or where an absolute path says");
    if (file.extension() != ".npy")
      throw user_error(n->place(), "results are NumPy files: a name that ends in .npy");
  }
}

// After the files, which have a size, and the type of elements.
void read_bytes(yaml_mapping& mapping, collective_config& config) {
  const std::uint64_t element = size_of(config.type);
  if (const auto n = mapping.optional("bytes")) {
    config.bytes = read_sizes(*n);
    config.bytes_place = n->place();
    if (!config.input.empty())
      throw user_error(n->place(), "`bytes` and `input` exclude each other: the files have a size");
    for (const std::uint64_t size : config.bytes) {
      if (size == 0) throw user_error(n->place(), "a tensor has at least one element");
      if (size % element != 0)
        throw user_error(n->place(), fmt::format("{} B is not a whole number of {} elements", size,
                                                 name_of(config.type)));
      if (size > largest_tensor) throw user_error(n->place(), too_large);
    }
  } else if (config.collective == BOOT_BARRIER) {
    config.bytes = {element};
  } else if (config.input.empty()) {
    mapping.required("bytes");
  }
}

// How a vector is cut into messages.
void read_messages(yaml_mapping& mapping, collective_config& config) {
  read_integer(mapping.optional("slots"), config.slots, 1, 64);
  if (const auto n = mapping.optional("slot_bytes")) {
    config.slot_bytes = as_bytes(*n);
    if (config.slot_bytes < 64 || config.slot_bytes % 64 != 0 || config.slot_bytes > 1ULL << 30)
      throw user_error(n->place(), "a slot has a multiple of 64 B, up to 1 GiB");
  }
  if (const auto n = mapping.optional("pieces")) {
    config.pieces = static_cast<std::uint64_t>(as_integer(*n, 1, 4096));
    if (config.slot_bytes != 0)
      throw user_error(n->place(),
                       "`pieces` and `slot_bytes` exclude each other: both say how long a message "
                       "is");
  }
}

}  // namespace

const std::vector<std::string>& collective_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const named_collective& each : collectives) all.emplace_back(each.name);
    return all;
  }();
  return names;
}

const char* name_of(boot_collective collective) {
  for (const named_collective& each : collectives)
    if (each.number == collective) return each.name;
  return "?";
}

collective_config read_collective(yaml_mapping& mapping, const workload_settings& settings) {
  collective_config config;
  config.place = config.bytes_place = config.root_place = config.algorithm_place =
      config.input_place = config.output_place = config.streams_place = settings.place;
  config.ranks_place = settings.ranks_place;
  config.channels = settings.channels;
  config.collective = collective_of(mapping.required("collective"));
  if (const auto n = mapping.optional("algorithm")) read_algorithms(*n, config);
  if (const auto n = mapping.optional("quantization")) {
    config.quant = read_quantization(*n);
    config.may_quantize = true;
  }
  read_in_switch(mapping, config);
  if (const auto n = mapping.optional("groups")) read_groups(*n, config);
  if (const auto n = mapping.optional("steps"))
    config.is_chained = as_choice(*n, "steps", {"core", "chain"}) == "chain";
  if (const auto n = mapping.optional("protocol")) {
    config.protocol = protocol_of(*n);
    config.protocol_place = n->place();
  }
  if (const auto n = mapping.optional("dtype"))
    config.type =
        *parse_dtype(as_choice(*n, "dtype", {"fp16", "bf16", "fp32", "int32", "fp64", "fp8"}));
  if (const auto n = mapping.optional("op")) config.op = read_op(*n, config);
  read_files(mapping, config);
  read_integer(mapping.optional("iterations"), config.iterations, 1, 1'000'000);
  read_bytes(mapping, config);
  read_integer(mapping.optional("repeat"), config.repeat, 1, 1'000'000);
  if (const auto n = mapping.optional("root")) {
    config.root = static_cast<std::uint64_t>(as_integer(*n, 0, 65'535));
    config.root_place = n->place();
  }
  if (const auto n = mapping.optional("sides"))
    for (const yaml_node& each : as_list(*n))
      config.sides.push_back(static_cast<std::uint64_t>(as_integer(each, 1, 1023)));
  read_integer(mapping.optional("stripes"), config.stripes, 1, TORUS_STRIPES);
  read_integer(mapping.optional("trees"), config.trees, 1, TREE_MOST);
  if (const auto n = mapping.optional("fallback"))
    config.fails_to_software = as_choice(*n, "fallback", {"software", "error"}) == "software";
  read_messages(mapping, config);
  check_algorithms(config);
  config.given = mapping.node().entries();
  return config;
}

}  // namespace heddle
