// What a block of registers looks like: the constants that the code generator (tools/regs) writes
// from a *.regs.yaml. Everything is static storage, and nothing here needs SystemC.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle {

// W1C: writing 1 clears; W1S: writing 1 sets; RC: reading clears.
enum class register_access : std::uint8_t { RO, WO, RW, W1C, W1S, RC };

constexpr bool is_readable(register_access access) {
  return access != register_access::WO;
}
constexpr bool is_writable(register_access access) {
  return access != register_access::RO && access != register_access::RC;
}

// Which accesses of a loosely timed initiator first wait for the time it has run ahead.
enum class register_sync : std::uint8_t { never, read, write, always };

// A view of a constant array.
template <class T>
class constant_list {
 public:
  constexpr constant_list() = default;
  template <std::size_t count>
  constexpr constant_list(const T (&items)[count]) : first_(items), size_(count) {}

  constexpr const T* begin() const { return first_; }
  constexpr const T* end() const { return first_ + size_; }
  constexpr std::size_t size() const { return size_; }
  constexpr const T& operator[](std::size_t index) const { return first_[index]; }

 private:
  const T* first_ = nullptr;
  std::size_t size_ = 0;
};

struct value_description {
  std::string_view name;
  std::uint64_t value;
};

struct field_description {
  std::string_view name;
  std::string_view meaning;
  unsigned low;  // position of the least significant bit
  unsigned width;
  register_access access;
  constant_list<value_description> values{};

  constexpr std::uint64_t mask() const { return (~std::uint64_t{0} >> (64 - width)) << low; }
};

// A write is allowed only while a field of another register has one of these values.
struct register_rule {
  bool in_same_element;  // else the other register is one outside arrays
  std::uint32_t register_index;
  std::uint32_t field_index;
  constant_list<std::uint64_t> allowed;
};

struct register_description {
  std::string_view name;
  std::string_view meaning;
  std::uint32_t offset;  // from the start of the block, or of the array's element
  unsigned width;        // 32 or 64
  register_access access;
  register_sync sync;
  std::uint64_t reset;
  constant_list<field_description> fields{};  // none: all bits are one value
  constant_list<register_rule> rules{};
};

struct register_array_description {
  std::string_view name;
  std::uint32_t offset;
  std::uint32_t count;
  std::uint32_t stride;
  constant_list<register_description> registers;
};

struct register_file_description {
  std::string_view name;
  std::string_view meaning;
  std::uint32_t size;  // bytes
  constant_list<register_description> registers{};
  constant_list<register_array_description> arrays{};
};

}  // namespace heddle
