// The members of one type in a lane of a clock domain (clock_lane.hpp), and who of them asked for
// which of the next cycles. They are evaluated by one loop that knows the type: T::evaluate(cycle)
// is no virtual call. It may return whether the member goes on in the next cycle; the others wake
// themselves.
//
// Members of a type whose work differs from cycle to cycle are evaluated in the order of what they
// are going to do, as far as that is known (member_state). In the order in which they joined, a
// processor could not foresee the branches of one from those of the others before.
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
  struct alignas(64) wheel {  // a bit a member
    clock_lane* lane;
    std::array<std::uint64_t, buckets> asked{};
    // Of types whose work differs: who was evaluated in the latest cycle, and was loaded behind it.
    std::uint64_t evaluated = 0, loaded = 0;
    cycle_t latest = 0;
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

// What is known of a member that asks for a cycle.
enum class member_state {
  woken,   // it was not evaluated in the cycle before
  loaded,  // it was, and is_loaded() held behind that cycle
  light,   // it was, and is_loaded() did not hold
};

// A type whose work differs has is_loaded() and evaluate<member_state>(cycle).
template <class T, class = void>
inline constexpr bool is_sorted_type = false;
template <class T>
inline constexpr bool is_sorted_type<T, std::void_t<decltype(std::declval<T>().is_loaded())>> =
    true;

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
  static std::uint64_t evaluate(wheel& of, T* const* units, cycle_t cycle, fetch how) {
    const std::uint64_t all = std::exchange(of.asked[cycle % buckets], 0);
    std::uint64_t goes_on = 0;
    if constexpr (is_sorted_type<T>) {
      goes_on = evaluate_sorted(of, all, units, cycle, how);
    } else {
      for_each(all, 0, units, how, [&](T& next, std::uint64_t bit) {
        if constexpr (std::is_same_v<decltype(next.evaluate(cycle)), bool>)
          goes_on |= bit_if(next.evaluate(cycle), bit);
        else
          next.evaluate(cycle);
      });
    }
    of.asked[(cycle + 1) % buckets] |= goes_on;
    return goes_on;
  }

  // The same, of a type whose work differs from cycle to cycle.
  static std::uint64_t evaluate_sorted(wheel& of, std::uint64_t all, T* const* units, cycle_t cycle,
                                       fetch how) {
    const bool is_next = of.latest + 1 == cycle;
    const std::uint64_t going_on = is_next ? all & of.evaluated : 0;
    const std::uint64_t woken = all & ~going_on, loaded = going_on & of.loaded,
                        light = going_on & ~of.loaded;
    std::uint64_t goes_on = 0, loaded_then = 0;
    const auto each = [&](auto state) {
      return [&, state](T& next, std::uint64_t bit) {
        goes_on |= bit_if(next.template evaluate<state()>(cycle), bit);
        loaded_then |= bit_if(next.is_loaded(), bit);
      };
    };
    for_each(woken, loaded ? loaded : light, units, how, each(constant<member_state::woken>()));
    for_each(loaded, light, units, how, each(constant<member_state::loaded>()));
    for_each(light, 0, units, how, each(constant<member_state::light>()));
    of.evaluated = all;
    of.loaded = loaded_then;
    of.latest = cycle;
    return goes_on;
  }
  template <member_state state>
  using constant = std::integral_constant<member_state, state>;

  // Without a branch, which nobody could foresee.
  static std::uint64_t bit_if(bool condition, std::uint64_t bit) {
    return bit & -std::uint64_t{condition};
  }

  // Calls use(member, bit) for the members of a set, and fetches ahead. The set `behind` is the
  // one that is evaluated next.
  template <class Use>
  __attribute__((always_inline)) static inline void for_each(std::uint64_t set,
                                                             std::uint64_t behind, T* const* units,
                                                             [[maybe_unused]] fetch how, Use use) {
    for (; set; set &= set - 1) {
      if constexpr (is_prefetched<T>) prefetch_behind(set, behind, units, how);
      use(*units[__builtin_ctzll(set)], set & -set);
    }
  }

  // The second and the third of the members that ask and those behind them. Inlined at once: to a
  // compiler, a function that only prefetches does nothing, and needs no call.
  __attribute__((always_inline)) static inline void prefetch_behind(std::uint64_t asking,
                                                                    std::uint64_t behind,
                                                                    T* const* units, fetch how) {
    const std::uint64_t without_first = asking & (asking - 1),
                        without_second = without_first & (without_first - 1);
    const std::uint64_t second = without_first ? without_first : behind;
    const std::uint64_t third = without_second  ? without_second
                                : without_first ? behind
                                                : behind & (behind - 1);
    if (how.members && third) units[__builtin_ctzll(third)]->prefetch();
    if (how.links && second) units[__builtin_ctzll(second)]->prefetch_links();
  }

  void swap_units(std::size_t a, std::size_t b) override { std::swap(all_[a], all_[b]); }

  std::vector<T*> all_;
};

}  // namespace heddle
