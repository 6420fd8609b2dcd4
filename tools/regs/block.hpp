// A *.regs.yaml as it was written: what the generator knows of a block of registers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/registers/register_description.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/yaml/node.hpp"

namespace heddle::regs {

// Everything is small enough for 32-bit offsets and for a table of its words.
inline constexpr std::uint64_t block_size_limit = std::uint64_t{16} << 20;

struct named_value {
  std::string name;
  std::uint64_t value = 0;
  source_place place;
};

struct field {
  std::string name;
  std::string meaning;
  unsigned low = 0;
  unsigned width = 1;
  register_access access = register_access::RW;
  std::vector<named_value> values;
  source_place place;

  std::uint64_t mask() const { return (~std::uint64_t{0} >> (64 - width)) << low; }
};

// {only_while: {field: status.state, is: IDLE}}: as written, then what it refers to.
struct rule {
  rule_kind kind = rule_kind::only_while;
  source_place place;
  std::vector<yaml_node> subjects;  // a field, or registers
  std::vector<yaml_node> given;     // values of the field
  std::string hint;

  std::vector<register_reference> registers;
  std::size_t field_index = 0;
  std::vector<std::uint64_t> values;
};

struct reg {
  std::string name;
  std::string meaning;
  std::uint64_t offset = 0;
  unsigned width = 32;
  register_access access = register_access::RW;
  register_sync sync = register_sync::never;
  std::uint64_t reset = 0;
  bool has_reset = true;   // false: firmware only reads it, and nothing is said about its start
  bool acts = false;       // `acts: true`: a write starts, ends or consumes something
  bool read_acts = false;  // `read_acts: true`: the same of a read
  bool ignores_other_bits = false;  // `other_bits: ignored`: outside its fields; else `reserved`
  std::vector<field> fields;
  std::vector<rule> rules;
  source_place place;

  unsigned bytes() const { return width / 8; }
};

struct reg_array {
  std::string name;
  std::uint64_t offset = 0;
  std::uint64_t count = 0;
  std::uint64_t stride = 0;
  std::vector<reg> registers;
  source_place place;
};

struct block {
  std::string name;
  std::string meaning;
  std::uint64_t size = 0;
  std::vector<reg> registers;
  std::vector<reg_array> arrays;
  source_place place;
};

// Tells blocks apart in tables of devices: what the register `id` at the start of the block holds,
// else a hash of the block's name (FNV-1a).
std::uint32_t id_of(const block& of);

// visit(const reg&, const reg_array*), the array being nullptr outside arrays; in written order.
template <class Visit>
void for_each_register(const block& of, Visit visit) {
  for (const reg& one : of.registers) visit(one, static_cast<const reg_array*>(nullptr));
  for (const reg_array& array : of.arrays) {
    for (const reg& one : array.registers) visit(one, &array);
  }
}

inline const char* text_of(register_access access) {
  constexpr const char* names[] = {"RO", "WO", "RW", "W1C", "W1S", "RC"};
  return names[static_cast<int>(access)];
}

inline const char* text_of(rule_kind kind) {
  constexpr const char* names[] = {"only_while", "never_while", "after",
                                   "after_last", "cleared",     "ring",
                                   "fence",      "multiple_of", "between"};
  return names[static_cast<int>(kind)];
}

inline const char* text_of(register_sync sync) {
  constexpr const char* names[] = {"never", "read", "write", "always"};
  return names[static_cast<int>(sync)];
}

}  // namespace heddle::regs
