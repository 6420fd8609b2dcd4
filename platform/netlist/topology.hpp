// Topologies by name. A kind registers itself; the netlist's `topology` key names it, and it
// expands to ordinary arrays of units and links. The platform knows none of them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "platform/unit/parameter.hpp"

namespace heddle {

// What a topology is made of: "leaf", an array of switches, or "uplink", the links of a tier. A key
// of that name describes it in the netlist; `base` names another key whose values hold where that
// one says nothing ("switch", "link").
struct topology_part {
  std::string key;
  std::string base;  // "" without one
  std::string meaning;
};

// A port of an element of an array of units: "port[16]" of "leaf[2]". The index falls away for
// units with one port.
struct topology_end {
  std::string part;
  std::vector<std::uint64_t> indices;
  std::uint64_t port = 0;
};

// What a kind calls while it expands.
class topology_plan {
 public:
  // Sets a key of that part unless the netlist does. Called before what it concerns is added.
  virtual void set_default(const std::string& part, const std::string& key,
                           const std::string& value) = 0;
  // Adds an array of that part's units; an empty shape is a single unit.
  virtual void add_units(const std::string& part, const std::vector<std::uint64_t>& shape) = 0;
  virtual void add_link(const std::string& part, const topology_end& a, const topology_end& b) = 0;
  // What the netlist calls the units of a part: "switch", or "tor" by `names`.
  virtual const std::string& name_of(const std::string& part) const = 0;
  // A top-level section of the netlist, in YAML's flow style, that holds unless the netlist has its
  // own: the routing that suits the topology.
  virtual void suggest_section(const std::string& key, const std::string& value) = 0;
  // The size given for this key does not fit. Throws user_error at the key.
  [[noreturn]] virtual void refuse(const std::string& key, const std::string& message) const = 0;

 protected:
  ~topology_plan() = default;
};

struct topology_type {
  std::string name;
  std::string meaning;
  std::vector<topology_part> units;
  std::vector<topology_part> links;
  std::function<std::unique_ptr<parameter_set>()> make_parameters;
  std::function<void(const parameter_set&, topology_plan&)> expand;
};

class topology_registry {
 public:
  static topology_registry& instance();

  void add(topology_type type);
  const topology_type* find(const std::string& name) const;  // nullptr when there is none
  std::vector<std::string> names() const;                    // sorted

 private:
  std::vector<topology_type> types_;
};

// T has: a parameter_set `parameters`, static parts units() and links(), and
// static void expand(const parameters&, topology_plan&).
template <class T>
topology_type describe_topology(std::string name, std::string meaning) {
  topology_type type;
  type.name = std::move(name);
  type.meaning = std::move(meaning);
  type.units = T::units();
  type.links = T::links();
  type.make_parameters = [] { return std::make_unique<typename T::parameters>(); };
  type.expand = [](const parameter_set& set, topology_plan& plan) {
    T::expand(static_cast<const typename T::parameters&>(set), plan);
  };
  return type;
}

#define HEDDLE_REGISTER_TOPOLOGY(identifier, ...)                      \
  [[maybe_unused]] static const bool identifier##_is_registered = [] { \
    ::heddle::topology_registry::instance().add(__VA_ARGS__);          \
    return true;                                                       \
  }()

}  // namespace heddle
