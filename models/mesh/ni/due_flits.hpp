// Flits that wait for their cycle, then for a credit: in the order of their cycles, first come
// first among equals.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "platform/time/clock_domain.hpp"
#include "transactors/flit/flit.hpp"

namespace heddle {

class due_flits {
 public:
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  cycle_t next() const { return heap_.front().due; }
  const flit& front() const { return heap_.front().waiting; }
  void push(cycle_t due, const flit& waiting) {
    heap_.push_back({due, order_++, waiting});
    std::push_heap(heap_.begin(), heap_.end());
  }
  void pop() {
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.pop_back();
  }

 private:
  struct entry {
    cycle_t due;
    std::uint64_t order;
    flit waiting;
    bool operator<(const entry& other) const {
      return due != other.due ? due > other.due : order > other.order;
    }
  };
  std::vector<entry> heap_;
  std::uint64_t order_ = 0;
};

}  // namespace heddle
