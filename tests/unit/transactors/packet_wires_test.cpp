// What a byte of payload weighs on the wires when packets are full.
#include <catch2/catch.hpp>

#include "transactors/packet/packet_wires.hpp"

using namespace heddle;

TEST_CASE("full packets weigh payload, padding and header, and are answered by a header") {
  const endpoint_wires even = wires_of_full_packets({128, 16, 16});
  CHECK(even.data == 144. / 128);
  CHECK(even.response == 16. / 128);
  CHECK(even.bytes_per_second == 0);
  const endpoint_wires padded = wires_of_full_packets({100, 16, 32});
  CHECK(padded.data == (16 + 128) / 100.);
  CHECK(padded.response == 16 / 100.);
}
