// What algorithms say about themselves, so that nobody has to know them by name or number.
#include <catch2/catch.hpp>

#include "models/workloads/collective/algorithm.hpp"

using namespace heddle;

namespace {

const collective_algorithm& named(const std::string& name) {
  return *algorithm_registry::instance().find(name);
}

}  // namespace

TEST_CASE("hardware in the network says what bounds the bytes that it has under way") {
  CHECK(named("tree").window == window_rule::buffers_of_trees);
  CHECK(named("tree_two_phase").window == window_rule::buffers_of_trees);
  CHECK(named("scin").window == window_rule::wave_tables);
  CHECK(named("scin_inq").window == window_rule::wave_tables);
  CHECK(named("nvls").window == window_rule::multimem_requests);
  for (const collective_algorithm& each : algorithm_registry::instance().all()) {
    INFO(each.name);
    if (each.is_software()) CHECK(each.window == window_rule::none);
  }
}

TEST_CASE("an algorithm needs devices of ranks, or of the core that sets it up") {
  CHECK(named("nvls").needs_of_ranks("multimem"));
  CHECK_FALSE(named("nvls").needs_of_setup("multimem"));
  CHECK(named("tree").needs_of_setup("aggregator"));
  CHECK_FALSE(named("tree").needs_of_ranks("aggregator"));
  CHECK(named("nvls_tree").needs_of_ranks("multimem"));
  CHECK(named("nvls_tree").needs_of_setup("aggregator"));
  CHECK_FALSE(named("ring").needs_of_ranks("multimem"));
}
