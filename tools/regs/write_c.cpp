// C11 without bit-fields, which also compiles as C++: offsets, masks and positions, values, resets,
// and a struct over the block whose every offset is asserted.
#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "tools/regs/escape.hpp"
#include "tools/regs/naming.hpp"
#include "tools/regs/write.hpp"

namespace heddle::regs {
namespace {

// A constant as wide as the register.
std::string constant(const reg& of, std::uint64_t value) {
  return fmt::format("UINT{}_C({:#x})", of.width, value);
}

// An enumeration shows in debuggers; C limits its values to those of int.
std::string field_values(const field& of, const reg& owner, const std::string& front) {
  std::string text;
  const bool fits_int = std::all_of(of.values.begin(), of.values.end(),
                                    [](const named_value& v) { return v.value <= INT_MAX; });
  for (const named_value& value : of.values) {
    text += fits_int ? fmt::format("  {}_{} = {},\n", front, value.name, value.value)
                     : fmt::format("#define {}_{} {}\n", front, value.name,
                                   constant(owner, value.value));
  }
  if (text.empty() || !fits_int) return text;
  std::string tag = front;
  for (char& c : tag) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  text.erase(text.size() - 2, 1);  // the last comma
  return fmt::format("enum {} {{\n{}}};\n", tag, text);
}

std::string register_macros(const block& of, const reg& one, const reg_array* array) {
  const std::string front = macro(of, stem(one, array));
  std::string text = fmt::format("/* {}: {} */\n", text_of(one.access), comment(one.meaning));
  if (array == nullptr) {
    text += fmt::format("#define {} UINT32_C({:#x})\n", front, one.offset);
  } else {
    text += fmt::format("#define {}(i) (UINT32_C({:#x}) + UINT32_C({:#x}) * (uint32_t)(i))\n",
                        front, array->offset + one.offset, array->stride);
  }
  text += fmt::format("#define {}_RESET_VALUE {}\n", front, constant(one, one.reset));
  for (const field& part : one.fields) {
    const std::string name = front + "_" + upper_case(part.name);
    text += fmt::format("/* {}: {} */\n", text_of(part.access), comment(part.meaning));
    text += fmt::format("#define {}_MASK {}\n", name, constant(one, part.mask()));
    text += fmt::format("#define {}_POS {}\n", name, part.low);
    text += fmt::format("#define {}_WIDTH {}\n", name, part.width);
    text += field_values(part, one, name);
  }
  return text + "\n";
}

// One member of an overlay.
struct member {
  std::uint64_t offset;
  std::uint64_t bytes;
  std::string declaration;
};

// Members in the order of their offsets, with reserved words between them.
std::string members_text(std::vector<member> members, std::uint64_t size) {
  std::sort(members.begin(), members.end(),
            [](const member& a, const member& b) { return a.offset < b.offset; });
  std::string text;
  std::uint64_t at = 0;
  const auto reserve_until = [&](std::uint64_t offset) {
    if (offset == at) return;
    text += fmt::format("  uint32_t reserved_{:x}_[{}];\n", at, (offset - at) / 4);
  };
  for (const member& one : members) {
    reserve_until(one.offset);
    text += "  " + one.declaration + ";\n";
    at = one.offset + one.bytes;
  }
  reserve_until(size);
  return text;
}

std::vector<member> register_members(const std::vector<reg>& registers) {
  std::vector<member> members;
  members.reserve(registers.size());
  for (const reg& one : registers) {
    members.push_back({one.offset, one.bytes(), fmt::format("uint{}_t {}", one.width, one.name)});
  }
  return members;
}

std::string overlays(const block& of) {
  std::string text;
  std::vector<member> members = register_members(of.registers);
  for (const reg_array& array : of.arrays) {
    text += fmt::format("struct {}_{}_overlay {{\n{}}};\n\n", of.name, array.name,
                        members_text(register_members(array.registers), array.stride));
    members.push_back(
        {array.offset, array.count * array.stride,
         fmt::format("struct {}_{}_overlay {}[{}]", of.name, array.name, array.name, array.count)});
  }
  return text +
         fmt::format("struct {}_overlay {{\n{}}};\n\n", of.name, members_text(members, of.size));
}

// The last element of an array proves the offsets of all.
std::string assertions(const block& of) {
  const std::string name = upper_case(of.name) + "_REGS_ASSERT";
  std::string text = fmt::format(
      "#ifdef __cplusplus\n#define {0}(condition) static_assert(condition, #condition)\n"
      "#else\n#define {0}(condition) _Static_assert(condition, #condition)\n#endif\n",
      name);
  for_each_register(of, [&](const reg& one, const reg_array* array) {
    const std::string front = macro(of, stem(one, array));
    if (array == nullptr) {
      text += fmt::format("{}(offsetof(struct {}_overlay, {}) == {});\n", name, of.name, one.name,
                          front);
      return;
    }
    const std::uint64_t last = array->count - 1;
    text += fmt::format("{}(offsetof(struct {}_overlay, {}[{}].{}) == {}({}));\n", name, of.name,
                        array->name, last, one.name, front, last);
  });
  for (const reg_array& array : of.arrays) {
    text += fmt::format("{}(sizeof(struct {}_{}_overlay) == {}_STRIDE);\n", name, of.name,
                        array.name, macro(of, array.name));
  }
  text +=
      fmt::format("{}(sizeof(struct {}_overlay) == {});\n", name, of.name, macro(of, "block_size"));
  return text + fmt::format("#undef {}\n", name);
}

}  // namespace

std::string c_header(const block& of, const std::string& source) {
  const std::string guard = fmt::format("HEDDLE_{}_REGS_H", upper_case(of.name));
  std::string text = fmt::format(
      "/* Generated from {}: change that file. {} */\n"
      "#ifndef {}\n#define {}\n\n#include <stddef.h>\n#include <stdint.h>\n\n",
      comment(source), comment(of.meaning), guard, guard);
  text += fmt::format("#define {} UINT32_C({:#x})\n", macro(of, "block_size"), of.size);
  text +=
      fmt::format("/* Finds its devices: hal_device({0}, 0). */\n#define {0} UINT32_C({1:#x})\n",
                  macro(of, "block_id"), id_of(of));
  for (const reg_array& array : of.arrays) {
    text += fmt::format("#define {}_COUNT {}\n", macro(of, array.name), array.count);
    text += fmt::format("#define {}_STRIDE UINT32_C({:#x})\n", macro(of, array.name), array.stride);
  }
  text += "\n/* Offsets from the start of the block. */\n\n";
  for_each_register(
      of, [&](const reg& one, const reg_array* array) { text += register_macros(of, one, array); });
  text += "/* Point a volatile struct at the block to name its registers. */\n\n" + overlays(of);
  text += assertions(of);
  return text + fmt::format("\n#endif /* {} */\n", guard);
}

}  // namespace heddle::regs
