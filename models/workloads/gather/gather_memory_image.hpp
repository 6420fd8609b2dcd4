// The operands of a gather in the memories of its nodes, and whether what was gathered is right:
// described by gather_content, or written byte for byte where memories are real.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/workloads/gather/gather_content.hpp"
#include "models/workloads/gather/gather_system.hpp"

namespace heddle {

class gather_memory_image {
 public:
  gather_memory_image(const gather_system& system, const nonzero_source& matrix,
                      std::uint32_t length, const gather_layout& layout, std::uint64_t seed,
                      bool is_described);
  ~gather_memory_image();
  gather_memory_image(const gather_memory_image&) = delete;
  gather_memory_image& operator=(const gather_memory_image&) = delete;

  void write() const;
  // What is wrong with the properties of a node; "" when all that it wants are there.
  std::string mistake_of(std::uint32_t node) const;

 private:
  void write_node(std::uint32_t node) const;
  std::string compare_node(std::uint32_t node) const;
  std::vector<column_index> columns_of(std::uint32_t node) const;

  const gather_system& system_;
  const nonzero_source& matrix_;
  const std::uint32_t length_;
  const gather_layout layout_;
  const std::uint64_t seed_;
  std::vector<std::unique_ptr<gather_content>> described_;  // by node; none: memories are real
};

}  // namespace heddle
