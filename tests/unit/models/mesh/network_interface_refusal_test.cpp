// Mistakes at a network interface: each is named.
#include <catch2/catch.hpp>

#include "tests/support/flit_endpoint.hpp"
#include "tests/unit/models/mesh/tile_bench.hpp"

using namespace heddle;

namespace {

std::string refusal_of(const std::function<void(mesh_map_parameters&)>& configure) {
  mesh_map_parameters p;
  configure(p);
  try {
    const mesh_map made(p, "ni");
  } catch (const user_error& error) {
    return error.what();
  }
  return {};
}

// What the run says of a collective burst from tile 0.
std::vector<std::string> failures_of(flit_op op, std::uint64_t mask, std::uint64_t address) {
  tile_bench b(4, 4);
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  b.thread([&] {
    std::array<unsigned char, 64> data{};
    beat_extension beats;
    beats.op = op;
    beats.mask = mask;
    tlm::tlm_generic_payload payload;
    set_access(payload, tlm::TLM_WRITE_COMMAND, address, data.data(), 64);
    payload.set_extension(&beats);
    status = b.engine(0).transport(payload, 0).status;
    payload.clear_extension(&beats);
  });
  b.run();
  CHECK(status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  return b.failures();
}

// Of an interface whose link moves so many bytes a cycle.
std::string refusal_of_link(const std::string& name, std::uint64_t bytes) {
  test_bench b;
  auto& ni = b.add<network_interface>("ni");
  auto& far = b.add_stimulus<flit_endpoint>("far", mesh_position{});
  flit_link_parameters link;
  link.flit.set({bytes});
  ni.find_port(name)->connect(*far.find_port("port"), &link);
  try {
    b.run();
  } catch (const user_error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a submesh that masks cannot name is refused") {
  CHECK(refusal_of([](mesh_map_parameters& p) { p.width.set(3); }).empty());  // it has no masks
  CHECK(
      refusal_of([](mesh_map_parameters& p) { p.origin_x.set(2); }) ==
      "ni: a submesh of 4 x 4 at (2, 0): its origin is a multiple of its size, because masks name "
      "its tiles");
  CHECK(refusal_of([](mesh_map_parameters& p) { p.tile_size.set({5000}); }) ==
        "ni: tile_size 5000 is not a power of two");
  CHECK(refusal_of([](mesh_map_parameters& p) { p.base.set({0x40000}); }) ==
        "ni: base 0x40000 is not a multiple of the submesh's 0x400000 B");
  CHECK(refusal_of([](mesh_map_parameters& p) { p.origin_x.set(4); }).empty());
}

TEST_CASE("addresses that two would have are refused") {
  const auto with_memory_at = [](std::uint64_t base) {
    return refusal_of([base](mesh_map_parameters& p) {
      p.memory_size.set({1 << 20});
      p.memory_base.set({base});
    });
  };
  CHECK(with_memory_at(0x10300000) ==
        "ni: memory tiles at 0x10300000 to 0x106fffff have addresses of tiles, which are at "
        "0x10000000 to 0x103fffff: move memory_base or base");
  CHECK(!with_memory_at(0xfc00001).empty());
  CHECK(with_memory_at(0xfc00000).empty());
  CHECK(with_memory_at(0x10400000).empty());
}

TEST_CASE("an alias inside the addresses of tiles or memories is refused") {
  mesh_map_parameters p;
  p.memory_size.set({1 << 20});
  const mesh_map map(p, "ni");
  CHECK_THROWS_WITH(map.check_alias(0, "ni"),
                    "ni: alias 0x0 makes a collective of every access from there on, and tiles and "
                    "memories have addresses up to 0x403fffff: state one above");
  CHECK_THROWS(map.check_alias(0x403fffff, "ni"));
  CHECK_NOTHROW(map.check_alias(0x40400000, "ni"));
}

TEST_CASE("addresses, nodes and masks of a submesh with memory tiles beside it") {
  mesh_map_parameters p;
  p.origin_x.set(4);
  p.memory_x.set(3);
  p.memory_size.set({1 << 20});
  const mesh_map map(p, "ni");
  CHECK(map.node_of(0x10000000) == mesh_position{4, 0});
  CHECK(map.node_of(0x10000000 + 6 * 0x40000 + 5) == mesh_position{6, 1});
  CHECK(map.node_of(0x40000000 + (2 << 20)) == mesh_position{3, 2});
  CHECK(!map.node_of(0x40000000 + (4 << 20)));
  CHECK(!map.node_of(0x10000000 + 16 * 0x40000));
  CHECK(map.position_mask(0x7 * 0x40000) == mesh_position{3, 1});
  CHECK(!map.position_mask(0x40001));
  CHECK(!map.position_mask(16 * 0x40000));
  CHECK(map.resolve(0x10000123, {7, 3}) == 0x10000000 + 15 * 0x40000 + 0x123);
}

TEST_CASE("a submesh whose sides are no powers of two has addresses and no masks") {
  mesh_map_parameters p;
  p.width.set(3);
  p.height.set(5);
  p.base.set({0x10040000});
  const mesh_map map(p, "ni");
  CHECK(map.node_of(0x10040000 + 14 * 0x40000 + 8) == mesh_position{2, 4});
  CHECK(!map.node_of(0x10040000 + 15 * 0x40000));
  CHECK(map.first_of({1, 3}) == 0x10040000 + 10 * 0x40000);
  CHECK(!map.position_mask(0x40000));
  CHECK(map.obstacle_to_masks() ==
        "masks name tiles by bits of their addresses, so both sides of the mesh have to be powers "
        "of two: this one is 3 x 5");
}

TEST_CASE("a wide link that moves less than a beat a cycle is refused") {
  CHECK(refusal_of_link("wide", 16) ==
        "the link from ni.wide to far.port has `flit: 16 B`, a flit of ni.wide has 64 B of data: a "
        "link moves a flit a cycle, so state `flit: 64 B`");
}

TEST_CASE("a narrow link that moves more than a word a cycle is refused") {
  CHECK(refusal_of_link("rsp", 64) ==
        "the link from ni.rsp to far.port has `flit: 64 B`, a flit of ni.rsp has 8 B of data: a "
        "link moves a flit a cycle, so state `flit: 8 B`");
}

TEST_CASE("a mask with bits below a tile's addresses is refused by name") {
  CHECK(failures_of(flit_op::multicast, 0x40100, tile_bench::base) ==
        std::vector<std::string>{
            "ni[0]: a multicast of 64 B at 0x10000000: its mask 0x40100 has bits that are no "
            "coordinate's: tiles are 0x40000 addresses apart, there are 4 x 4"});
}

TEST_CASE("a mask that names tiles outside the submesh is refused by name") {
  CHECK(failures_of(flit_op::add_f64, 16 * 0x40000, tile_bench::base) ==
        std::vector<std::string>{
            "ni[0]: a FP64 add of 64 B at 0x10000000: its mask 0x400000 has bits that are no "
            "coordinate's: tiles are 0x40000 addresses apart, there are 4 x 4"});
}

TEST_CASE("a collective access before the operation was written is refused") {
  tile_bench b(2, 1);
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  b.thread([&] {
    std::uint64_t one = 1;
    status = b.core(0).write(b.tile(1) + tile_bench::alias, &one, 8).status;
  });
  b.run();
  CHECK(status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  REQUIRE(b.failures().size() == 1);
  CHECK(b.failures()[0] ==
        "ni[0]: a collective access of 8 B at 0x10040000 is refused: its register `operation` is "
        "NONE: write MULTICAST or LSB_AND there, and `mask`, first");
}

TEST_CASE("an address that no tile has is an error response") {
  CHECK(failures_of(flit_op::unicast, 0, 0x20000000).empty());
}

TEST_CASE("an access without a data pointer is a generic error") {
  tile_bench b(2, 1);
  std::vector<tlm::tlm_response_status> got;
  b.thread([&] {
    for (const unsigned bytes : {0U, 8U, 64U, 256U}) {
      got.push_back(b.engine(0).read(b.tile(1), nullptr, bytes).status);
      got.push_back(b.engine(0).write(b.tile(1), nullptr, bytes).status);
    }
  });
  b.run();
  CHECK(got == std::vector<tlm::tlm_response_status>(8, tlm::TLM_GENERIC_ERROR_RESPONSE));
}

TEST_CASE("a member that has not come is named where it is missing") {
  tile_bench b(4, 1);
  for (int tile = 0; tile < 3; ++tile)
    b.thread([&, tile] {
      std::array<double, 8> data{};
      beat_extension beats;
      beats.op = flit_op::add_f64;
      beats.mask = 3 * tile_bench::tile_size;
      tlm::tlm_generic_payload payload;
      set_access(payload, tlm::TLM_WRITE_COMMAND, b.tile(0),
                 reinterpret_cast<unsigned char*>(data.data()), 64);
      payload.set_extension(&beats);
      b.engine(tile).transport(payload, 0);
      payload.clear_extension(&beats);
    });
  b.run_for(1000 * fs_per_ns);
  CHECK(b.interface(0).waiting_for() == "the response to a write of 64 B at 0x10000000 (FP64 add)");
  CHECK(b.interface(3).waiting_for().empty());
}
