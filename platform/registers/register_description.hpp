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
  constexpr constant_list(const T* first, std::size_t size) : first_(first), size_(size) {}

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

// What firmware must keep to when it writes a register. only_while is the hardware's own refusal
// and binds every initiator; the others are contracts of the driver.
enum class rule_kind : std::uint8_t {
  only_while,   // a field has one of the values
  never_while,  // a field has none of the values
  after,        // the registers have been written since reset
  after_last,   // the registers have been written since the last write of this one
  cleared,      // a W1C register is clear; or only its bits that the second register enables
  ring,         // the count stays within completed (first) + entries (second)
  fence,        // no store of the same core to memory is still on its way
  multiple_of,  // of the one value
  between       // the two values
};

// Another register, by its place in the same list.
struct register_reference {
  bool in_same_element = false;  // else outside arrays
  std::uint32_t register_index = 0;
};

struct register_rule {
  rule_kind kind;
  constant_list<register_reference> registers{};
  std::uint32_t field_index = 0;  // of the first register
  constant_list<std::uint64_t> values{};
  std::string_view hint{};  // what to do about it, "" for what the kind suggests
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
  bool has_reset = true;  // false: the hardware decides, `reset` is only where the model starts
  unsigned line = 0;      // where the file of the block describes it; 0: unknown
  bool acts = false;      // a write starts, ends or consumes something
  // Ones outside the fields are dropped, for software that probes which bits there are.
  bool ignores_other_bits = false;
  bool read_acts = false;  // a read starts, ends or consumes something, a claim say
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
  std::string_view source{};  // its file, "" where unknown
  // Tells the blocks apart in tables of devices: what its register `id` holds, else a hash of its
  // name.
  std::uint32_t id = 0;
};

}  // namespace heddle
