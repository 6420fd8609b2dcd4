#include "platform/registers/cell_trace.hpp"

#include <fmt/format.h>

#include "platform/registers/field_text.hpp"

namespace heddle {
namespace {

// Wider fields make a table of names too long.
constexpr unsigned widest_state = 6;

trace_states names_of(const field_description& field) {
  std::vector<std::string> names;
  for (std::uint64_t value = 0; value < std::uint64_t{1} << field.width; ++value)
    names.push_back(value_text(field, value));
  return trace_states(std::move(names));
}

}  // namespace

cell_trace::cell_trace(const register_description& of, const trace_scope& scope) {
  if (of.fields.size() == 0)
    fields_.push_back(
        {~std::uint64_t{0}, 0, {}, scope.vector(of.name, static_cast<int>(of.width))});
  for (const field_description& field : of.fields) {
    traced_field traced{field.mask(), field.low, {}, {}};
    const std::string leaf = fmt::format("{}_{}", of.name, field.name);
    if (field.values.size() != 0 && field.width <= widest_state)
      traced.state = scope.state<named_value>(leaf, names_of(field));
    else
      traced.number = scope.vector(leaf, static_cast<int>(field.width));
    fields_.push_back(traced);
  }
}

void cell_trace::show(std::uint64_t value) const {
  const fs_t now = now_fs();
  for (const traced_field& each : fields_) {
    const std::uint64_t bits = (value & each.mask) >> each.low;
    each.state.set(static_cast<named_value>(bits), now);
    each.number.set(bits, now);
  }
}

}  // namespace heddle
