// Infinities, NaNs, denormals and both zeros through every datapath that reduces: accelerators,
// switches, the routers of a mesh. The expected bits are written down here, number by number;
// nothing of the platform's arithmetic is used. The inputs are such that the order in which ranks
// meet makes no difference: every sum is exact, or an infinity, or a NaN.
#include <array>
#include <catch2/catch.hpp>
#include <cstring>

#include "platform/tensor/npy.hpp"
#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

constexpr std::size_t ranks = 4;

// The bit patterns of a floating-point type. Every NaN result is `quiet_nan`.
struct patterns {
  std::uint64_t sign, infinity, quiet_nan, one, four;
  std::uint64_t smallest = 1;  // denormal
  std::uint64_t largest() const { return infinity - 1; }
  std::uint64_t largest_denormal() const { return smallest_normal() - 1; }
  std::uint64_t smallest_normal() const { return infinity & (~infinity + 1); }
  std::uint64_t payload_nan() const { return quiet_nan | 5; }
  std::uint64_t signaling_nan() const { return infinity | 1; }
  std::uint64_t negative(std::uint64_t of) const { return of | sign; }
};

patterns patterns_of(dtype type) {
  switch (type) {
    case dtype::fp16:
      return {0x8000, 0x7c00, 0x7e00, 0x3c00, 0x4400};
    case dtype::bf16:
      return {0x8000, 0x7f80, 0x7fc0, 0x3f80, 0x4080};
    case dtype::fp32:
      return {0x80000000, 0x7f800000, 0x7fc00000, 0x3f800000, 0x40800000};
    case dtype::fp8:
      return {0x80, 0x7c, 0x7e, 0x3c, 0x44};
    default:
      return {0x8000000000000000, 0x7ff0000000000000, 0x7ff8000000000000, 0x3ff0000000000000,
              0x4010000000000000};
  }
}

// What the ranks hold of an element, in any order, and what it becomes.
struct special {
  std::array<std::uint64_t, ranks> inputs;
  std::uint64_t sum, min, max;

  std::uint64_t result(const std::string& op) const {
    return op == "sum" ? sum : op == "min" ? min : max;
  }
};

std::vector<special> specials_of(dtype type) {
  if (type == dtype::int32)
    return {{{1, 1, 1, 1}, 4, 1, 1},
            {{0x7fffffff, 1, 0, 0}, 0x80000000, 0, 0x7fffffff},
            {{0x80000000, 0xffffffff, 0, 0}, 0x7fffffff, 0x80000000, 0},
            {{0x80000000, 0x80000000, 0x7fffffff, 5}, 0x80000004, 0x80000000, 0x7fffffff}};
  const patterns p = patterns_of(type);
  const std::uint64_t nan = p.quiet_nan, one = p.one, zero = 0, minus_zero = p.sign;
  const std::uint64_t infinity = p.infinity, minus_infinity = p.negative(infinity);
  const std::uint64_t tiny = p.smallest, minus_tiny = p.negative(tiny), huge = p.largest();
  const std::uint64_t minus_huge = p.negative(huge);
  return {
      {{one, one, one, one}, p.four, one, one},
      {{p.payload_nan(), one, one, one}, nan, nan, nan},
      {{p.negative(p.payload_nan()), one, one, one}, nan, nan, nan},
      {{p.signaling_nan(), one, one, one}, nan, nan, nan},
      {{p.payload_nan(), p.signaling_nan(), infinity, one}, nan, nan, nan},
      {{infinity, minus_infinity, one, one}, nan, minus_infinity, infinity},
      {{infinity, infinity, one, one}, infinity, one, infinity},
      {{minus_infinity, one, one, one}, minus_infinity, minus_infinity, one},
      {{minus_zero, minus_zero, minus_zero, minus_zero}, minus_zero, minus_zero, minus_zero},
      {{zero, minus_zero, minus_zero, minus_zero}, zero, minus_zero, zero},
      {{tiny, tiny, tiny, tiny}, 4 * tiny, tiny, tiny},
      {{tiny, minus_tiny, tiny, minus_tiny}, zero, minus_tiny, tiny},
      {{tiny, minus_zero, minus_zero, minus_zero}, tiny, minus_zero, tiny},
      {{p.largest_denormal(), tiny, zero, zero}, p.smallest_normal(), zero, p.largest_denormal()},
      {{huge, huge, huge, huge}, infinity, huge, huge},
      {{huge, minus_huge, minus_zero, minus_zero}, zero, minus_huge, huge},
  };
}

void put(npy_array& to, std::size_t at, std::uint64_t bits) {
  std::memcpy(to.data.data() + at * size_of(to.type), &bits, size_of(to.type));
}

std::uint64_t take(const npy_array& from, std::size_t at) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, from.data.data() + at * size_of(from.type), size_of(from.type));
  return bits;
}

using inputs = std::array<npy_array, ranks>;

// A run of an all-reduce, or of a reduction to rank 0, and what it leaves there.
struct task {
  std::string netlist;
  settings values;
  std::string collective, algorithm;
};

void check(const task& of, const std::string& op, const inputs& given, const npy_array& expected) {
  const scratch_folder folder;
  for (std::size_t rank = 0; rank < ranks; ++rank)
    write_npy(folder.file("in" + std::to_string(rank) + ".npy"), given[rank]);
  settings values = of.values;
  values.insert(values.end(), {{"workload.collective", of.collective},
                               {"workload.algorithm", of.algorithm},
                               {"workload.dtype", std::string(name_of(expected.type))},
                               {"workload.op", op},
                               {"workload.input", folder.file("in{r}.npy")},
                               {"workload.bytes", ""}});
  command line = run_command(project_file(of.netlist), "out", values);
  line.folder = folder.path();
  const command_result result = run(line);
  INFO(of.algorithm << " " << name_of(expected.type) << " " << op << "\n" << result.errors);
  REQUIRE(result.exited_with(0));
  const npy_array got = read_npy(folder.file("out/result_rank0.npy"), expected.type);
  for (std::size_t i = 0; i < expected.shape[0]; ++i) {
    INFO("element " << i << ": " << std::hex << take(got, i) << " instead of "
                    << take(expected, i));
    CHECK(take(got, i) == take(expected, i));
  }
}

