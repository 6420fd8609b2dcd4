// What lies in memory afterwards, bit for bit, and that nothing else has changed there.
#include <catch2/catch.hpp>

#include "models/workloads/collective/golden/golden.hpp"
#include "models/workloads/collective/golden/golden_quantized.hpp"
#include "platform/tensor/random.hpp"
#include "tests/unit/models/isa/isa_bench.hpp"

using namespace heddle;

namespace {

constexpr std::uint64_t data_offset = 4096, scale_offset = 32768;

struct data_bench : isa_bench {
  explicit data_bench(const isa_bench_options& given) : isa_bench(given) {
    for (std::size_t m = 0; m < members.size(); ++m)
      fill_random(dtype::int32, members[m]->at(64), (members[m]->memory.size() - 64) / 4, 1, m);
    snapshot();
  }
  void fill(const staged_instruction& i, std::uint64_t seed) {
    const std::size_t elements = i.length / size_of(i.type);
    for (std::size_t m = 0; m < members.size(); ++m)
      fill_random(i.type, members[m]->at(i.offset), elements, seed, m);
    snapshot();
  }
  void snapshot() {
    before.clear();
    for (const memory_member* each : members) before.push_back(each->memory);
  }
  // The instruction's result is where it belongs, and all but flags is as it was elsewhere.
  void check(const staged_instruction& i) {
    rank_inputs inputs(members.size());
    for_each_member(i.source, [&](int m) {
      inputs[static_cast<std::size_t>(m)] = before[static_cast<std::size_t>(m)].data() + i.offset;
    });
    const tensor_bytes golden =
        golden_tree_allreduce(i.type, i.op, inputs, i.length / size_of(i.type));
    expect(i.destination, i.offset, golden);
    check_memory();
  }
  void expect(member_mask at, std::uint64_t offset, const tensor_bytes& golden) {
    for_each_member(at, [&](int m) {
      std::copy(golden.begin(), golden.end(),
                before[static_cast<std::size_t>(m)].begin() + static_cast<std::ptrdiff_t>(offset));
    });
  }
  void check_memory() {
    for (std::size_t m = 0; m < members.size(); ++m) {
      INFO("member " << m);
      const auto& now = members[m]->memory;
      const auto differ = std::mismatch(now.begin() + 64, now.end(), before[m].begin() + 64);
      CHECK(differ.first - now.begin() == static_cast<std::ptrdiff_t>(now.size()));
    }
  }
  std::vector<std::vector<std::byte>> before;
};

staged_instruction over(member_mask source, member_mask destination, std::uint32_t bytes) {
  staged_instruction i;
  i.source = source;
  i.destination = destination;
  i.length = bytes;
  i.offset = data_offset;
  return i;
}

// Several instructions in turn; responses come shuffled.
void run_all(data_bench& bench, const std::vector<staged_instruction>& list) {
  for (std::size_t m = 0; m < bench.members.size(); ++m) {
    bench.members[m]->delay = [seed = m + 1](const packet&) mutable {
      seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
      return (seed >> 33) % 300 * fs_per_ns;
    };
  }
  bench.thread([&] {
    bench.set_stream(0, bench.all());
    std::uint32_t done = 0;
    for (const staged_instruction& each : list) {
      bench.fill(each, done + 7);
      bench.push(each);
      bench.arrive(0, bench.all());
      isa_bench::wait_ns(1'000'000);
      INFO("instruction " << done);
      CHECK(bench.error() == isa_error::NONE);
      CHECK(bench.completed() == ++done);
      for (int m = 0; m < bench.options.members; ++m) CHECK(bench.completions(m) == done);
      bench.check(each);
    }
  });
  bench.run();
  CHECK(bench.failures().empty());
  CHECK(bench.audit().empty());
  CHECK(bench.isa.waiting_for().empty());
}

}  // namespace

TEST_CASE("every type and operator gives the bits of the golden tree") {
  isa_bench_options options;
  options.members = 7;
  data_bench bench(options);
  std::vector<staged_instruction> list;
  for (const dtype type : {dtype::fp16, dtype::bf16, dtype::fp32, dtype::int32})
    for (const reduce_op op : {reduce_op::sum, reduce_op::min, reduce_op::max}) {
      staged_instruction i = over(bench.all(), bench.all(), 9876);
      i.type = type;
      i.op = op;
      list.push_back(i);
    }
  run_all(bench, list);
}

TEST_CASE("any sources and any destinations") {
  isa_bench_options options;
  options.members = 8;
  data_bench bench(options);
  std::vector<staged_instruction> list;
  for (const auto& [source, destination] :
       std::vector<std::pair<member_mask, member_mask>>{{0xff, 0x01},
                                                        {0x01, 0xfe},
                                                        {0x80, 0x80},
                                                        {0x21, 0x12},
                                                        {0x7e, 0x81},
                                                        {0xaa, 0xff},
                                                        {0x40, 0x01},
                                                        {0x06, 0x04}})
    for (const std::uint32_t bytes : {2U, 130U, 4096U, 8190U})
      list.push_back(over(source, destination, bytes));
  run_all(bench, list);
}

