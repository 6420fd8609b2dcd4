#include "transactors/flit/flit_buffers.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>

#include "platform/random/random_stream.hpp"

using namespace heddle;

TEST_CASE("receive buffers lie in cache lines of their own, zeroed, none over another") {
  random_stream random(7, "buffers");
  flit_buffers buffers;
  struct taken {
    std::byte *first, *end;
  };
  std::vector<taken> all;
  for (int i = 0; i < 300; ++i) {
    const std::size_t cells = i % 50 == 0 ? flit_buffers::most_cells : 1 + random.below(300);
    auto* const first = reinterpret_cast<std::byte*>(buffers.take(cells));
    REQUIRE(reinterpret_cast<std::uintptr_t>(first) % 64 == 0);
    std::byte* const end = first + cells * sizeof(flit);
    REQUIRE(std::all_of(first, end, [](std::byte each) { return each == std::byte{0}; }));
    std::memset(first, 0xff, cells * sizeof(flit));
    all.push_back({first, end});
  }
  std::sort(all.begin(), all.end(),
            [](const taken& a, const taken& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < all.size(); ++i) REQUIRE(all[i - 1].end <= all[i].first);
}
