// Pages that a hart accesses directly, found by one comparison that also tells whether the access
// is aligned.
#pragma once

#include <array>

#include "models/cpu/rv/hart_bus.hpp"

namespace heddle::rv {

template <class X>
class direct_pages {
 public:
  direct_pages() { clear(); }

  void clear() {
    for (entry& each : entries_) each = {no_page, nullptr};
  }
  void add(X address, unsigned char* page) {
    entries_[index_of(address)] = {static_cast<X>(address & page_mask), page};
  }

  // nullptr when the page is not known or the address is not a multiple of sizeof(T).
  template <class T>
  unsigned char* find(X address) const {
    const entry& known = entries_[index_of(address)];
    return (address & (page_mask | (sizeof(T) - 1))) == known.page
               ? known.bytes + (address & ~page_mask)
               : nullptr;
  }

 private:
  static constexpr X page_mask = ~static_cast<X>(hart_bus::page_bytes - 1);
  static constexpr X no_page = 8;  // what no address is, once masked
  struct entry {
    X page;
    unsigned char* bytes;
  };

  static std::size_t index_of(X address) {
    return static_cast<std::size_t>(address / hart_bus::page_bytes) % 256;
  }

  std::array<entry, 256> entries_;
};

}  // namespace heddle::rv
