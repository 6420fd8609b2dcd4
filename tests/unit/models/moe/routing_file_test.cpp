#include "models/workloads/moe/routing_file.hpp"

#include <catch2/catch.hpp>
#include <fstream>

#include "platform/text/diagnostic.hpp"
#include "tests/support/scratch_folder.hpp"

namespace heddle {
namespace {

void write_npy_file(const std::filesystem::path& path, const std::string& dictionary,
                    const std::vector<std::int16_t>& data) {
  std::string header = dictionary;
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  file << "\x93NUMPY" << '\x01' << '\x00' << static_cast<char>(header.size() & 0xff)
       << static_cast<char>(header.size() >> 8) << header;
  file.write(reinterpret_cast<const char*>(data.data()),
             static_cast<std::streamsize>(data.size() * sizeof(std::int16_t)));
}

moe_shape recorded_shape() {
  moe_shape shape;
  shape.gpus = 2;
  shape.experts = 4;
  shape.tokens = 2;
  shape.topk = 2;
  return shape;
}

// What is said of the file.
std::string refusal_of(const std::filesystem::path& path) {
  try {
    read_routing(path, recorded_shape());
  } catch (const user_error& error) {
    return error.what();
  }
  return "accepted";
}

TEST_CASE("a recorded routing, with tokens that have fewer experts") {
  const scratch_folder folder;
  const auto path = std::filesystem::path(folder.file("routing.npy"));
  write_npy_file(path, "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 2, 2), }",
                 {0, 3, 2, -1, -1, -1, 3, 1});
  const expert_routing routing = read_routing(path, recorded_shape());
  REQUIRE(routing.entries() == 5);
  REQUIRE(routing.of(1).count == 1);
  REQUIRE(*routing.of(1).begin() == 2);
  REQUIRE(routing.of(2).count == 0);
  REQUIRE(routing.of(3).begin()[1] == 1);
}

TEST_CASE("a recorded routing of another shape, type or length is refused with its place") {
  const scratch_folder folder;
  const auto path = std::filesystem::path(folder.file("routing.npy"));
  const auto refusal = [&] { return refusal_of(path); };
  write_npy_file(path, "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 4), }",
                 {0, 1, 2, 3, 0, 1, 2, 3});
  REQUIRE_THAT(refusal(), Catch::Contains("routing.npy: byte") && Catch::Contains("[2, 2, 2]"));
  write_npy_file(path, "{'descr': '<f2', 'fortran_order': False, 'shape': (2, 2, 2), }",
                 {0, 1, 2, 3, 0, 1, 2, 3});
  REQUIRE_THAT(refusal(), Catch::Contains("'<i2'"));
  write_npy_file(path, "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 2, 2), }", {0, 1});
  REQUIRE_THAT(refusal(), Catch::Contains("expected 16 B of data, found 4"));
}

TEST_CASE("a recorded routing to experts that are none, or twice to one, is refused") {
  const scratch_folder folder;
  const auto path = std::filesystem::path(folder.file("routing.npy"));
  const auto refusal = [&](const std::vector<std::int16_t>& experts) {
    write_npy_file(path, "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 2, 2), }", experts);
    return refusal_of(path);
  };
  CHECK(refusal({0, 3, 2, -1, -1, -1, 3, 1}) == "accepted");
  CHECK_THAT(refusal({0, 3, 2, 4, -1, -1, 3, 1}),
             Catch::EndsWith("token 1 is for expert 4, of 4 (-1: for none)"));
  CHECK_THAT(refusal({0, 3, 2, -2, -1, -1, 3, 1}), Catch::Contains("token 1 is for expert -2"));
  CHECK_THAT(refusal({0, 3, 2, -1, -1, -1, 3, 3}),
             Catch::EndsWith("token 3 is for expert 3 twice"));
}

}  // namespace
}  // namespace heddle
