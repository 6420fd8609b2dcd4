// A block as the platform describes it, for what reads register_file_description.
#pragma once

#include <deque>
#include <vector>

#include "platform/registers/register_description.hpp"
#include "tools/regs/block.hpp"

namespace heddle::regs {

// Owns what the description points to; names and meanings stay those of the block, which must
// outlive it. Of the rules only `between` is there: the others refer to other registers.
class described_block {
 public:
  explicit described_block(const block& of);
  described_block(const described_block&) = delete;
  described_block& operator=(const described_block&) = delete;

  const register_file_description& description() const { return description_; }

 private:
  constant_list<value_description> describe(const std::vector<named_value>& values);
  constant_list<field_description> describe(const std::vector<field>& fields);
  constant_list<register_rule> describe(const std::vector<rule>& rules);
  constant_list<register_description> describe(const std::vector<reg>& registers);

  std::deque<std::vector<value_description>> values_;
  std::deque<std::vector<field_description>> fields_;
  std::deque<std::vector<register_rule>> rules_;
  std::deque<std::vector<register_description>> registers_;
  std::vector<register_array_description> arrays_;
  register_file_description description_;
};

}  // namespace heddle::regs