npy_array zeros(dtype type, std::size_t elements) {
  return {type, {elements}, std::vector<std::byte>(elements * size_of(type))};
}

// Every special in every order of its inputs that a rotation gives.
void check_specials(const task& of, dtype type, const std::string& op) {
  constexpr std::size_t elements = 64;
  const std::vector<special> all = specials_of(type);
  npy_array expected = zeros(type, elements);
  inputs given;
  given.fill(expected);
  for (std::size_t i = 0; i < elements; ++i) {
    const special& each = all[i % all.size()];
    put(expected, i, each.result(op));
    for (std::size_t rank = 0; rank < ranks; ++rank)
      put(given[rank], i, each.inputs[(rank + i / all.size()) % ranks]);
  }
  check(of, op, given, expected);
}

const std::vector<dtype> all_types = {dtype::fp16, dtype::bf16,  dtype::fp32,
                                      dtype::fp64, dtype::int32, dtype::fp8};
const std::vector<dtype> switch_types = {dtype::fp16, dtype::bf16, dtype::fp32, dtype::int32};

void check_all(const task& of, const std::vector<dtype>& types) {
  for (const dtype type : types)
    for (const char* op : {"sum", "min", "max"}) check_specials(of, type, op);
}

task on_gpus(const std::string& algorithm) {
  return {"yaml/scin_dgx8.yaml", {{"params.gpus", "4"}}, "allreduce", algorithm};
}

task with(task of, const std::string& key, const std::string& value) {
  of.values.emplace_back(key, value);
  return of;
}

task on_racks(const std::string& leaves) {
  return {"yaml/tree_allreduce.yaml",
          {{"params.leaves", leaves}, {"params.hosts", leaves == "2" ? "2" : "4"}},
          "allreduce",
          "tree"};
}

task on_tiles(const std::string& collective, const std::string& algorithm) {
  return {"yaml/mesh_tiles.yaml",
          {{"params.width", "2"}, {"params.height", "2"}},
          collective,
          algorithm};
}

}  // namespace

TEST_CASE("special numbers through the vector units of accelerators") {
  check_all(on_gpus(GENERATE("ring", "direct", "halving_doubling")), all_types);
}

TEST_CASE("special numbers in lines that bring their flags") {
  check_all(with(on_gpus("ring"), "workload.protocol", "in_packet"), all_types);
}

TEST_CASE("special numbers through chains of descriptors") {
  check_all(with(on_gpus("ring"), "workload.steps", "chain"), all_types);
}

TEST_CASE("special numbers through trees of aggregators") {
  check_all(on_racks(GENERATE("1", "2")), switch_types);
}

TEST_CASE("special numbers through switches that reduce loads") {
  check_all(on_gpus("nvls"), switch_types);
}

TEST_CASE("special numbers through in-switch accelerators") {
  check_all(on_gpus("scin"), switch_types);
}

TEST_CASE("special numbers from tile to tile of a mesh") {
  check_all(on_tiles("reduce", GENERATE("mesh_seq", "mesh_tree")), all_types);
}

TEST_CASE("special numbers through the routers of a mesh") {
  check_all(on_tiles("reduce", "mesh_hw"), {dtype::fp8, dtype::fp16, dtype::fp32, dtype::fp64});
  check_specials(on_tiles("allreduce", "mesh_hw"), dtype::fp64, "sum");
}

// A block that holds an infinity or a NaN at any rank reads as NaN. 127 is the largest integer of a
// block whose scale is 1, so that such blocks are exact. The smallest scale is 2^-24, the smallest
// number of fp16 and far above the denormals of the other types, which vanish.
TEST_CASE("special numbers through in-switch quantization") {
  constexpr std::size_t block = 32;
  const auto [type, plain, sum] =
      GENERATE(table<dtype, std::uint64_t, std::uint64_t>({{dtype::fp16, 0x57f0, 0x5ff0},
                                                           {dtype::bf16, 0x42fe, 0x43fe},
                                                           {dtype::fp32, 0x42fe0000, 0x43fe0000}}));
  const patterns p = patterns_of(type);
  const std::uint64_t tiny_sum = type == dtype::fp16 ? 4 : 0;
  npy_array expected = zeros(type, 5 * block);
  inputs given;
  given.fill(expected);
  for (std::size_t i = 0; i < block; ++i) {
    const std::array<std::uint64_t, 5> sums = {p.quiet_nan, p.quiet_nan, sum, 0, tiny_sum};
    for (std::size_t part = 0; part < sums.size(); ++part)
      put(expected, part * block + i, sums[part]);
    for (npy_array& each : given) {
      for (const std::size_t part : {0, 1, 2}) put(each, part * block + i, plain);
      put(each, 3 * block + i, p.sign);
      put(each, 4 * block + i, p.smallest);
    }
  }
  put(given[2], 7, p.payload_nan());
  put(given[0], block + 3, p.infinity);
  put(given[1], block + 3, p.negative(p.infinity));
  task of = on_gpus("scin_inq");
  of.values.emplace_back("workload.quantization", "{bits: 8, block: 32}");
  check(of, "sum", given, expected);
}
