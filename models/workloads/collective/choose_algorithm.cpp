#include "models/workloads/collective/choose_algorithm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "models/workloads/collective/accelerator_obstacle.hpp"
#include "models/workloads/collective/aggregator_network.hpp"
#include "models/workloads/collective/message_protocol.hpp"
#include "models/workloads/collective/quantization_obstacle.hpp"
#include "models/workloads/collective/time_estimate.hpp"
#include "platform/number/power_of_two.hpp"
#include "platform/tensor/reduce.hpp"
#include "sw/collectives/torus.h"

namespace heddle {
namespace {

template <class T>
std::string names_of(const std::vector<T>& all) {
  std::vector<std::string_view> names;
  for (const T& each : all) names.push_back(name_of(each));
  return fmt::format("{}", fmt::join(names, ", "));
}

// The operators that apply to at least one of the types that it adds.
std::vector<reduce_op> usable_ops(const collective_algorithm& algorithm) {
  std::vector<reduce_op> usable;
  for (const reduce_op op : algorithm.ops)
    if (std::any_of(algorithm.types.begin(), algorithm.types.end(),
                    [op](dtype type) { return applies_to(op, type); }))
      usable.push_back(op);
  return usable;
}

// "; choose mesh_hw, mesh_naive or mesh_tree": those that do the collective and fit, behind the
// separator; "" where there are none.
template <class Fits>
std::string advice(const char* separator, boot_collective collective, Fits fits) {
  std::vector<std::string> names;
  for (const collective_algorithm& each : algorithm_registry::instance().all())
    if (each.is_named && each.does(collective) && fits(each)) names.push_back(each.name);
  if (names.empty()) return {};
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{}choose {}{}{}", separator, fmt::join(names, ", "),
                     names.empty() ? "" : " or ", last);
}

bool is_on_mesh(const collective_algorithm& algorithm) {
  return algorithm.ranks == rank_rule::tiles_of_a_mesh;
}

bool pairs_all_ranks(const collective_algorithm& algorithm, boot_collective collective) {
  return algorithm.pairs_all_ranks && algorithm.pairs_all_ranks(collective);
}

// Those whose steps the DMA engine may do.
std::string advice_on_chains(boot_collective collective) {
  const std::string chains =
      advice(": ", collective, [collective](const auto& each) { return each.chains(collective); });
  return chains.empty() ? ": choose `steps: core`" : chains;
}

std::string obstacle_of_hardware(const collective_algorithm& algorithm, const collective_case& job,
                                 const workload_cores& cores) {
  for (const rank_core* each : cores.ranks) {
    if (!is_on_mesh(algorithm) && each->has("network_interface"))
      return fmt::format("{} is not for tiles of a mesh such as {}{}", algorithm.name,
                         each->rank_path(), advice(": ", job.collective, is_on_mesh));
    for (const std::string& device : algorithm.needs)
      if (!each->has(device))
        return fmt::format("{} needs {}, {} has no `{}`", algorithm.name, algorithm.hardware,
                           each->rank_path(), device);
  }
  if (algorithm.needs_setup && cores.setup.empty())
    return fmt::format("{} needs a core that sets {} up: name it with `setup:`", algorithm.name,
                       algorithm.hardware);
  for (const rank_core* each : cores.setup)
    for (const std::string& device : algorithm.setup_needs)
      if (!each->has(device))
        return fmt::format("{} needs {}, {}, which sets them up, reaches no `{}`", algorithm.name,
                           algorithm.hardware, each->rank_path(), device);
  return {};
}

std::string obstacle_of_torus(const collective_algorithm& algorithm, const collective_case& job) {
  std::uint64_t places = 1;
  for (const std::uint64_t side : job.sides) places *= side;
  if (job.sides.empty() || job.sides.size() > TORUS_DIMENSIONS || places != job.ranks)
    return fmt::format("{} needs `sides`, up to {}, whose product is the number of ranks, {}{}",
                       algorithm.name, static_cast<int>(TORUS_DIMENSIONS), job.ranks,
                       job.sides.empty() ? "" : fmt::format(": not {}", places));
  const std::uint64_t most = job.collective == BOOT_ALLREDUCE ? 2 * job.sides.size() : 1;
  if (job.stripes > most)
    return fmt::format("a {} on a torus of {} dimensions has up to {} stripes, not {}",
                       name_of(job.collective), job.sides.size(), most, job.stripes);
  return {};
}

// "`groups: rows` or `groups: columns`"
std::string settings_of(const std::vector<group_shape>& shapes) {
  std::vector<std::string> settings;
  for (const group_shape each : shapes)
    settings.emplace_back(each == group_shape::rows      ? "`groups: rows`"
                          : each == group_shape::columns ? "`groups: columns`"
                                                         : "a number of `groups`");
  return fmt::format("{}", fmt::join(settings, " or "));
}

std::string obstacle_of_groups(const collective_algorithm& algorithm, const collective_case& job) {
  const group_shape shape = job.groups.shape;
  const auto does_groups = [shape](const collective_algorithm& each) {
    return std::find(each.groups.begin(), each.groups.end(), shape) != each.groups.end();
  };
  if (shape == group_shape::all || does_groups(algorithm)) return {};
  const char* const refused =
      shape == group_shape::blocks ? "in groups" : "rows or columns of a mesh";
  if (!algorithm.groups.empty())
    return fmt::format("{} takes all ranks together or {}, not {}", algorithm.name,
                       settings_of(algorithm.groups), refused);
  return fmt::format("{} takes all ranks together, not {}{}", algorithm.name, refused,
                     advice(": ", job.collective, does_groups));
}

std::string obstacle_of_ranks(const collective_algorithm& algorithm, const collective_case& job) {
  if (algorithm.needs_sides) return obstacle_of_torus(algorithm, job);
  if (algorithm.needs_region && job.pod != job.ranks)
    return fmt::format(
        "{} needs ranks that are all the members of one multicast region: switches reduce from and "
        "multicast to each of them",
        algorithm.name);
  if (algorithm.needs_pods && job.pod == 0)
    return fmt::format(
        "{} needs pods of as many ranks each, which share a multicast region and follow each other",
        algorithm.name);
  if (pairs_all_ranks(algorithm, job.collective) && !is_power_of_two(job.ranks))
    return fmt::format(
        "{} of {} pairs ranks at every distance, so their number, {}, has to be a "
        "power of two{}",
        algorithm.name, name_of(job.collective), job.ranks,
        advice(": ", job.collective, [&](const auto& each) {
          return each.ranks == algorithm.ranks && !each.needs_masks &&
                 !pairs_all_ranks(each, job.collective);
        }));
  // Of the mesh, whatever lines of it work.
  const bool is_rows = job.groups.shape == group_shape::rows;
  const bool is_columns = job.groups.shape == group_shape::columns;
  const std::uint64_t columns = is_columns ? job.groups.count : job.columns;
  const std::uint64_t rows = is_rows ? job.groups.count : job.ranks / job.columns;
  if (algorithm.needs_masks && !(is_power_of_two(columns) && is_power_of_two(rows)))
    return fmt::format(
        "{} needs masks, which name tiles by bits of their addresses, so both sides of the mesh "
        "have to be powers of two: this one is {} x {}{}",
        algorithm.name, columns, rows, advice("; ", job.collective, [&](const auto& each) {
          return is_on_mesh(each) && !each.needs_masks &&
                 (is_power_of_two(job.ranks) || !pairs_all_ranks(each, job.collective));
        }));
  return {};
}

// Measured with yaml/scin_dgx8.yaml: a barrier whose instruction rank 0 writes on demand takes
// 5.5 us, one by software 1 to 4 us with 2 to 16 ranks.
bool is_slow_on_demand(const collective_algorithm& algorithm, const collective_case& job,
                       const collective_config& config) {
  return config.is_on_demand && algorithm.has_streams && job.collective == BOOT_BARRIER;
}

bool is_auto_for(const collective_algorithm& algorithm, const collective_case& job,
                 const collective_config& config) {
  if (!algorithm.does(job.collective) || !algorithm.cost) return false;
  if (algorithm.cost(job) == std::numeric_limits<double>::infinity()) return false;
  if (algorithm.limit && !algorithm.limit(job).empty()) return false;
  return !is_slow_on_demand(algorithm, job, config);
}

// Trees of aggregators that their manager would not find.
std::string obstacle_of_aggregators(const collective_algorithm& algorithm,
                                    const collective_case& job, const workload_cores& cores,
                                    simulation& sim) {
  if (!algorithm.needs_of_setup("aggregator")) return {};
  const aggregator_network network(cores, sim);
  if (algorithm.needs_one_switch && !network.has_one_for_all())
    return fmt::format("{} needs ranks that are all at one switch with an aggregator",
                       algorithm.name);
  const std::size_t trees = algorithm.needs_pods ? job.pod : 1;
  for (std::size_t first = 0; first < trees; ++first)
    if (!network.joins(first, trees))
      return fmt::format("{} needs {}, and ranks are not joined by such switches alone",
                         algorithm.name, algorithm.hardware);
  return {};
}

// Hardware, or software, of those that can do a job.
class candidates {
 public:
  // `time`: by an estimate; 0: there is none.
  void offer(const collective_algorithm& offered, double cost, double time) {
    if (cost < cost_) {
      cost_ = cost;
      preferred_ = &offered;
      is_timed_ = time > 0;
    }
    if (time > 0 && time < time_) {
      time_ = time;
      fastest_ = &offered;
    }
  }
  // nullptr: there was none. What has no estimate is taken for its cost alone.
  const collective_algorithm* best() const { return is_timed_ ? fastest_ : preferred_; }
  // 0: there is no estimate of the best.
  double time() const { return is_timed_ ? time_ : 0; }

