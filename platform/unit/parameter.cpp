#include "platform/unit/parameter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>

#include "platform/text/quantity.hpp"
#include "platform/time/time_limits.hpp"

namespace heddle {
namespace {

const shared_text& text_of_default() {
  static const shared_text text("default");
  return text;
}

}  // namespace

parameter_base::parameter_base(parameter_set& owner, const declaration& shared_one)
    : declared_(shared_one), origin_(text_of_default()) {
  owner.add(*this);
}

parameter_base::parameter_base(parameter_set& owner, const char* name, const char* meaning,
                               const char* source)
    : parameter_base(owner, shared(declaration{name, meaning, source})) {}

void parameter_base::load(const yaml_node& node) {
  parse(node);
  origin_ = node.place().text();
}

void parameter_base::raise_outside(const yaml_node& node, const std::string& lowest,
                                   const std::string& highest) const {
  throw user_error(node.place(), fmt::format("{} is {}, outside {} to {}", name(), as_text(node),
                                             lowest, highest));
}

struct parameter_set::place {
  const place* before;
  std::uintptr_t offset;  // bytes from the set to the parameter, modulo 2^64
  mutable std::vector<std::unique_ptr<place>> behind;
};

void parameter_set::add(const parameter_base& declared) {
  static const place none{nullptr, 0, {}};
  const place& before = last_ ? *last_ : none;
  const std::uintptr_t offset =
      reinterpret_cast<std::uintptr_t>(&declared) - reinterpret_cast<std::uintptr_t>(this);
  const auto is_known = [offset](const auto& each) { return each->offset == offset; };
  auto found = std::find_if(before.behind.begin(), before.behind.end(), is_known);
  if (found == before.behind.end())
    found = before.behind.insert(found, std::make_unique<place>(place{last_, offset, {}}));
  last_ = found->get();
}

std::vector<parameter_base*> parameter_set::all() const {
  std::vector<parameter_base*> found;
  for (const place* each = last_; each; each = each->before) {
    const std::uintptr_t where = reinterpret_cast<std::uintptr_t>(this) + each->offset;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): add() made the offset from these addresses
    found.push_back(reinterpret_cast<parameter_base*>(where));
  }
  std::reverse(found.begin(), found.end());
  return found;
}

void parameter_set::load(yaml_mapping& mapping) {
  for (parameter_base* each : all())
    if (auto node = mapping.optional(each->name())) each->load(*node);
}

void parameter_text::read(const yaml_node& node, std::uint64_t& value) {
  value = static_cast<std::uint64_t>(as_integer(node, 0));
}
void parameter_text::read(const yaml_node& node, double& value) {
  value = as_double(node);
}
void parameter_text::read(const yaml_node& node, bool& value) {
  value = as_bool(node);
}
void parameter_text::read(const yaml_node& node, std::string& value) {
  value = as_text(node);
}
void parameter_text::read(const yaml_node& node, duration& value) {
  value.fs = as_duration(node);
  if (value.fs > longest_duration)
    throw user_error(node.place(),
                     fmt::format("{} is longer than {}, the longest time of a netlist",
                                 as_text(node), format_duration(longest_duration)));
}
void parameter_text::read(const yaml_node& node, byte_size& value) {
  value.bytes = as_bytes(node);
}
void parameter_text::read(const yaml_node& node, bandwidth& value) {
  constexpr std::uint64_t lowest = 1'000'000;  // bandwidth::duration() holds 4 us a byte at most
  const std::uint64_t rate = as_bandwidth(node);
  if (rate < lowest) throw user_error(node.place(), "a bandwidth starts at 1 MB/s");
  value = bandwidth(rate);
}
void parameter_text::read(const yaml_node& node, address& value) {
  value.value = static_cast<std::uint64_t>(as_integer(node, 0));
}

std::string parameter_text::write(std::uint64_t value) {
  return std::to_string(value);
}
std::string parameter_text::write(double value) {
  return fmt::format("{}", value);
}
std::string parameter_text::write(bool value) {
  return value ? "true" : "false";
}
std::string parameter_text::write(const std::string& value) {
  return value;
}
std::string parameter_text::write(const duration& value) {
  return exact_duration(value.fs);
}
std::string parameter_text::write(const byte_size& value) {
  return exact_bytes(value.bytes);
}
std::string parameter_text::write(const bandwidth& value) {
  return exact_bandwidth(value.bytes_per_second());
}
std::string parameter_text::write(const address& value) {
  return fmt::format("{:#x}", value.value);
}

struct choice_parameter::declaration : parameter_base::declaration {
  choice_words choices;

  declaration(const parameter_base::declaration& base, const choice_words& its_choices)
      : parameter_base::declaration(base), choices(its_choices) {}
  bool operator<(const declaration& other) const {
    return std::make_tuple(key(), choices) < std::make_tuple(other.key(), other.choices);
  }
};

choice_parameter::choice_parameter(parameter_set& owner, const char* name,
                                   const choice_words& choices, const char* meaning,
                                   const char* source)
    : parameter_base(owner, shared(declaration{{name, meaning, source}, choices})) {}

const choice_words& choice_parameter::choices() const {
  return static_cast<const declaration&>(declared()).choices;
}

std::string choice_parameter::range() const {
  const choice_words& all = choices();
  return fmt::format("{}", fmt::join(all.words.begin(), all.words.begin() + all.count, " | "));
}

void choice_parameter::parse(const yaml_node& node) {
  const choice_words& all = choices();
  const std::vector<std::string> names(all.words.begin(), all.words.begin() + all.count);
  const std::string chosen = as_choice(node, name(), names);
  index_ = static_cast<std::size_t>(std::find(names.begin(), names.end(), chosen) - names.begin());
}

}  // namespace heddle
