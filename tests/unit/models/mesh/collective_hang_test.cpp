// Mistakes of users of a collective mesh: each is named, with the router.
#include <catch2/catch.hpp>

#include "tests/fidelity/forked_runs.hpp"
#include "tests/unit/models/mesh/mesh_bench.hpp"

using namespace heddle;

namespace {

using bench = mesh_bench<collective_router>;

std::string rejection(bench& b) {
  b.run();
  try {
    b.sim.service<run_control>().rethrow_rejection();
  } catch (const user_error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("the member of a reduction that did not arrive is named") {
  bench b(4, 1, {});
  for (const int x : {0, 1, 3})
    b.node(x, 0).send(make_flit(at(x, 0), at(0, 0), flit_op::lsb_and, at(3, 0)));
  b.run();
  CHECK(b.router(2, 0).waiting_for() == "member (2, 0) at local of a LsbAnd to (0, 0)");
  CHECK(b.router(1, 0).waiting_for() ==
        "contributions from the east ((2, 0), (3, 0)) of a LsbAnd to (0, 0)");
  CHECK(b.router(3, 0).waiting_for().empty());
}

TEST_CASE("members that send different lengths fail the run") {
  bench b(2, 1, {});
  for (int x = 0; x < 2; ++x)
    for (int beat = 0; beat < 2 + x; ++beat) {
      flit sent = make_flit(at(x, 0), at(0, 0), flit_op::add_f64, at(1, 0));
      sent.set_ends(beat == 0, beat == 1 + x);
      b.node(x, 0).send(sent);
    }
  b.run();
  REQUIRE(b.failures().size() == 1);
  CHECK(b.failures()[0] ==
        "router[0]: the members of a FP64 add to (0, 0) sent packets of different lengths: "
        "what came in at east goes on where the others end");
}

// Two nodes give to two reductions in different orders. Returns how many came out.
namespace {
std::size_t crossed(std::uint64_t reductions) {
  bench b(2, 1, {}, [&](collective_router_parameters& p) { p.reductions.set(reductions); });
  for (int x = 0; x < 2; ++x)
    for (const unsigned tag : {1U + static_cast<unsigned>(x), 2U - static_cast<unsigned>(x)}) {
      flit sent = make_flit(at(x, 0), at(0, 0), flit_op::lsb_and, at(1, 0));
      sent.tag = tag;
      b.node(x, 0).send(sent);
    }
  b.run();
  return b.node(0, 0).received.size();
}
}  // namespace

TEST_CASE("reductions that cross need room for all of them") {
  const auto came_out = forked_runs(std::vector<std::uint64_t>{0, 2, 1}, crossed);
  CHECK(came_out == std::vector<std::size_t>{2, 2, 0});
}

TEST_CASE("flits of a reduction that wait for the same member are counted") {
  bench b(2, 1, {});
  for (int beat = 0; beat < 3; ++beat) {
    flit sent = make_flit(at(1, 0), at(0, 0), flit_op::add_f64, at(1, 0));
    sent.set_ends(beat == 0, beat == 2);
    b.node(1, 0).send(sent);
  }
  b.node(1, 0).send(make_flit(at(1, 0), at(0, 0), flit_op::lsb_and, at(1, 0)));
  b.run();
  CHECK(b.router(0, 0).waiting_for() ==
        "member (0, 0) at local of 3 flits of a FP64 add to (0, 0), member (0, 0) at local of a "
        "LsbAnd to (0, 0)");
}

TEST_CASE("a reduction that crosses another where none may fails the run") {
  bench b(4, 1, {}, [](collective_router_parameters& p) { p.crossing.set(false); });
  b.node(0, 0).send(make_flit(at(0, 0), at(0, 0), flit_op::lsb_and, at(3, 0)));
  flit other = make_flit(at(1, 0), at(0, 0), flit_op::lsb_and, at(1, 0));
  other.tag = 1;
  b.node(1, 0).send(other);
  b.run();
  REQUIRE(b.failures().size() == 1);
  CHECK(b.failures()[0] ==
        "router[0]: a LsbAnd to (0, 0) of members (1, 0) mask (1, 0) comes while one to (0, 0) of "
        "members (0, 0) mask (3, 0) waits: reductions do not cross here (`crossing: false`); let a "
        "barrier keep them apart");
}

TEST_CASE("members of a reduction that state different masks fail the run") {
  bench b(4, 1, {}, [](collective_router_parameters& p) { p.crossing.set(false); });
  b.node(0, 0).send(make_flit(at(0, 0), at(0, 0), flit_op::lsb_and, at(3, 0)));
  b.node(1, 0).send(make_flit(at(1, 0), at(0, 0), flit_op::lsb_and, at(1, 0)));
  b.run();
  REQUIRE(b.failures().size() == 1);
  CHECK(b.failures()[0] ==
        "router[0]: members of a LsbAnd to (0, 0) do not agree who they are: (1, 0) says the mask "
        "(1, 0), while what waits came from (0, 0) and says (3, 0): the members overlap, but their "
        "masks differ");
}

TEST_CASE("a multicast beyond the mesh is refused") {
  bench b(3, 1, {});
  b.node(0, 0).send(make_flit(at(0, 0), at(0, 0), flit_op::multicast, at(3, 0)));
  CHECK(rejection(b) ==
        "router[2]: a multicast for (0, 0) mask (3, 0) has to leave to the east, where the mesh "
        "ends");
}

TEST_CASE("members of a reduction beyond the mesh are refused") {
  bench b(3, 1, {});
  b.node(2, 0).send(make_flit(at(2, 0), at(0, 0), flit_op::lsb_and, at(3, 0)));
  CHECK(rejection(b) == "router[2]: members (2, 0) mask (3, 0) of a LsbAnd lie outside the mesh");
}

TEST_CASE("a link that moves less than a flit in a cycle is refused") {
  mesh_links links;
  links.flit = 16;
  bench b(2, 1, links);
  CHECK_THROWS_WITH(b.run(),
                    "the link from router[0].east to router[1].west has `flit: 16 B`, a flit of "
                    "router[0].east has 64 B of data: a link moves a flit a cycle, so state `flit: "
                    "64 B`");
}

TEST_CASE("an arithmetic reduction needs a functional unit") {
  test_bench b;
  auto& router = b.add<collective_router>("router");
  auto& node = b.add_stimulus<flit_endpoint>("node", at(0, 0));
  auto& far = b.add_stimulus<flit_endpoint>("far", at(1, 0));
  const flit_link_parameters link;
  node.find_port("port")->connect(*router.find_port("local"), &link);
  far.find_port("port")->connect(*router.find_port("east"), &link);
  for (flit_endpoint* each : {&node, &far})
    each->send(make_flit(each->here, at(0, 0), flit_op::add_f64, at(1, 0)));
  b.run();
  CHECK_THROWS_WITH(
      b.sim.service<run_control>().rethrow_rejection(),
      "router: a FP64 add needs a functional unit at the offload port, which is open");
}
