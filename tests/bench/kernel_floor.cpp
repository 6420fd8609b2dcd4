#include "tests/bench/kernel_floor.hpp"

#include "tests/bench/measurement.hpp"

namespace heddle {

kernel_floor::kernel_floor(sc_core::sc_module_name name, int processes, fs_t mean_delay)
    : sc_module(name), mean_delay_(mean_delay) {
  for (int i = 0; i < processes; ++i) {
    sleeper& added = sleepers_.emplace_back(*this);
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.dont_initialize();
    options.set_sensitivity(&added.wake);
    sc_core::sc_spawn([&added] { added.activate(); }, sc_core::sc_gen_unique_name("sleeper"),
                      &options);
  }
}

void kernel_floor::sleeper::activate() {
  ++owner.activations_;
  if (owner.is_running_) wake.notify(owner.random_delay());
}

double kernel_floor::run(std::uint64_t activations) {
  const double before = cpu_seconds();
  activations_ = 0;
  is_running_ = true;
  for (sleeper& each : sleepers_) each.wake.notify(random_delay());
  sc_core::sc_start(to_sc_time(activations * mean_delay_ / sleepers_.size()));
  is_running_ = false;
  sc_core::sc_start();  // the last notification of each
  return (cpu_seconds() - before) / static_cast<double>(activations_);
}

}  // namespace heddle
