// A block of an SVD file against the *.regs.yaml that it was made of.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "tests/support/svd_reader.hpp"
#include "tools/regs/block.hpp"

namespace heddle {

inline const char* svd_access(register_access access) {
  switch (access) {
    case register_access::RO:
    case register_access::RC:
      return "read-only";
    case register_access::WO:
      return "write-only";
    default:
      return "read-write";
  }
}

inline const char* svd_modified_write(register_access access) {
  if (access == register_access::W1C) return "oneToClear";
  return access == register_access::W1S ? "oneToSet" : "";
}

inline void check_svd_field(const svd_field& seen, const regs::field& of) {
  INFO("field " << of.name);
  CHECK(seen.name == of.name);
  CHECK(seen.description == of.meaning);
  CHECK(seen.low == of.low);
  CHECK(seen.width == of.width);
  CHECK(seen.access == std::string(svd_access(of.access)));
  CHECK(seen.modified_write == svd_modified_write(of.access));
  CHECK(seen.read_action == (of.access == register_access::RC ? "clear" : ""));
  CHECK(seen.values.size() == of.values.size());
  CHECK(seen.is_limited_to_values == (is_writable(of.access) && !of.values.empty()));
  for (const regs::named_value& value : of.values) {
    REQUIRE(seen.values.count(value.name) == 1);
    CHECK(seen.values.at(value.name) == value.value);
  }
}

inline void check_svd_register(const svd_register& seen, const regs::reg& of,
                               std::uint64_t address) {
  CHECK(seen.address == address);
  CHECK(seen.description == of.meaning);
  CHECK(seen.width == of.width);
  CHECK(seen.access == std::string(svd_access(of.access)));
  CHECK(seen.reset == of.reset);
  CHECK(seen.reset_mask == (of.has_reset ? ~std::uint64_t{0} >> (64 - of.width) : 0));
  const bool is_plain = of.fields.empty();
  CHECK(seen.modified_write == (is_plain ? svd_modified_write(of.access) : ""));
  CHECK(seen.read_action == (of.read_acts                                   ? "modify"
                             : is_plain && of.access == register_access::RC ? "clear"
                                                                            : ""));
  REQUIRE(seen.fields.size() == of.fields.size());
  for (std::size_t i = 0; i < of.fields.size(); ++i) check_svd_field(seen.fields[i], of.fields[i]);
  for (const regs::rule& rule : of.rules)
    if (rule.kind == rule_kind::between) CHECK(seen.range == rule.values);
}

// Returns how many registers there are.
inline std::size_t check_svd_block(const svd_file& seen, const std::string& peripheral,
                                   std::uint64_t base, const regs::block& of) {
  std::size_t count = 0;
  for_each_register(of, [&](const regs::reg& one, const regs::reg_array* array) {
    for (std::uint64_t i = 0; i < (array ? array->count : 1); ++i) {
      std::string name = peripheral + ".";
      std::uint64_t address = base + one.offset;
      if (array) {
        name += array->name + "[" + std::to_string(i) + "].";
        address += array->offset + i * array->stride;
      }
      name += one.name;
      INFO(name);
      const svd_register* const found = seen.find(name);
      REQUIRE(found);
      check_svd_register(*found, one, address);
      ++count;
    }
  });
  return count;
}

}  // namespace heddle
