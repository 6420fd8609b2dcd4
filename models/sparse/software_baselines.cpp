#include "models/sparse/software_baselines.hpp"

namespace heddle {

double suopt_seconds(std::uint64_t properties, std::uint32_t nodes, std::uint64_t property_bytes,
                     const software_machine& machine) {
  const double foreign = static_cast<double>(properties) * (nodes - 1.0) / nodes;
  return foreign * static_cast<double>(property_bytes) / machine.link;
}

std::vector<double> saopt_seconds(const matrix_structure& structure,
                                  const software_machine& machine) {
  std::vector<double> seconds;
  for (const node_structure& each : structure.nodes)
    seconds.push_back(static_cast<double>(each.largest_slice) * machine.request_overhead);
  return seconds;
}

}  // namespace heddle
