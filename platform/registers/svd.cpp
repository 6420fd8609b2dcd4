#include "platform/registers/svd.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "platform/registers/xml_writer.hpp"

namespace heddle {
namespace {

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

const char* access_text(register_access access) {
  if (!is_writable(access)) return "read-only";
  return is_readable(access) ? "read-write" : "write-only";
}

// Elements in the order of the schema: access, what a write does, what may be written, what a read
// does.
void write_modified_values(xml_writer& xml, register_access access) {
  if (access == register_access::W1C) xml.element("modifiedWriteValues", "oneToClear");
  if (access == register_access::W1S) xml.element("modifiedWriteValues", "oneToSet");
}

void write_read_action(xml_writer& xml, register_access access) {
  if (access == register_access::RC) xml.element("readAction", "clear");
}

void write_values(xml_writer& xml, const field_description& field) {
  if (field.values.size() == 0) return;
  xml.open("enumeratedValues");
  for (const value_description& each : field.values) {
    xml.open("enumeratedValue");
    xml.element("name", each.name);
    xml.hex("value", each.value);
    xml.close();
  }
  xml.close();
}

void write_field(xml_writer& xml, const field_description& field) {
  xml.open("field");
  xml.element("name", field.name);
  xml.element("description", field.meaning);
  xml.number("bitOffset", field.low);
  xml.number("bitWidth", field.width);
  xml.element("access", access_text(field.access));
  write_modified_values(xml, field.access);
  if (is_writable(field.access) && field.values.size() != 0) {
    xml.open("writeConstraint");
    xml.element("useEnumeratedValues", "true");
    xml.close();
  }
  write_read_action(xml, field.access);
  write_values(xml, field);
  xml.close();
}

void write_range(xml_writer& xml, const register_description& one) {
  for (const register_rule& rule : one.rules) {
    if (rule.kind != rule_kind::between) continue;
    xml.open("writeConstraint");
    xml.open("range");
    xml.hex("minimum", rule.values[0]);
    xml.hex("maximum", rule.values[1]);
    xml.close();
    xml.close();
    return;
  }
}

void write_register(xml_writer& xml, const register_description& one) {
  xml.open("register");
  xml.element("name", one.name);
  xml.element("description", one.meaning);
  xml.hex("addressOffset", one.offset);
  xml.number("size", one.width);
  xml.element("access", access_text(one.access));
  xml.hex("resetValue", one.reset);
  xml.hex("resetMask", one.has_reset ? ~std::uint64_t{0} >> (64 - one.width) : 0);
  // Fields say for themselves what becomes of their bits.
  if (one.fields.size() == 0) write_modified_values(xml, one.access);
  write_range(xml, one);
  if (one.read_acts)
    xml.element("readAction", "modify");
  else if (one.fields.size() == 0)
    write_read_action(xml, one.access);
  if (one.fields.size() != 0) {
    xml.open("fields");
    for (const field_description& each : one.fields) write_field(xml, each);
    xml.close();
  }
  xml.close();
}

void write_array(xml_writer& xml, const register_array_description& array) {
  xml.open("cluster");
  xml.number("dim", array.count);
  xml.hex("dimIncrement", array.stride);
  xml.element("name", fmt::format("{}[%s]", array.name));
  xml.element("description", fmt::format("{} of {}", array.name, array.count));
  xml.hex("addressOffset", array.offset);
  for (const register_description& each : array.registers) write_register(xml, each);
  xml.close();
}

// Names of interrupts are those of the whole device.
void write_interrupts(xml_writer& xml, const svd_peripheral& one, const std::string& name) {
  for (const svd_interrupt& each : one.interrupts) {
    xml.open("interrupt");
    xml.element("name", name + "_" + identifier_of(each.name));
    xml.element("description", fmt::format("{}.{}", one.path, each.name));
    xml.number("value", each.value);
    xml.close();
  }
}

void write_peripheral(xml_writer& xml, const svd_peripheral& one, const std::string& name) {
  xml.open("peripheral");
  xml.element("name", name);
  xml.element("description", fmt::format("{}: {}", one.path, one.block->meaning));
  xml.element("groupName", one.block->name);
  xml.hex("baseAddress", one.base);
  xml.open("addressBlock");
  xml.hex("offset", 0);
  xml.hex("size", one.block->size);
  xml.element("usage", "registers");
  xml.close();
  write_interrupts(xml, one, name);
  xml.open("registers");
  for (const register_description& each : one.block->registers) write_register(xml, each);
  for (const register_array_description& each : one.block->arrays) write_array(xml, each);
  xml.close();
  xml.close();
}

void write_derived(xml_writer& xml, const svd_peripheral& one, const std::string& name,
                   const std::string& from) {
  xml.open("peripheral", fmt::format("derivedFrom=\"{}\"", from));
  xml.element("name", name);
  xml.element("description", fmt::format("{}: {}", one.path, one.block->meaning));
  xml.hex("baseAddress", one.base);
  write_interrupts(xml, one, name);
  xml.close();
}

}  // namespace

std::string identifier_of(const std::string& path) {
  std::string name;
  for (const char c : path) {
    if (is_alphanumeric(c))
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  const bool starts_well = !name.empty() && (name[0] < '0' || name[0] > '9');
  return starts_well ? name : "_" + name;
}

std::string svd_text(const svd_device& device) {
  xml_writer xml;
  xml.open("device", "schemaVersion=\"1.3\"");
  xml.element("name", identifier_of(device.name));
  xml.element("version", "1.0");
  xml.element("description", device.description);
  xml.number("addressUnitBits", 8);
  xml.number("width", 64);
  xml.open("peripherals");
  // By block, with or without interrupts: whoever is derived has those of the first, if it says
  // none.
  std::map<std::pair<const register_file_description*, bool>, std::string> written;
  std::map<std::string, int> used;  // paths that differ may have one identifier
  for (const svd_peripheral& each : device.peripherals) {
    std::string name = identifier_of(each.path);
    if (const int before = used[name]++; before > 0) name += fmt::format("_{}", before);
    const auto [first, is_new] =
        written.emplace(std::pair(each.block, each.interrupts.empty()), name);
    if (is_new)
      write_peripheral(xml, each, name);
    else
      write_derived(xml, each, name, first->second);
  }
  xml.close();
  xml.close();
  return xml.text();
}

}  // namespace heddle
