// Clock domains: units that work cycle by cycle. One call of the agenda evaluates the members that
// asked for a cycle, and goes on with the cycles after it as far as nothing else is due. There is
// none while nobody asks.
//
// A member sees in cycle c what others handed over in cycles before c: whatever one member gives
// another is stamped with a later cycle. That stamp is the commit of the usual two phases, so
// results do not depend on the order in which members are evaluated.
//
// Members of one type are evaluated by one loop that knows the type: T::evaluate(cycle) is no
// virtual call. It may return whether the member goes on in the next cycle; the others wake
// themselves.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <deque>
#include <memory>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

#include "platform/time/agenda.hpp"

namespace heddle {

using cycle_t = std::uint64_t;

class clock_domain;

// The members of one type, and who of them asked for which of the next cycles.
class clocked_group {
 public:
  virtual ~clocked_group() = default;
  // Whether a member goes on in the next cycle.
  virtual bool evaluate(cycle_t cycle) = 0;

 protected:
  friend class clock_domain;
  friend class clock_member;
  static constexpr std::size_t buckets = 64;         // cycles ahead, the present one included
  using wheel = std::array<std::uint64_t, buckets>;  // of 64 members: a bit a member

  // Returns the new member's wheel, which stays where it is.
  wheel& add_member() {
    if (members_++ % 64 == 0) wheels_.emplace_back();
    return wheels_.back();
  }

  std::size_t members_ = 0;
  std::deque<wheel> wheels_;
};

// Whether members of a type can be fetched into the cache while others are evaluated. That pays
// where they are so many that the first-level cache does not hold them all the time.
constexpr std::size_t fewest_prefetched = 32;
template <class T, class = void>
inline constexpr bool is_prefetched = false;
template <class T>
inline constexpr bool is_prefetched<T, std::void_t<decltype(std::declval<T>().prefetch())>> = true;

template <class T>
class clocked_group_of final : public clocked_group {
 public:
  wheel& add(T& member) {
    all_.push_back(&member);
    return add_member();
  }

  bool evaluate(cycle_t cycle) override {
    std::uint64_t any = 0;
    const bool fetches = is_prefetched<T> && members_ >= fewest_prefetched;
    std::size_t first = 0;
    for (wheel& each : wheels_) {
      std::uint64_t& asked = each[cycle % buckets];
      std::uint64_t left = asked, goes_on = 0;
      asked = 0;
      for (; left; left &= left - 1) {
        if constexpr (is_prefetched<T>)
          if (fetches && (left & (left - 1))) member(first, left & (left - 1)).prefetch();
        if constexpr (std::is_same_v<decltype(all_[0]->evaluate(cycle)), bool>) {
          if (member(first, left).evaluate(cycle)) goes_on |= left & -left;
        } else {
          member(first, left).evaluate(cycle);
        }
      }
      each[(cycle + 1) % buckets] |= goes_on;
      any |= goes_on;
      first += 64;
    }
    return any != 0;
  }

 private:
  T& member(std::size_t first, std::uint64_t left) {
    return *all_[first + static_cast<std::size_t>(__builtin_ctzll(left))];
  }

  std::vector<T*> all_;
};

// A unit's place in its clock domain.
class clock_member {
 public:
  clock_domain& domain() const { return *domain_; }
  bool is_clocked() const { return domain_ != nullptr; }
  // Asks to be evaluated in that cycle, which was not evaluated yet.
  void wake(cycle_t cycle) const;

 private:
  friend class clock_domain;
  void ask_for(cycle_t cycle) const;  // which the wheel holds

  clock_domain* domain_ = nullptr;
  clocked_group::wheel* wheel_ = nullptr;  // of the 64 members to which this one belongs
  std::uint64_t bit_ = 0;                  // of a bucket
};

class clock_domain {
 public:
  explicit clock_domain(fs_t period);
  clock_domain(const clock_domain&) = delete;
  clock_domain& operator=(const clock_domain&) = delete;

  fs_t period() const { return period_; }
  fs_t start_of(cycle_t cycle) const { return cycle * period_; }
  // The earliest cycle that was not evaluated yet: where others than members come in.
  cycle_t next_cycle() const;
  std::uint64_t activations() const { return activations_; }

  // Before the simulation starts.
  template <class T>
  void join(T& unit, clock_member& member) {
    auto& group = group_of<T>();
    member.domain_ = this;
    member.bit_ = std::uint64_t{1} << (group.members_ % 64);
    member.wheel_ = &group.add(unit);
  }

 private:
  friend class clock_member;
  struct late_wake {  // beyond the wheel
    cycle_t cycle;
    const clock_member* member;
    bool operator<(const late_wake& other) const { return cycle > other.cycle; }  // for a heap
  };

  template <class T>
  clocked_group_of<T>& group_of() {
    const std::type_index wanted(typeid(T));
    for (std::size_t i = 0; i < types_.size(); ++i)
      if (types_[i] == wanted) return static_cast<clocked_group_of<T>&>(*groups_[i]);
    types_.push_back(wanted);
    groups_.push_back(std::make_unique<clocked_group_of<T>>());
    return static_cast<clocked_group_of<T>&>(*groups_.back());
  }

  static constexpr cycle_t never = UINT64_MAX;

  void evaluate();  // the present cycle, and those after it as far as nothing else is due
  void evaluate(cycle_t cycle);
  void wake_late(const late_wake& asked);
  void take_late_wakes();
  cycle_t next_asked() const;

  fs_t period_;
  std::vector<std::type_index> types_;
  std::vector<std::unique_ptr<clocked_group>> groups_;
  std::vector<late_wake> late_;
  std::uint64_t pending_ = 0;  // buckets of the wheel that somebody asked for
  cycle_t from_ = 0;           // the wheel holds from_ .. from_ + buckets - 1
  static constexpr cycle_t closed = UINT64_MAX / 2;
  cycle_t open_from_ = closed;  // from_ while members are evaluated: they use the wheel
  std::uint64_t activations_ = 0;
  timed_call clock_;
};

// The domains of a run, by period.
class clock_domains {
 public:
  clock_domain& with_period(fs_t period);

 private:
  std::vector<std::unique_ptr<clock_domain>> all_;
};

inline void clock_member::ask_for(cycle_t cycle) const {
  const std::size_t bucket = cycle % clocked_group::buckets;
  (*wheel_)[bucket] |= bit_;
  domain_->pending_ |= std::uint64_t{1} << bucket;
}

inline void clock_member::wake(cycle_t cycle) const {
  clock_domain& domain = *domain_;
  assert(cycle >= domain.from_);
  if (__builtin_expect(cycle - domain.open_from_ >= clocked_group::buckets - 1, 0))
    return domain.wake_late({cycle, this});
  ask_for(cycle);
}

}  // namespace heddle