 private:
  const collective_algorithm *preferred_ = nullptr, *fastest_ = nullptr;
  double cost_ = std::numeric_limits<double>::infinity(), time_ = cost_;
  bool is_timed_ = false;
};

// Hardware leaves the cores to other work: software has to be ahead by more than an estimate may be
// wrong. One rank has nothing to send: its software returns at once, while hardware would still
// copy the tensor to a switch and back.
class choice {
 public:
  choice(const collective_case& job, const collective_config& config, const workload_cores& cores,
         simulation& sim)
      : job_(job), estimate_(config, cores, sim) {}

  void offer(const collective_algorithm& offered) {
    candidates& among = offered.is_software() ? software_ : hardware_;
    among.offer(offered, offered.cost(job_), estimate_.of(offered, job_));
  }
  const collective_algorithm* taken() const {
    constexpr double error_of_estimate = 0.1;
    if (!hardware_.best() || !software_.best())
      return hardware_.best() ? hardware_.best() : software_.best();
    if (job_.ranks == 1) return software_.best();
    const bool is_software_ahead =
        software_.time() > 0 && software_.time() <= (1 - error_of_estimate) * hardware_.time();
    return is_software_ahead ? software_.best() : hardware_.best();
  }

 private:
  const collective_case& job_;
  const time_estimate estimate_;
  candidates hardware_, software_;
};

const collective_algorithm& choose(const collective_case& job, const collective_config& config,
                                   const workload_cores& cores, simulation& sim,
                                   bool is_by_software = false) {
  choice among(job, config, cores, sim);
  std::string obstacles;
  for (const collective_algorithm& each : algorithm_registry::instance().all()) {
    if (!is_auto_for(each, job, config) || (is_by_software && !each.is_software())) continue;
    std::string text = obstacle_to(each, job, cores);
    if (text.empty()) text = obstacle_to_protocol(config, each, job, cores, sim);
    if (text.empty()) text = obstacle_of_aggregators(each, job, cores, sim);
    if (text.empty()) text = obstacle_of_accelerators(each, cores, sim);
    if (text.empty() && each.is_quantized) text = obstacle_to_quantization(job, cores, sim);
    if (text.empty())
      among.offer(each);
    else
      obstacles += "\n  " + text;
  }
  if (const collective_algorithm* const taken = among.taken()) return *taken;
  throw user_error(config.algorithm_place,
                   fmt::format("no algorithm of these ranks does this {}:{}",
                               name_of(job.collective), obstacles));
}

}  // namespace

