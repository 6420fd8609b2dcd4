// The C++ block: constants and enumerations for the model, the description for register_file, and
// a class with a handle a register.
#include <fmt/format.h>

#include <algorithm>

#include "tools/regs/describe_cpp.hpp"
#include "tools/regs/escape.hpp"
#include "tools/regs/naming.hpp"
#include "tools/regs/write.hpp"

namespace heddle::regs {
namespace {

// Enumerators above this make a table of names too sparse to be of use.
constexpr std::uint64_t largest_named_state = 63;

std::string offsets(const block& of) {
  std::string text = fmt::format("inline constexpr std::uint64_t block_size = {:#x};\n", of.size);
  for (const reg_array& array : of.arrays) {
    text += fmt::format("inline constexpr std::size_t {}_count = {};\n", array.name, array.count);
  }
  text += "\n// Offsets from the start of the block.\n";
  for_each_register(of, [&](const reg& one, const reg_array* array) {
    if (array == nullptr) {
      text +=
          fmt::format("inline constexpr std::uint64_t {}_offset = {:#x};\n", one.name, one.offset);
      return;
    }
    text += fmt::format(
        "constexpr std::uint64_t {}_offset(std::size_t i) {{ return {:#x} + i * {:#x}; }}\n",
        stem(one, array), array->offset + one.offset, array->stride);
  });
  return text;
}

// Indexed by value, as trace_states wants them; values without a name get their number.
std::string names_by_value(const field& of) {
  std::uint64_t largest = 0;
  for (const named_value& one : of.values) largest = std::max(largest, one.value);
  if (largest > largest_named_state) return {};
  std::string text;
  for (std::uint64_t value = 0; value <= largest; ++value) {
    std::string name = fmt::format("{}", value);
    for (const named_value& one : of.values) {
      if (one.value == value) name = one.name;
    }
    text += (text.empty() ? "" : ", ") + literal(name);
  }
  return text;
}

std::string enumerations(const block& of) {
  std::string text;
  for_each_register(of, [&](const reg& one, const reg_array* array) {
    for (const field& part : one.fields) {
      if (part.values.empty()) continue;
      const std::string name = stem(one, array) + "_" + part.name;
      std::string values;
      for (const named_value& value : part.values) {
        // A decimal number without a suffix has a sign.
        values += fmt::format("{}{} = {}{}", values.empty() ? "" : ", ", value.name, value.value,
                              value.value > INT64_MAX ? "u" : "");
      }
      text += fmt::format("\nenum class {} : {} {{ {} }};\n", name, word_type(one), values);
      const std::string names = names_by_value(part);
      if (names.empty()) continue;
      text += fmt::format("inline trace_states {}_names() {{ return {{{}}}; }}\n", name, names);
    }
  });
  return text;
}

// A class for each register with fields.
std::string register_classes(const block& of) {
  std::string text;
  for_each_register(of, [&](const reg& one, const reg_array* array) {
    if (one.fields.empty()) return;
    const std::string name = stem(one, array);
    text += fmt::format("\nclass {}_register final : public register_handle<{}> {{\n public:\n",
                        name, word_type(one));
    text += "  using register_handle::register_handle;\n\n";
    for (const field& part : one.fields) {
      const std::string value = part.values.empty() ? word_type(one) : name + "_" + part.name;
      text += fmt::format("  // {}, bits {}: {}\n", text_of(part.access), bits_text(part),
                          comment(part.meaning));
      text += fmt::format("  register_field<{}, {}, {}, {}> {}{{*this}};\n", value, word_type(one),
                          part.low, part.width, part.name);
    }
    text += "};\n";
  });
  return text;
}

// front: what an element or the block puts before a type of the block's namespace, if anything.
std::string handle(const reg& one, const reg_array* array, const std::string& front,
                   std::size_t cell) {
  const std::string type = one.fields.empty() ? fmt::format("register_handle<{}>", word_type(one))
                                              : front + stem(one, array) + "_register";
  return fmt::format("  // {}: {}\n  const {} {}{{cell({})}};\n", text_of(one.access),
                     comment(one.meaning), type, one.name, cell);
}

std::string element_classes(const block& of) {
  std::string text;
  for (const reg_array& array : of.arrays) {
    text += fmt::format("\nclass {}_element final : public register_element {{\n public:\n",
                        array.name);
    text += "  using register_element::register_element;\n\n";
    std::size_t cell = 0;
    for (const reg& one : array.registers) text += handle(one, &array, "", cell++);
    text += "};\n";
  }
  return text;
}

std::string block_class(const block& of) {
  std::string text = fmt::format(
      "// {}.\nclass {}_registers final\n"
      "    : public described_register_file<{}_regs::description> {{\n public:\n"
      "  using described_register_file::described_register_file;\n\n",
      comment(of.meaning), of.name, of.name);
  const std::string front = of.name + "_regs::";
  std::size_t cell = 0;
  for (const reg& one : of.registers) text += handle(one, nullptr, front, cell++);
  for (const reg_array& array : of.arrays) {
    text += fmt::format("  const register_array<{}{}_element, {}, {}> {}{{cell({})}};\n", front,
                        array.name, array.count, array.registers.size(), array.name, cell);
    cell += array.count * array.registers.size();
  }
  return text + "};\n";
}

std::string markdown_constant(const block& of) {
  std::string text = "\ninline constexpr const char* markdown =";
  const std::string page = markdown(of);
  for (std::size_t begin = 0; begin < page.size();) {
    const std::size_t end = page.find('\n', begin) + 1;
    text += "\n    " + literal(std::string_view(page).substr(begin, end - begin));
    begin = end;
  }
  return text + ";\n";
}

}  // namespace

std::string cpp_header(const block& of, const std::string& source) {
  std::string text = fmt::format("// Generated from {}: change that file.\n", comment(source));
  text +=
      "#pragma once\n\n"
      "#include <cstddef>\n#include <cstdint>\n\n"
      "#include \"platform/registers/register_file.hpp\"\n"
      "#include \"platform/trace/trace_states.hpp\"\n\n"
      "namespace heddle {\n\n";
  text += fmt::format("namespace {}_regs {{\n\n", of.name);
  text += offsets(of) + enumerations(of) + register_classes(of) + element_classes(of);
  text += describe_cpp(of, source) + markdown_constant(of);
  text += fmt::format("\n}}  // namespace {}_regs\n\n", of.name);
  return text + block_class(of) + "\n}  // namespace heddle\n";
}

}  // namespace heddle::regs
