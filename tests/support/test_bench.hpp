// A system put together by hand, as the netlist builder would: units, links, binds, stimuli at
// stated times. One bench a process: the kernel elaborates only once.
#pragma once

#include <catch2/catch.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "platform/netlist/builder.hpp"
#include "platform/services/run_control.hpp"
#include "platform/time/kernel_run.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/packet/link_parameters.hpp"

namespace heddle {

class test_bench {
 public:
  explicit test_bench(const simulation_settings& settings = {}) : sim(settings) {}

  template <class U>
  U& add(const std::string& path,
         const std::function<void(typename U::parameters&)>& configure = {}) {
    typename U::parameters parameters;
    if (configure) configure(parameters);
    return keep<U>(std::make_unique<U>(unit_context(path, sim), parameters));
  }
  // A unit of a test, which needs no parameter set.
  template <class U, class... Arguments>
  U& add_stimulus(const std::string& path, Arguments&&... arguments) {
    return keep<U>(
        std::make_unique<U>(unit_context(path, sim), std::forward<Arguments>(arguments)...));
  }

  void link(unit& a, const std::string& port_a, unit& b, const std::string& port_b,
            const std::function<void(link_parameters&)>& configure = {}) {
    link_parameters parameters;
    if (configure) configure(parameters);
    port_of(a, port_a).connect(port_of(b, port_b), &parameters);
  }
  void bind(unit& from, const std::string& from_port, unit& to, const std::string& to_port) {
    port_of(from, from_port).connect(port_of(to, to_port), nullptr);
  }
  void map(address_decoder& bus, std::uint64_t base, std::uint64_t size, unit& to,
           const std::string& to_port, bool is_absolute = false) {
    bus.add_range(base, size, is_absolute).connect(port_of(to, to_port), nullptr);
  }

  // A process that starts with the simulation. It must not throw: the kernel stops at exceptions.
  // It must end within run(), or what it checks behind a call that never returns would not count.
  void thread(std::function<void()> body) {
    ++threads_;
    thread_that_may_hang([this, body = std::move(body)] {
      body();
      ++ended_threads_;
    });
  }
  // The same, for a process that waits for what does not come.
  void thread_that_may_hang(std::function<void()> body) { sc_core::sc_spawn(std::move(body)); }
  void at(fs_t when, const std::function<void()>& action) {
    thread([when, action] {
      if (when > 0) sc_core::wait(to_sc_time(when));
      action();
    });
  }

  // Until nothing happens any more, or somebody stops the run.
  void run() {
    connect_all();
    run_kernel();
    REQUIRE(ended_threads_ == threads_);
  }
  void run_for(fs_t time) {
    connect_all();
    run_kernel_for(time);
  }

  const std::vector<std::string>& failures() { return sim.service<run_control>().failures(); }

  simulation sim;

 private:
  template <class U>
  U& keep(std::unique_ptr<U> made) {
    U& kept = *made;
    units_.push_back(std::move(made));
    return kept;
  }
  static port& port_of(unit& owner, const std::string& name) {
    port* found = owner.find_port(name);
    if (!found) throw user_error(owner.path() + " has no port " + name);
    return *found;
  }
  void connect_all() {
    if (is_connected_) return;
    is_connected_ = true;
    for (unit* each : sim.units()) each->on_connected();
  }

  std::vector<std::unique_ptr<unit>> units_;
  bool is_connected_ = false;
  int threads_ = 0;
  int ended_threads_ = 0;
};

}  // namespace heddle
