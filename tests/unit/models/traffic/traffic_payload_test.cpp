#include "models/traffic/traffic_payload.hpp"

#include <catch2/catch.hpp>
#include <vector>

using heddle::traffic_payload;

TEST_CASE("every changed byte is noticed, whatever the length") {
  for (const std::size_t bytes : {1, 7, 8, 9, 240}) {
    std::vector<std::byte> data(bytes);
    traffic_payload(3, 77).fill(data.data(), bytes);
    CHECK(traffic_payload(3, 77).matches(data.data(), bytes));
    for (std::size_t i = 0; i < bytes; ++i) {
      data[i] ^= std::byte{1};
      REQUIRE_FALSE(traffic_payload(3, 77).matches(data.data(), bytes));
      data[i] ^= std::byte{1};
    }
  }
}

TEST_CASE("packets of other sources and numbers hold other bytes") {
  std::vector<std::byte> data(16);
  traffic_payload(3, 77).fill(data.data(), data.size());
  CHECK_FALSE(traffic_payload(4, 77).matches(data.data(), data.size()));
  CHECK_FALSE(traffic_payload(3, 78).matches(data.data(), data.size()));
}