TEST_CASE("trains carry the same bits") {
  isa_bench_options options;
  options.members = 5;
  options.train = 32;
  data_bench bench(options);
  run_all(bench, {over(0x1f, 0x1f, 20'002), over(0x0b, 0x1c, 4096), over(0x10, 0x0f, 130)});
}

namespace {

void check_quantized(unsigned bits, std::size_t block) {
  isa_bench_options options;
  options.members = 6;
  options.isa = [](isa_parameters& p) { p.scale_table.set({1024}); };
  data_bench bench(options);
  const quantization how{bits, block};
  constexpr std::size_t elements = 12'001;
  constexpr member_mask source = 0x2f, destination = 0x3b;
  rank_inputs inputs(6);
  std::vector<tensor_bytes> tensors(6, tensor_bytes(elements * 2));
  for (std::size_t m = 0; m < 6; ++m) {
    fill_random(dtype::fp16, tensors[m].data(), elements, 3, m);
    if ((source >> m & 1) == 0) continue;
    inputs[m] = tensors[m].data();
    const quantized_tensor own = golden_quantize(how, dtype::fp16, inputs[m], elements);
    std::copy(own.data.begin(), own.data.end(), bench.members[m]->at(data_offset));
    std::copy(own.scales.begin(), own.scales.end(), bench.members[m]->at(scale_offset));
  }
  bench.snapshot();
  staged_instruction quantized =
      over(source, destination, static_cast<std::uint32_t>(quantized_bytes(how, elements)));
  quantized.quant = how;
  quantized.scale_offset = scale_offset;
  bench.at(0, [&] {
    bench.set_stream(0, bench.all());
    bench.push(quantized);
    bench.arrive(0, bench.all());
  });
  bench.run();
  const quantized_tensor golden = golden_inq_allreduce(how, dtype::fp16, inputs, elements);
  bench.expect(destination, data_offset, golden.data);
  bench.expect(destination, scale_offset, golden.scales);
  bench.check_memory();
  CHECK(bench.failures().empty());
  CHECK(bench.completions(2) == 1);
}

}  // namespace

TEST_CASE("INT8 in blocks of 32 gives the golden bits") {
  check_quantized(8, 32);
}
TEST_CASE("INT8 in blocks of 64 gives the golden bits") {
  check_quantized(8, 64);
}
TEST_CASE("INT8 in blocks of 512 gives the golden bits") {
  check_quantized(8, 512);
}
TEST_CASE("INT4 in blocks of 32 gives the golden bits") {
  check_quantized(4, 32);
}
TEST_CASE("INT4 in blocks of 128 gives the golden bits") {
  check_quantized(4, 128);
}
TEST_CASE("INT4 in blocks of 256 gives the golden bits") {
  check_quantized(4, 256);
}

TEST_CASE("one address stands for all members in a multicast region") {
  isa_bench_options options;
  options.members = 4;
  data_bench bench(options);
  constexpr std::uint64_t region = 0x7000'0000'0000;
  staged_instruction single = over(0x0f, 0x0f, 1000);
  single.is_single = true;
  single.address[0] = region + 512;
  single.offset = data_offset;
  bench.fill(single, 1);
  bench.at(0, [&] {
    bench.write64(isa_regs::region_base_offset(3), region);
    bench.write64(isa_regs::region_size_offset(3), 1512);
    bench.write64(isa_regs::region_offset_offset(3), data_offset - 512);
    bench.set_stream(0, bench.all());
    bench.push(single);
    bench.arrive(0, bench.all());
  });
  bench.run();
  CHECK(bench.completions(3) == 1);
  bench.check(single);
}

TEST_CASE("a region may end where the scales end") {
  isa_bench_options options;
  options.members = 2;
  data_bench bench(options);
  constexpr std::uint64_t region = 0x7000'0000'0000;
  staged_instruction quantized = over(0x3, 0x3, 1024);
  quantized.quant = quantization{8, 64};
  quantized.is_single = true;
  quantized.address[0] = region;
  staged_instruction scales = quantized;
  scales.is_scale = true;
  scales.address[0] = region + 1024;  // 16 scales of 2 B
  bench.at(0, [&] {
    bench.write64(isa_regs::region_base_offset(0), region);
    bench.write64(isa_regs::region_size_offset(0), 1024 + 32);
    bench.write64(isa_regs::region_offset_offset(0), data_offset);
    bench.set_stream(0, bench.all());
    bench.stage(quantized, 0);
    bench.stage(scales, 0);
    CHECK(bench.error() == isa_error::NONE);
    bench.arrive(0, bench.all());
  });
  bench.run();
  CHECK(bench.completions(0) == 1);
}

TEST_CASE("the wave length may change between instructions") {
  isa_bench_options options;
  options.members = 3;
  options.isa = [](isa_parameters& p) {
    p.table.set({2048});
    p.wave.set({2048});
  };
  data_bench bench(options);
  bench.thread([&] {
    bench.set_stream(0, bench.all());
    std::uint32_t done = 0;
    for (const std::uint32_t wave : {128U, 2048U, 8U, 130U, 1024U}) {
      bench.write32(isa_regs::wave_bytes_offset, wave);
      staged_instruction each = over(0x7, 0x7, 5000);
      bench.fill(each, wave);
      const std::uint64_t waves = bench.count().waves.raw();
      bench.push(each);
      bench.arrive(0, bench.all());
      isa_bench::wait_ns(100'000);
      CHECK(bench.completed() == ++done);
      CHECK(bench.count().waves.raw() - waves == (5000 + wave - 1) / wave);
      bench.check(each);
    }
  });
  bench.run();
  CHECK(bench.audit().empty());
}
