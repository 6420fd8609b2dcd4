// Unit types by name. A model registers itself; the netlist names it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "platform/unit/literals.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {

struct port_description {
  std::string name;  // "port[ports]"
  std::string kind;  // "packet", "memory target", ...
  std::string meaning;
};

struct unit_type {
  std::string name;
  std::string meaning;
  std::vector<port_description> ports;
  std::function<std::unique_ptr<parameter_set>()> make_parameters;
  std::function<std::unique_ptr<statistic_set>()> make_statistics;
  std::function<std::unique_ptr<unit>(const unit_context&, const parameter_set&)> make;
  std::string registers_markdown;  // generated table, "" for a unit without registers
};

// Link types by the kind of port that they join ("packet"): their parameters.
struct link_type {
  std::string kind;
  std::string meaning;
  std::function<std::unique_ptr<parameter_set>()> make_parameters;
};

class registry {
 public:
  static registry& instance();

  void add(unit_type type);
  void add(link_type type);

  const unit_type* find_unit_type(const std::string& name) const;
  const link_type* find_link_type(const std::string& kind) const;
  std::vector<std::string> unit_type_names() const;  // sorted
  const std::vector<link_type>& link_types() const { return links_; }

 private:
  std::vector<unit_type> types_;
  std::vector<link_type> links_;
};

// U has: struct parameters, struct counters, static port_descriptions(),
// and a constructor (const unit_context&, const parameters&).
template <class U>
unit_type describe_unit(std::string name, std::string meaning, std::string registers = {}) {
  unit_type type;
  type.name = std::move(name);
  type.meaning = std::move(meaning);
  type.ports = U::port_descriptions();
  type.make_parameters = [] { return std::make_unique<typename U::parameters>(); };
  type.make_statistics = [] { return std::make_unique<typename U::counters>(); };
  type.make = [](const unit_context& context, const parameter_set& set) -> std::unique_ptr<unit> {
    return std::make_unique<U>(context, static_cast<const typename U::parameters&>(set));
  };
  type.registers_markdown = std::move(registers);
  return type;
}

#define HEDDLE_REGISTER_UNIT(identifier, ...)                          \
  [[maybe_unused]] static const bool identifier##_is_registered = [] { \
    ::heddle::registry::instance().add(__VA_ARGS__);                   \
    return true;                                                       \
  }()

}  // namespace heddle
