// The runtime's object of dynamic multimem: what it writes into a layer, and what it refuses.
#include <catch2/catch.hpp>
#include <string>

#include "drivers/dymulticast.h"

namespace {

constexpr std::uint64_t range = UINT64_C(1) << 44;
constexpr std::uint32_t nactive[] = {3, 0}, too_many[] = {3, 9}, other[] = {3, 1};
constexpr dymulticast_memory in = {0x1000, 3 * 256}, out = {0x2000, 3 * 256};

struct bound_object {
  dymulticast object{};
  bound_object() {
    REQUIRE(dymulticast_create(&object, {256, 2}) == DYMULTICAST_OK);
    REQUIRE(dymulticast_add_device(&object, 0) == DYMULTICAST_OK);
    REQUIRE(dymulticast_add_device(&object, 1) == DYMULTICAST_OK);
  }
  dymulticast_error bind(std::uint32_t stage, dymulticast_memory memory = in,
                         const std::uint32_t* counts = nactive, std::uint64_t offset = 512) {
    return dymulticast_bind(&object, offset, 8, memory, counts, 2, stage);
  }
};

}  // namespace

TEST_CASE("an object that is bound for both stages becomes a layer's addresses") {
  bound_object of;
  CHECK(of.bind(DYMULTICAST_DISPATCH) == DYMULTICAST_OK);
  CHECK(of.bind(DYMULTICAST_COMBINE, out) == DYMULTICAST_OK);
  token_layer layer{};
  REQUIRE(dymulticast_map(&of.object, range, &layer) == DYMULTICAST_OK);
  CHECK(layer.gpus == 2);
  CHECK(layer.tokens == 4);
  CHECK(layer.hidden == 128);
  CHECK(layer.experts_per_gpu == 2);
  CHECK(layer.range == range + 512);
  CHECK(layer.experts_in == in.pointer);
  CHECK(layer.experts_out == out.pointer);
  CHECK(dymulticast_map(&of.object, range, &layer) == DYMULTICAST_MAPPED);
  CHECK(of.bind(DYMULTICAST_DISPATCH) == DYMULTICAST_MAPPED);
  CHECK(dymulticast_add_device(&of.object, 2) == DYMULTICAST_MAPPED);
}

TEST_CASE("tokens that the devices cannot share equally are refused") {
  bound_object of;
  token_layer layer{};
  CHECK(dymulticast_add_device(&of.object, 2) == DYMULTICAST_OK);
  CHECK(of.bind(DYMULTICAST_DISPATCH) == DYMULTICAST_OK);
  CHECK(of.bind(DYMULTICAST_COMBINE, out) == DYMULTICAST_OK);
  CHECK(dymulticast_map(&of.object, range, &layer) == DYMULTICAST_BAD_COUNT);  // 8 tokens for 3
  CHECK(layer.gpus == 0);
  CHECK(dymulticast_add_device(&of.object, 3) == DYMULTICAST_OK);
  CHECK(dymulticast_map(&of.object, range, &layer) == DYMULTICAST_OK);
  CHECK(layer.tokens == 2);
}

TEST_CASE("a gap among the devices is refused") {
  dymulticast object{};
  token_layer layer{};
  CHECK(dymulticast_create(&object, {256, 2}) == DYMULTICAST_OK);
  CHECK(dymulticast_add_device(&object, 0) == DYMULTICAST_OK);
  CHECK(dymulticast_add_device(&object, 2) == DYMULTICAST_OK);
  CHECK(dymulticast_bind(&object, 0, 8, in, nactive, 2, DYMULTICAST_DISPATCH) == DYMULTICAST_OK);
  CHECK(dymulticast_bind(&object, 0, 8, out, nactive, 2, DYMULTICAST_COMBINE) == DYMULTICAST_OK);
  CHECK(dymulticast_map(&object, range, &layer) == DYMULTICAST_BAD_DEVICE);
  CHECK(layer.gpus == 0);
}

TEST_CASE("every error of an object has a name of its own") {
  CHECK(std::string(dymulticast_error_name(DYMULTICAST_OK)) == "dymulticast: ok");
  CHECK(std::string(dymulticast_error_name(DYMULTICAST_MAPPED)) == "dymulticast: is mapped");
  CHECK(std::string(dymulticast_error_name(static_cast<dymulticast_error>(15))) ==
        "dymulticast: unknown error");
}

TEST_CASE("vectors and devices that make no object") {
  dymulticast object{};
  CHECK(dymulticast_create(&object, {0, 2}) == DYMULTICAST_BAD_PROPERTY);
  CHECK(dymulticast_create(&object, {255, 2}) == DYMULTICAST_BAD_PROPERTY);
  CHECK(dymulticast_create(&object, {256, 1}) == DYMULTICAST_BAD_PROPERTY);
  bound_object of;
  CHECK(dymulticast_add_device(&of.object, 1) == DYMULTICAST_BAD_DEVICE);
  CHECK(dymulticast_add_device(&of.object, 64) == DYMULTICAST_BAD_DEVICE);
}

TEST_CASE("blocks that are not bound, and layers that are not complete") {
  bound_object of;
  token_layer layer{};
  CHECK(of.bind(2) == DYMULTICAST_BAD_STAGE);
  CHECK(of.bind(DYMULTICAST_DISPATCH, in, nactive, 100) == DYMULTICAST_BAD_OFFSET);
  CHECK(of.bind(DYMULTICAST_DISPATCH, in, nactive, (UINT64_C(1) << 48) - 1024) ==
        DYMULTICAST_BAD_OFFSET);
  CHECK(of.bind(DYMULTICAST_DISPATCH, in, too_many) == DYMULTICAST_BAD_COUNT);
  CHECK(of.bind(DYMULTICAST_DISPATCH, {0x1000, 3 * 256 - 1}) == DYMULTICAST_NO_ROOM);
  CHECK(of.bind(DYMULTICAST_DISPATCH) == DYMULTICAST_OK);
  CHECK(of.bind(DYMULTICAST_DISPATCH) == DYMULTICAST_BOUND);
  CHECK(of.bind(DYMULTICAST_COMBINE, out, other) == DYMULTICAST_BAD_COUNT);
  CHECK(of.bind(DYMULTICAST_COMBINE, out, nactive, 0) == DYMULTICAST_BAD_OFFSET);
  CHECK(dymulticast_map(&of.object, range, &layer) == DYMULTICAST_NOT_BOUND);
  CHECK(layer.gpus == 0);
  CHECK(std::string(dymulticast_error_name(DYMULTICAST_NOT_BOUND)) == "dymulticast: not bound");
}
