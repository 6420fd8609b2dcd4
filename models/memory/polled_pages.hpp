// Which pages of a memory are polled, and so are left out of direct access: what is written to them
// has to be seen. An initiator that asks for such a page itself gets it, and from then on cores
// that poll there do so access by access.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_set>
#include <vector>

namespace heddle {

struct direct_span {
  std::uint64_t begin, end;  // [begin, end)
};

class polled_pages {
 public:
  static constexpr std::uint64_t page_bytes = 4096;
  static std::uint64_t start_of(std::uint64_t address) { return address / page_bytes * page_bytes; }

  enum class verdict { is_granted, is_known, is_new };

  // Somebody wants to sleep until a word of the page changes. `is_new`: what was granted before may
  // cover the page.
  verdict poll(std::uint64_t address) {
    const std::uint64_t page = start_of(address);
    if (granted_.count(page) > 0) return verdict::is_granted;
    if (std::find(polled_.begin(), polled_.end(), page) != polled_.end()) return verdict::is_known;
    polled_.push_back(page);
    return verdict::is_new;
  }

  // Somebody wants direct access to the page. True: it was polled until now.
  bool grant(std::uint64_t address) {
    const std::uint64_t page = start_of(address);
    granted_.insert(page);
    const auto found = std::find(polled_.begin(), polled_.end(), page);
    if (found == polled_.end()) return false;
    polled_.erase(found);
    return true;
  }

  // As much of the span around the address as is not polled.
  direct_span around(std::uint64_t address, direct_span span) const {
    for (const std::uint64_t page : polled_) {
      if (page > address) span.end = std::min(span.end, page);
      if (page < address) span.begin = std::max(span.begin, page + page_bytes);
    }
    return span;
  }

 private:
  // First addresses. The few pages of flags are polled.
  std::vector<std::uint64_t> polled_;
  std::unordered_set<std::uint64_t> granted_;
};

}  // namespace heddle
