#include "tools/regs/parse_field.hpp"

#include <fmt/format.h>

#include <utility>

#include "platform/text/number.hpp"
#include "platform/text/quote.hpp"
#include "platform/yaml/mapping.hpp"
#include "platform/yaml/value.hpp"
#include "tools/regs/naming.hpp"
#include "tools/regs/parse_register.hpp"

namespace heddle::regs {
namespace {

unsigned bit_number(std::string_view text, const yaml_node& bits) {
  try {
    const std::uint64_t number = parse_unsigned(text);
    if (number < 64) return static_cast<unsigned>(number);
  } catch (const quantity_error&) {
    // Said below, with what was expected instead.
  }
  throw user_error(bits.place(), fmt::format("bits {} are neither \"high:low\" nor one bit number",
                                             quoted(bits.text())));
}

// "7:4" or "3".
void parse_bits(const yaml_node& node, field& result, const reg& owner) {
  const std::string text = as_text(node);
  const std::size_t colon = text.find(':');
  const unsigned high = bit_number(text.substr(0, colon), node);
  result.low = colon == std::string::npos ? high : bit_number(text.substr(colon + 1), node);
  if (result.low > high) {
    throw user_error(node.place(), fmt::format("bits {} have the low bit first (write \"{}:{}\")",
                                               quoted(text), result.low, high));
  }
  if (high >= owner.width) {
    throw user_error(node.place(),
                     fmt::format("bit {} of field '{}' is beyond the {} bits of register '{}'",
                                 high, result.name, owner.width, owner.name));
  }
  result.width = high - result.low + 1;
}

std::vector<named_value> parse_values(const yaml_node& node, const field& owner) {
  if (!node.is_mapping() || node.entries().empty()) {
    throw user_error(node.place(), "values must be a mapping of names to numbers");
  }
  std::vector<named_value> values;
  for (const yaml_entry& entry : node.entries()) {
    named_value one;
    one.name = upper_case_name(entry.key, entry.key_place);
    one.value = as_unsigned(entry.value);
    one.place = entry.key_place;
    if (owner.width < 64 && one.value >> owner.width != 0) {
      throw user_error(entry.value.place(),
                       fmt::format("value {} of '{}' does not fit field '{}', bits {}", one.value,
                                   one.name, owner.name, bits_text(owner)));
    }
    for (const named_value& other : values) {
      if (other.value != one.value) continue;
      throw user_error(entry.value.place(),
                       fmt::format("'{}' and '{}' of field '{}' are both {}", other.name, one.name,
                                   owner.name, one.value));
    }
    values.push_back(std::move(one));
  }
  return values;
}

// A field refines what its register allows, it does not contradict it.
void check_access(const field& one, const reg& owner, const source_place& place) {
  const bool reads_more = is_readable(one.access) && !is_readable(owner.access);
  const bool writes_more = is_writable(one.access) && !is_writable(owner.access);
  if (!reads_more && !writes_more) return;
  throw user_error(place, fmt::format("field '{}' is {}, but register '{}' is {}", one.name,
                                      text_of(one.access), owner.name, text_of(owner.access)));
}

void check_overlap(const std::vector<field>& before, const field& one) {
  for (const field& other : before) {
    if ((other.mask() & one.mask()) == 0) continue;
    throw user_error(one.place,
                     fmt::format("field '{}' overlaps field '{}'", one.name, other.name));
  }
}

field parse_field(const yaml_node& node, const reg& owner) {
  yaml_mapping mapping(node, "field");
  field result;
  const yaml_node name = mapping.required("name");
  result.place = name.place();
  result.name = snake_case_name(name);
  parse_bits(mapping.required("bits"), result, owner);
  result.meaning = meaning(mapping.required("meaning"));
  result.access = owner.access;
  if (const auto kind = mapping.optional("access")) {
    result.access = access(*kind);
    check_access(result, owner, kind->place());
  }
  if (const auto values = mapping.optional("values")) result.values = parse_values(*values, result);
  mapping.finish();
  return result;
}

}  // namespace

std::vector<field> parse_fields(const yaml_node& node, const reg& owner) {
  std::vector<field> fields;
  for (const yaml_node& item : list_of(node, "fields")) {
    field one = parse_field(item, owner);
    check_overlap(fields, one);
    fields.push_back(std::move(one));
  }
  return fields;
}

}  // namespace heddle::regs
