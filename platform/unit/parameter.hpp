// Typed parameters of a unit or a link, declared once as members of a parameter_set:
//
//   struct memory_parameters : parameter_set {
//     parameter<duration> latency{*this, "latency", 100_ns, within(0_ns, 1_ms),
//                                 "first byte after the request", "JEDEC HBM3: tRCD + tCL"};
//   };
//
// The declaration serves the netlist check, `heddle models` and the effective configuration. Names
// and texts are literals: every unit of a large netlist has a set of its own, and shares them.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "platform/time/bandwidth.hpp"
#include "platform/time/fs_time.hpp"
#include "platform/yaml/mapping.hpp"

namespace heddle {

struct duration {
  fs_t fs = 0;
};
struct byte_size {
  std::uint64_t bytes = 0;
};
struct address {
  std::uint64_t value = 0;
};

class parameter_set;

class parameter_base {
 public:
  parameter_base(parameter_set& owner, const char* name, const char* meaning, const char* source);
  virtual ~parameter_base() = default;
  parameter_base(const parameter_base&) = delete;
  parameter_base& operator=(const parameter_base&) = delete;

  std::string name() const { return name_; }
  std::string meaning() const { return meaning_; }
  std::string source() const { return source_; }         // where the default comes from
  const std::string& origin() const { return origin_; }  // "default" or the place that set it

  virtual std::string kind() const = 0;   // "bandwidth", "count", ...
  virtual std::string range() const = 0;  // "1..64", "" when any value does
  virtual std::string text() const = 0;   // the present value, readable back

  void load(const yaml_node& node);  // throws user_error

 protected:
  virtual void parse(const yaml_node& node) = 0;
  // Throws user_error at the node, whose value is not between the two.
  [[noreturn]] void raise_outside(const yaml_node& node, const std::string& lowest,
                                  const std::string& highest) const;

 private:
  const char *name_, *meaning_, *source_;
  std::string origin_ = "default";
};

class parameter_set {
 public:
  parameter_set() = default;
  virtual ~parameter_set() = default;
  parameter_set(const parameter_set&) = delete;
  parameter_set& operator=(const parameter_set&) = delete;

  const std::vector<parameter_base*>& all() const { return all_; }
  void load(yaml_mapping& mapping);  // takes what it declares, leaves the rest

 private:
  friend class parameter_base;
  std::vector<parameter_base*> all_;
};

// How each type is written in YAML.
struct parameter_text {
  static void read(const yaml_node& node, std::uint64_t& value);
  static void read(const yaml_node& node, double& value);
  static void read(const yaml_node& node, bool& value);
  static void read(const yaml_node& node, std::string& value);
  static void read(const yaml_node& node, duration& value);
  static void read(const yaml_node& node, byte_size& value);
  static void read(const yaml_node& node, bandwidth& value);
  static void read(const yaml_node& node, address& value);
  static std::string write(std::uint64_t value);
  static std::string write(double value);
  static std::string write(bool value);
  static std::string write(const std::string& value);
  static std::string write(const duration& value);
  static std::string write(const byte_size& value);
  static std::string write(const bandwidth& value);
  static std::string write(const address& value);
  static std::string kind(std::uint64_t) { return "count"; }
  static std::string kind(double) { return "number"; }
  static std::string kind(bool) { return "switch"; }
  static std::string kind(const std::string&) { return "text"; }
  static std::string kind(const duration&) { return "time"; }
  static std::string kind(const byte_size&) { return "bytes"; }
  static std::string kind(const bandwidth&) { return "bandwidth"; }
  static std::string kind(const address&) { return "address"; }
};

// Bounds are compared as plain numbers: counts, femtoseconds, bytes, bytes/s.
inline double bounded(std::uint64_t v) {
  return static_cast<double>(v);
}
inline double bounded(double v) {
  return v;
}
inline double bounded(const duration& v) {
  return static_cast<double>(v.fs);
}
inline double bounded(const byte_size& v) {
  return static_cast<double>(v.bytes);
}
inline double bounded(const bandwidth& v) {
  return static_cast<double>(v.bytes_per_second());
}
template <class T>
double bounded(const T&) {
  return 0;
}

template <class T>
struct bounds {
  T lowest, highest;
};
template <class T>
bounds<T> within(T lowest, T highest) {
  return {lowest, highest};
}

template <class T>
class parameter final : public parameter_base {
 public:
  parameter(parameter_set& owner, const char* name, T fallback, const char* meaning,
            const char* source)
      : parameter_base(owner, name, meaning, source), value_(std::move(fallback)) {}

  template <class Bound>
  parameter(parameter_set& owner, const char* name, T fallback, const bounds<Bound>& range,
            const char* meaning, const char* source)
      : parameter(owner, name, std::move(fallback), meaning, source) {
    range_ = {static_cast<T>(range.lowest), static_cast<T>(range.highest)};
    has_range_ = true;
  }

  const T& operator()() const { return value_; }
  void set(T value) { value_ = std::move(value); }

  std::string kind() const override { return parameter_text::kind(value_); }
  std::string range() const override {
    return has_range_
               ? parameter_text::write(range_.lowest) + ".." + parameter_text::write(range_.highest)
               : "";
  }
  std::string text() const override { return parameter_text::write(value_); }

 protected:
  void parse(const yaml_node& node) override {
    T value{};
    parameter_text::read(node, value);
    const double compared = bounded(value);
    if (has_range_ && !(compared >= bounded(range_.lowest) && compared <= bounded(range_.highest)))
      raise_outside(node, parameter_text::write(range_.lowest),
                    parameter_text::write(range_.highest));
    value_ = value;
  }

 private:
  T value_;
  bounds<T> range_{};  // if it has one
  bool has_range_ = false;
};

template <class... Words>
std::vector<std::string> one_of(Words... words) {
  return {words...};
}

// One word of a fixed list.
class choice_parameter final : public parameter_base {
 public:
  choice_parameter(parameter_set& owner, const char* name, std::vector<std::string> choices,
                   const char* meaning, const char* source);

  std::size_t index() const { return index_; }  // 0 is the default
  const std::string& operator()() const { return choices_[index_]; }

  std::string kind() const override { return "choice"; }
  std::string range() const override;
  std::string text() const override { return choices_[index_]; }

 protected:
  void parse(const yaml_node& node) override;

 private:
  std::vector<std::string> choices_;
  std::size_t index_ = 0;
};

}  // namespace heddle
