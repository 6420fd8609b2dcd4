// An all-reduce beside synthetic traffic on the same wires: slower, still right, and the critical
// path says where it waits.
#include <catch2/catch.hpp>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

struct shared_run {
  explicit shared_run(const std::string& load)
      : done(project_file("yaml/interference.yaml"),
             {{"params.load", load}, {"workload.bytes", "256 KiB"}}) {
    INFO(done.report());
    REQUIRE(done.is_verified());
    collective = done.stats()["collectives"].at(0);
    traffic = done.stats()["packet_traffic"].at(0);
    summary = done.folder().content("out/summary.txt");
  }
  double part(const char* category) const { return collective["breakdown"][category]; }
  double time() const { return collective["time_s"]; }

  heddle_run done;
  nlohmann::json collective, traffic;
  std::string summary;
};

}  // namespace

TEST_CASE("an all-reduce beside other traffic waits for the shared wires, and says so") {
  const shared_run idle("0"), busy("0.5");
  CHECK(idle.traffic["packets"] == 0);
  CHECK(busy.traffic["packets"].get<int>() > 1000);
  CHECK(busy.traffic["reordered"] == 0);
  const double slower = busy.time() - idle.time();
  CHECK(slower > 0.05 * idle.time());
  // What it lost, it lost in queues.
  CHECK(busy.part("queueing") - idle.part("queueing") > 0.8 * slower);
  CHECK(busy.part("propagation") == Approx(idle.part("propagation")).epsilon(0.2));
  const std::string longest = busy.summary.substr(busy.summary.find("longest steps"));
  const bool names_uplink = longest.find("-> spine[") != std::string::npos ||
                            longest.find("-> leaf[") != std::string::npos;
  CHECK(names_uplink);
  CHECK_THAT(longest, Catch::Contains(": queueing"));
  CHECK_THAT(busy.summary, Catch::Contains("other[*]"));
}
