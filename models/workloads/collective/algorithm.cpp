#include "models/workloads/collective/algorithm.hpp"

#include <algorithm>
#include <stdexcept>

namespace heddle {
namespace {

template <class T>
bool contains(const std::vector<T>& all, const T& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

bool collective_algorithm::does(boot_collective collective) const {
  return contains(collectives, collective);
}

bool collective_algorithm::needs_of_ranks(const std::string& device) const {
  return contains(needs, device);
}

bool collective_algorithm::needs_of_setup(const std::string& device) const {
  return contains(setup_needs, device);
}

bool collective_algorithm::knows(const collective_case& of) const {
  if (!of.adds()) return moves_any_type || contains(types, of.type);
  return contains(types, of.type) && contains(ops, of.op);
}

algorithm_registry& algorithm_registry::instance() {
  static algorithm_registry all;
  return all;
}

void algorithm_registry::add(collective_algorithm algorithm) {
  const auto place =
      std::lower_bound(all_.begin(), all_.end(), algorithm,
                       [](const auto& a, const auto& b) { return a.number < b.number; });
  all_.insert(place, std::move(algorithm));
}

const collective_algorithm* algorithm_registry::find(const std::string& name) const {
  for (const collective_algorithm& each : all_)
    if (each.name == name) return &each;
  return nullptr;
}

const collective_algorithm& algorithm_registry::of(std::uint32_t number) const {
  for (const collective_algorithm& each : all_)
    if (each.number == number) return each;
  throw std::logic_error("a job has an algorithm that nobody has registered");
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

wire_load load_of_full_wires(const collective_case& of, std::uint64_t) {
  const double factor = bus_factor(of.collective, static_cast<double>(of.ranks));
  return {factor, factor};
}

}  // namespace heddle
