// Typed parameters of a unit or a link, declared once as members of a parameter_set:
//
//   struct memory_parameters : parameter_set {
//     parameter<duration> latency{*this, "latency", 100_ns, within(0_ns, 1_ms),
//                                 "first byte after the request", "JEDEC HBM3: tRCD + tCL"};
//   };
//
// The declaration serves the netlist check, `heddle models` and the effective configuration. Names
// and texts are literals. Every unit of a large netlist has a set of its own: what was declared is
// kept once for all of them.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "platform/text/shared_text.hpp"
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

  std::string name() const { return declared_.name; }
  std::string meaning() const { return declared_.meaning; }
  std::string source() const { return declared_.source; }  // where the default comes from
  // "default" or the place that set it.
  const std::string& origin() const { return origin_; }
  bool is_default() const { return origin_ == "default"; }

  virtual std::string kind() const = 0;   // "bandwidth", "count", ...
  virtual std::string range() const = 0;  // "1..64", "" when any value does
  virtual std::string text() const = 0;   // the present value, readable back

  void load(const yaml_node& node);  // throws user_error

 protected:
  // What equal parameters of all units share. The texts are literals, compared by their addresses.
  struct declaration {
    const char *name, *meaning, *source;
    auto key() const { return std::tie(name, meaning, source); }
    bool operator<(const declaration& other) const { return key() < other.key(); }
  };
  // The one copy of a declaration, made when it is first asked for.
  template <class Declaration>
  static const Declaration& shared(const Declaration& wanted) {
    static std::set<Declaration> all;
    return *all.insert(wanted).first;
  }

  parameter_base(parameter_set& owner, const declaration& shared_one);
  const declaration& declared() const { return declared_; }

  virtual void parse(const yaml_node& node) = 0;
  // Throws user_error at the node, whose value is not between the two.
  [[noreturn]] void raise_outside(const yaml_node& node, const std::string& lowest,
                                  const std::string& highest) const;

 private:
  const declaration& declared_;
  shared_text origin_;
};

class parameter_set {
 public:
  parameter_set() = default;
  virtual ~parameter_set() = default;
  parameter_set(const parameter_set&) = delete;
  parameter_set& operator=(const parameter_set&) = delete;

  std::vector<parameter_base*> all() const;  // as they were declared
  void load(yaml_mapping& mapping);          // takes what it declares, leaves the rest

 private:
  friend class parameter_base;
  // Where a parameter lies in its set, and those before it. Sets of a type, of which there may be
  // many, share these.
  struct place;

  void add(const parameter_base& declared);

  const place* last_ = nullptr;  // nullptr: none is declared
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
      : parameter(owner, declaration{{name, meaning, source}, {}, false}, std::move(fallback)) {}

  template <class Bound>
  parameter(parameter_set& owner, const char* name, T fallback, const bounds<Bound>& range,
            const char* meaning, const char* source)
      : parameter(owner,
                  declaration{{name, meaning, source},
                              {static_cast<T>(range.lowest), static_cast<T>(range.highest)},
                              true},
                  std::move(fallback)) {}

  const T& operator()() const { return value_; }
  void set(T value) { value_ = std::move(value); }

  std::string kind() const override { return parameter_text::kind(value_); }
  std::string range() const override {
    return declared().has_range ? lowest_text() + ".." + highest_text() : "";
  }
  std::string text() const override { return parameter_text::write(value_); }

 protected:
  void parse(const yaml_node& node) override {
    T value{};
    parameter_text::read(node, value);
    const auto [lowest, highest] = declared().bounded_range();
    const double compared = bounded(value);
    if (declared().has_range && !(compared >= lowest && compared <= highest))
      raise_outside(node, lowest_text(), highest_text());
    value_ = value;
  }

 private:
  struct declaration : parameter_base::declaration {
    bounds<T> range;  // if it has one
    bool has_range;

    declaration(const parameter_base::declaration& base, const bounds<T>& its_range, bool has_one)
        : parameter_base::declaration(base), range(its_range), has_range(has_one) {}
    std::pair<double, double> bounded_range() const {
      return {bounded(range.lowest), bounded(range.highest)};
    }
    bool operator<(const declaration& other) const {
      return std::make_tuple(this->key(), has_range, bounded_range()) <
             std::make_tuple(other.key(), other.has_range, other.bounded_range());
    }
  };

  parameter(parameter_set& owner, const declaration& wanted, T fallback)
      : parameter_base(owner, shared(wanted)), value_(std::move(fallback)) {}
  const declaration& declared() const {
    return static_cast<const declaration&>(parameter_base::declared());
  }
  std::string lowest_text() const { return parameter_text::write(declared().range.lowest); }
  std::string highest_text() const { return parameter_text::write(declared().range.highest); }

  T value_;
};

// The words of a choice, literals.
struct choice_words {
  static constexpr std::size_t most = 16;
  std::array<const char*, most> words{};
  std::size_t count = 0;

  bool operator<(const choice_words& other) const { return words < other.words; }
};
template <class... Words>
choice_words one_of(Words... words) {
  static_assert(sizeof...(words) <= choice_words::most);
  return {{words...}, sizeof...(words)};
}

// One word of a fixed list.
class choice_parameter final : public parameter_base {
 public:
  choice_parameter(parameter_set& owner, const char* name, const choice_words& choices,
                   const char* meaning, const char* source);

  std::size_t index() const { return index_; }  // 0 is the default
  std::string operator()() const { return choices().words[index_]; }

  std::string kind() const override { return "choice"; }
  std::string range() const override;
  std::string text() const override { return (*this)(); }

 protected:
  void parse(const yaml_node& node) override;

 private:
  struct declaration;
  const choice_words& choices() const;

  std::size_t index_ = 0;
};

}  // namespace heddle
