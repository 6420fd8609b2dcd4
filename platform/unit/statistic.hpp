// Counters of a unit, declared once as members of a statistic_set with their quantity. They are
// plain integers on the hot path; JSON carries SI values. Names and meanings are literals, and
// described once for all units of a type.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platform/time/fs_time.hpp"

namespace heddle {

// `busy` is the time in which something of which there is one worked: its share of a window tells
// how near it came to its limit. `summed_time` is that of many things, which may overlap.
enum class quantity { count, bytes, time, busy, summed_time };

const char* unit_symbol(quantity q);  // "1", "B", "s"

class statistic_set;

class statistic {
 public:
  statistic(statistic_set& owner, const char* name, quantity q, const char* meaning);
  statistic(const statistic&) = delete;
  statistic& operator=(const statistic&) = delete;

  void operator+=(std::uint64_t amount) { value_ += amount; }
  void operator++() { ++value_; }
  void raise_to(std::uint64_t value) {
    if (value > value_) value_ = value;
  }
  std::uint64_t raw() const { return value_; }
  double si() const;

  std::string name() const { return std::string(description_.name); }
  std::string meaning() const { return std::string(description_.meaning); }
  quantity what() const { return description_.what; }
  bool is_time() const {
    return what() == quantity::time || what() == quantity::busy || what() == quantity::summed_time;
  }

 private:
  // Apart from the values, so that the counters of one hot path share a cache line.
  struct description {
    std::string_view name, meaning;
    quantity what;
    bool operator<(const description& other) const;
  };
  static const description& shared(const description& wanted);

  std::uint64_t value_ = 0;
  const description& description_;
};

// Latencies or waits of many packets add up to more than 64 bits of femtoseconds can tell, which
// end after 5 hours. raw() is the low word.
class summed_time final : public statistic {
 public:
  summed_time(statistic_set& owner, const char* name, const char* meaning)
      : statistic(owner, name, quantity::summed_time, meaning) {}

  void operator+=(fs_t amount) {
    statistic::operator+=(amount);
    high_ += raw() < amount;
  }
  // So many cycles of that period; it never shrinks.
  void raise_to(std::uint64_t cycles, fs_t period);
  double total() const;  // fs

 private:
  std::uint64_t high_ = 0;
};

class statistic_set {
 public:
  statistic_set() = default;
  statistic_set(const statistic_set&) = delete;
  statistic_set& operator=(const statistic_set&) = delete;

  const std::vector<const statistic*>& all() const { return all_; }

 private:
  friend class statistic;
  std::vector<const statistic*> all_;
};

}  // namespace heddle
