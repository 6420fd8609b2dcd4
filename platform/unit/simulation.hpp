// What the units of one run share: settings that hold for the whole netlist, the trace, run
// control, and services that a layer above the platform keeps for its own units.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <typeindex>
#include <vector>

#include "platform/contracts/contract_settings.hpp"
#include "platform/trace/trace_stream.hpp"

namespace heddle {

class unit;

struct simulation_settings {
  std::uint64_t seed = 1;
  std::uint32_t train = 1;  // back-to-back packets that one packet object stands for
  bool carries_data = true;
  bool has_monitors = false;
  contract_settings contracts;
  bool covers_registers = false;  // counts what happens to each of them
  std::string folder;             // of the netlist: files that it names lie there
};

class simulation {
 public:
  explicit simulation(const simulation_settings& settings, const trace_selection& traced = {})
      : settings_(settings), trace_(traced) {}
  simulation(const simulation&) = delete;
  simulation& operator=(const simulation&) = delete;

  const simulation_settings& settings() const { return settings_; }
  trace_stream& trace() { return trace_; }

  const std::vector<unit*>& units() const { return units_; }
  void add_unit(unit& added) { units_.push_back(&added); }
  unit* find_unit(const std::string& path) const;

  // The one T of this run, default-constructed at first use.
  template <class T>
  T& service() {
    auto& known = services_[std::type_index(typeid(T))];
    if (!known) known = std::make_shared<T>();
    return *static_cast<T*>(known.get());
  }

 private:
  simulation_settings settings_;
  trace_stream trace_;
  std::vector<unit*> units_;
  std::map<std::type_index, std::shared_ptr<void>> services_;
};

}  // namespace heddle
