// Objects that come and go on the hot path: taken from a free list, made in slabs, never moved and
// never destroyed before the pool is. An object comes out as it was given back, the last one first.
//
// An object that has a member clear() is cleared when it is given back; one that has a member
// `std::uint32_t pool_index` is told its number, by which at() finds it.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle {

template <class T, std::size_t slab_objects = 16>
class object_pool {
  static_assert((slab_objects & (slab_objects - 1)) == 0, "a power of two finds objects by shifts");

 public:
  T& take() {
    if (free_count_ == 0) grow();
    return *free_[--free_count_];
  }
  void give_back(T& used) {
    assert(free_count_ < size() && "given back twice");
    if constexpr (is_clearable<T>::value) used.clear();
    free_[free_count_++] = &used;
  }

  // The object that take() returns next, unless another is given back before; nullptr: a new one.
  const T* next() const { return free_count_ == 0 ? nullptr : free_[free_count_ - 1]; }

  T& at(std::uint32_t number) const { return slabs_[number / slab_objects][number % slab_objects]; }
  std::size_t size() const { return slabs_.size() * slab_objects; }  // that were ever made
  std::size_t in_use() const { return size() - free_count_; }

 private:
  template <class U, class = void>
  struct is_numbered : std::false_type {};
  template <class U>
  struct is_numbered<U, std::void_t<decltype(U::pool_index)>> : std::true_type {};

  template <class U, class = void>
  struct is_clearable : std::false_type {};
  template <class U>
  struct is_clearable<U, std::void_t<decltype(std::declval<U&>().clear())>> : std::true_type {};

  [[gnu::noinline]] void grow() {  // so that taking one needs no stack frame
    const auto first = static_cast<std::uint32_t>(size());
    slabs_.push_back(std::make_unique<T[]>(slab_objects));
    free_.resize(size());
    for (std::size_t i = slab_objects; i-- > 0;) {  // the first of a slab is taken first
      T& fresh = slabs_.back()[i];
      if constexpr (is_numbered<T>::value) fresh.pool_index = first + static_cast<std::uint32_t>(i);
      free_[free_count_++] = &fresh;
    }
  }

  std::vector<std::unique_ptr<T[]>> slabs_;
  std::vector<T*> free_;  // has room for all; those that are free come first
  std::size_t free_count_ = 0;
};

// The pool that all of a process share. It outlives whatever holds its objects: units are taken
// down as late as the program itself.
template <class T, std::size_t slab_objects = 16>
object_pool<T, slab_objects>& shared_pool() {
  static auto* the_pool = new object_pool<T, slab_objects>;
  return *the_pool;
}

}  // namespace heddle
