// Which virtual channels of a link requests and responses use.
#include <catch2/catch.hpp>

#include "transactors/packet/vc_partition.hpp"

using namespace heddle;

TEST_CASE("requests have the lower half of the virtual channels, responses the upper half") {
  const int vcs = GENERATE(2, 4, 16);
  const vc_partition classes(vcs);
  CHECK(classes.of_class() == vcs / 2);
  CHECK(classes.first(packet_kind::write_request) == 0);
  CHECK(classes.first(packet_kind::write_response) == vcs / 2);
  for (int vc = 0; vc < vcs; ++vc) {
    CHECK(classes.admits(packet_kind::read_request, vc) == (vc < vcs / 2));
    CHECK(classes.admits(packet_kind::read_response, vc) == (vc >= vcs / 2));
  }
}

TEST_CASE("flows spread over the virtual channels of their class") {
  const int vcs = GENERATE(2, 3, 4, 7, 16);
  const vc_partition classes(vcs);
  for (const packet_kind kind : {packet_kind::read_request, packet_kind::read_response})
    for (unsigned flow = 0; flow < 20; ++flow) {
      const int vc = classes.of_flow(kind, flow);
      CHECK(vc < vcs);
      CHECK(classes.admits(kind, vc));
      CHECK(vc == classes.first(kind) + static_cast<int>(flow) % (vcs / 2));
    }
}