std::string obstacle_of_type(const collective_algorithm& algorithm, const collective_case& job) {
  if (algorithm.knows(job)) return {};
  const std::string what = job.adds() ? fmt::format("{} of {}", name_of(job.op), name_of(job.type))
                                      : std::string(name_of(job.type));
  return fmt::format("{} does not know {}: its types are {}, its operators {}", algorithm.name,
                     what, names_of(algorithm.types), names_of(usable_ops(algorithm)));
}

std::string obstacle_to(const collective_algorithm& algorithm, const collective_case& job,
                        const workload_cores& cores) {
  std::string text = obstacle_of_type(algorithm, job);
  if (text.empty()) text = obstacle_of_groups(algorithm, job);
  if (text.empty()) text = obstacle_of_hardware(algorithm, job, cores);
  if (text.empty()) text = obstacle_of_ranks(algorithm, job);
  if (text.empty() && job.is_chained && algorithm.is_software() &&
      !algorithm.chains(job.collective))
    text = fmt::format("the steps of {} are no chain for the DMA engine{}", algorithm.name,
                       advice_on_chains(job.collective));
  if (text.empty() && algorithm.has_fixed_root && job.root != 0 && job.collective != BOOT_REDUCE)
    text = fmt::format("{} by {} has its root at rank 0", name_of(job.collective), algorithm.name);
  return text;
}

