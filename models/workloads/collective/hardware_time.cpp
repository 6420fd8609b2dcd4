#include "models/workloads/collective/hardware_time.hpp"

#include <algorithm>

#include "models/inc/isa/isa.hpp"
#include "models/workloads/collective/hardware_window.hpp"
#include "models/workloads/collective/work_of_core.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

// Of instructions that rank 0 writes to the accelerators across the fabric first, one after the
// other: a way for each and another to learn that they are all there, and the words of each, with
// an address for each rank. Measured with yaml/scin_dgx8.yaml, 2 to 8 ranks and 1 and 4 switches.
double time_on_demand(const collective_case& job, const collective_config& config,
                      const hardware_view& on) {
  constexpr double instruction_s = 0.15e-6, address_s = 0.125e-6;
  const std::vector<unit*>& units = on.sim.units();
  const auto accelerators = std::count_if(units.begin(), units.end(), [](const unit* each) {
    return dynamic_cast<const isa_unit*>(each) != nullptr;
  });
  const bool is_cut = job.collective == BOOT_REDUCE_SCATTER || job.collective == BOOT_ALLGATHER;
  const auto ranks = static_cast<double>(job.ranks);
  const double instructions = is_cut ? ranks : 1;
  const double words = work_of(*on.cores.ranks.front(), instruction_s + ranks * address_s);
  return static_cast<double>(accelerators) * static_cast<double>(config.streams) *
         (instructions * (on.way + words) + on.way);
}

}  // namespace

double hardware_time(const collective_algorithm& by, const collective_case& job,
                     const collective_config& config, const hardware_view& on) {
  if (!by.ways) return 0;
  // Of the core of a rank; measured with yaml/scin_dgx8.yaml, yaml/nvls_h100.yaml and
  // yaml/tree_allreduce.yaml.
  constexpr double hardware_s = 0.6e-6;
  const double rate = rate_of_hardware(by, job, on.cores, on.sim);
  if (rate == 0) return 0;
  const double time = by.ways(job) * on.way + by.ways_in_pod * on.way_to_next +
                      work_of(*on.cores.ranks.front(), hardware_s) +
                      static_cast<double>(job.bytes) / rate +
                      waits_for_windows(by, job, config, on, rate);
  return config.is_on_demand && by.has_streams ? time + time_on_demand(job, config, on) : time;
}

}  // namespace heddle
