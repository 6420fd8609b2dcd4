// One register of one instance in the waves: a signal for each field, those with names as states,
// or one for a register without fields. Only in runs that ask for it.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/registers/register_description.hpp"
#include "platform/trace/trace_scope.hpp"

namespace heddle {

class cell_trace {
 public:
  // scope: of the unit's registers, or of the element of an array.
  cell_trace(const register_description& of, const trace_scope& scope);

  void show(std::uint64_t value) const;

 private:
  enum class named_value : std::uint64_t {};
  struct traced_field {
    std::uint64_t mask;
    unsigned low;
    trace_signal<named_value> state;  // either
    trace_signal<std::uint64_t> number;
  };

  std::vector<traced_field> fields_;
};

}  // namespace heddle