const collective_algorithm* algorithm_behind(const std::string& name, boot_collective collective) {
  const collective_algorithm* const named = algorithm_registry::instance().find(name);
  if (named && named->does(collective)) return named;
  if (!named || named->ranks == rank_rule::tiles_of_a_mesh) return nullptr;
  for (const collective_algorithm& each : algorithm_registry::instance().all())
    if (!each.is_named && each.does(collective)) return &each;
  return nullptr;
}

const collective_algorithm& software_for(const collective_case& job,
                                         const collective_config& config,
                                         const workload_cores& cores, simulation& sim) {
  return choose(job, config, cores, sim, true);
}

chosen_algorithm choose_algorithm(const std::string& name, const collective_case& job,
                                  const collective_config& config, const workload_cores& cores,
                                  simulation& sim) {
  if (name == auto_algorithm) return {&choose(job, config, cores, sim), {}};
  const collective_algorithm& chosen = *algorithm_behind(name, config.collective);
  collective_algorithm told = chosen;  // by the name that the netlist has for it
  told.name = name;
  if (const std::string limit = chosen.limit ? chosen.limit(job) : ""; !limit.empty()) {
    if (const std::string lacks = obstacle_of_hardware(told, job, cores); !lacks.empty())
      throw user_error(config.algorithm_place, lacks);
    return {&software_for(job, config, cores, sim), limit};
  }
  std::string obstacle = obstacle_to(told, job, cores);
  if (obstacle.empty()) obstacle = obstacle_of_accelerators(told, cores, sim);
  if (obstacle.empty() && chosen.is_quantized) obstacle = obstacle_to_quantization(job, cores, sim);
  if (!obstacle.empty()) throw user_error(config.algorithm_place, obstacle);
  return {&chosen, {}};
}

}  // namespace heddle
