// The members of one type in a lane of a clock domain (clock_lane.hpp), and who of them asked for
// which of the next cycles. They are evaluated by one loop that knows the type: T::evaluate(cycle)
// is no virtual call. It may return whether the member goes on in the next cycle; the others wake
// themselves.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "platform/time/cycle.hpp"

namespace heddle {

class clock_lane;
class clock_member;

class clocked_group {
 public:
  clocked_group() = default;
  clocked_group(const clocked_group&) = delete;
  clocked_group& operator=(const clocked_group&) = delete;
  virtual ~clocked_group() = default;

  // Whether a member goes on in the next cycle.
  virtual bool evaluate(cycle_t cycle) = 0;
  // Nobody has asked for a cycle yet. The members from `first` on leave for a group of that lane.
  virtual std::unique_ptr<clocked_group> split(std::size_t first, clock_lane& lane) = 0;
  // Likewise. Shuffles the order in which members are evaluated. In the order of their addresses a
  // processor sees a stride and prefetches beyond the last member. There lie the first members of
  // the next lane, which would be taken from the caches of another processor in every cycle.
  void scatter();

  std::size_t size() const { return members_.size(); }
  std::size_t asking(cycle_t cycle) const;  // members
  // How many of its type had joined the domain before the member, if it belongs to this group.
  std::optional<std::size_t> number_of(const clock_member& member) const;

 protected:
  friend class clock_lane;
  friend class clock_member;
  static constexpr std::size_t buckets = 64;  // cycles ahead, the present one included
  static constexpr std::size_t wheel_members = 64;
  struct alignas(64) wheel {  // who asked, a bit a member
    clock_lane* lane;
    std::array<std::uint64_t, buckets> asked;
  };

  void seat(clock_member& added, std::size_t number, clock_lane& lane);
  void unseat_from(std::size_t first);
  virtual void swap_units(std::size_t a, std::size_t b) = 0;

  std::vector<clock_member*> members_;
  std::vector<std::size_t> numbers_;  // of members, in the order in which they joined the domain
  std::vector<std::unique_ptr<wheel>> wheels_;

 private:
  void swap(std::size_t a, std::size_t b);
};

// Whether members of a type can be fetched into the cache while others are evaluated: prefetch()
// fetches the member, and prefetch_links() what it points to, when the member is there. The first
// pays where members are so many that the first-level cache does not hold them all the time, the
// second where the others do not either.
constexpr std::size_t fewest_prefetched = 32, fewest_with_links = 512;
template <class T, class = void>
inline constexpr bool is_prefetched = false;
template <class T>
inline constexpr bool is_prefetched<T, std::void_t<decltype(std::declval<T>().prefetch()),
                                                   decltype(std::declval<T>().prefetch_links())>> =
    true;

// Whether different threads may evaluate members of a type, which then says `using concurrent =
// void`: evaluate() touches nothing but the member, its links and its signals, and asks nobody but
// its argument for the time. Where signals are recorded there is one thread.
template <class T, class = void>
inline constexpr bool is_concurrent_type = false;
template <class T>
inline constexpr bool is_concurrent_type<T, std::void_t<typename T::concurrent>> = true;

template <class T>
class clocked_group_of final : public clocked_group {
 public:
  void add(T& unit, clock_member& member, clock_lane& lane) {
    all_.push_back(&unit);
    seat(member, numbers_.size(), lane);
  }

  std::unique_ptr<clocked_group> split(std::size_t first, clock_lane& lane) override {
    auto taken = std::make_unique<clocked_group_of>();
    taken->all_.assign(all_.begin() + static_cast<std::ptrdiff_t>(first), all_.end());
    for (std::size_t i = first; i < all_.size(); ++i) taken->seat(*members_[i], numbers_[i], lane);
    all_.resize(first);
    unseat_from(first);
    return taken;
  }

  bool evaluate(cycle_t cycle) override {
    std::uint64_t any = 0;
    T* const* units = all_.data();
    const fetch how{all_.size() >= fewest_prefetched, all_.size() >= fewest_with_links};
    for (const auto& each : wheels_) {
      any |= evaluate(*each, units, cycle, how);
      units += wheel_members;
    }
    return any != 0;
  }

 private:
  struct fetch {
    bool members, links;
  };

  // Evaluates the members of one wheel. Returns those that go on in the next cycle, a bit each.
  static std::uint64_t evaluate(wheel& of, T* const* units, cycle_t cycle,
                                [[maybe_unused]] fetch how) {
    std::uint64_t& asked = of.asked[cycle % buckets];
    std::uint64_t left = asked, goes_on = 0;
    asked = 0;
    for (; left; left &= left - 1) {
      if constexpr (is_prefetched<T>) prefetch_behind(left, units, how);
      T& next = *units[__builtin_ctzll(left)];
      if constexpr (std::is_same_v<decltype(next.evaluate(cycle)), bool>) {
        const std::uint64_t it_does = next.evaluate(cycle);
        goes_on |= left & -left & -it_does;  // unpredictable: no branch
      } else {
        next.evaluate(cycle);
      }
    }
    of.asked[(cycle + 1) % buckets] |= goes_on;
    return goes_on;
  }

  // Of the members that ask, those that come after the first. Inlined at once: to a compiler, a
  // function that only prefetches does nothing, and needs no call.
  __attribute__((always_inline)) static inline void prefetch_behind(std::uint64_t asking,
                                                                    T* const* units, fetch how) {
    const std::uint64_t second = asking & (asking - 1), third = second & (second - 1);
    if (how.members && third) units[__builtin_ctzll(third)]->prefetch();
    if (how.links && second) units[__builtin_ctzll(second)]->prefetch_links();
  }

  void swap_units(std::size_t a, std::size_t b) override { std::swap(all_[a], all_[b]); }

  std::vector<T*> all_;
};

}  // namespace heddle
