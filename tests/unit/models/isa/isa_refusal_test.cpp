// What is refused at the push: the right error and culprit, an interrupt, nothing under way, and
// the next good instruction works.
#include <catch2/catch.hpp>

#include "tests/unit/models/isa/isa_bench.hpp"

using namespace heddle;

namespace {

constexpr int size = 3;  // members; the fourth port is open

struct refusal_case {
  std::string name;
  isa_error error;
  member_mask culprit;
  std::function<void(isa_bench&, staged_instruction)> push;
};

staged_instruction good() {
  staged_instruction i;
  i.source = i.destination = 0x7;
  i.length = 1000;
  return i;
}

template <class Change>
refusal_case changed(const std::string& name, isa_error error, member_mask culprit, Change change) {
  return {name, error, culprit, [change](isa_bench& bench, staged_instruction i) {
            change(i);
            bench.push(i);
          }};
}

// With other registers than usual for the time of the push.
template <class Change>
refusal_case with_register(const std::string& name, isa_error error, member_mask culprit,
                           std::uint64_t offset, std::uint64_t value, Change change) {
  return {name, error, culprit, [=](isa_bench& bench, staged_instruction i) {
            const bool is_short = offset == isa_regs::wave_bytes_offset;
            const std::uint64_t before = is_short ? bench.read32(offset) : bench.read64(offset);
            const auto set = [&](std::uint64_t to) {
              CHECK((is_short ? bench.write32(offset, static_cast<std::uint32_t>(to))
                              : bench.write64(offset, to)));
            };
            set(value);
            change(i);
            bench.push(i);
            set(before);
          }};
}

std::vector<refusal_case> refusals() {
  using instruction = staged_instruction;
  const auto base = &isa_bench::base_of;
  const quantization int8;
  std::vector<refusal_case> all;
  const auto add = [&](refusal_case made) { all.push_back(std::move(made)); };

  add(changed("a source at an open port", isa_error::UNKNOWN_MEMBER, 0x8,
              [](instruction& i) { i.source = 0xf; }));
  add(changed("destinations beyond the ports", isa_error::UNKNOWN_MEMBER, member_mask{0x81} << 56,
              [](instruction& i) { i.destination |= member_mask{0x81} << 56; }));
  add(with_register("a member of the switch, but not of the stream", isa_error::UNKNOWN_MEMBER, 0x2,
                    isa_regs::stream_members_offset(0), 0x5, [](instruction&) {}));
  add(changed("no bytes", isa_error::ZERO_LENGTH, 0, [](instruction& i) { i.length = 0; }));
  add(changed("half an element", isa_error::UNALIGNED, 0, [](instruction& i) { i.length = 999; }));
  add(changed("half an element of fp32", isa_error::UNALIGNED, 0, [](instruction& i) {
    i.length = 998;
    i.type = dtype::fp32;
  }));
  add(changed("an odd address", isa_error::UNALIGNED, 0x2,
              [=](instruction& i) { i.address[1] = base(1) + 4097; }));
  add(changed("odd addresses of int32", isa_error::UNALIGNED, 0x5, [=](instruction& i) {
    i.type = dtype::int32;
    i.address[0] = base(0) + 4098;
    i.address[2] = base(2) + 4099;
  }));
  add(with_register("an unaligned flag", isa_error::UNALIGNED, 0x7,
                    isa_regs::stream_flag_offset_offset(0), 12, [](instruction&) {}));
  add(changed("an address of nobody", isa_error::UNMAPPED, 0x4,
              [](instruction& i) { i.address[2] = 0x1000; }));
  add(changed("the memory of another member", isa_error::UNMAPPED, 0x2,
              [=](instruction& i) { i.address[1] = base(2) + 4096; }));
  add(changed("an address of 49 bits", isa_error::UNMAPPED, 0x1,
              [=](instruction& i) { i.address[0] = base(0) | std::uint64_t{1} << 48; }));
  add(changed("an end beyond the memory", isa_error::UNMAPPED, 0x7,
              [](instruction& i) { i.offset = 64 * 1024 - 998; }));
  add(with_register("flags beyond the memory", isa_error::UNMAPPED, 0x7,
                    isa_regs::stream_flag_offset_offset(0), 64 * 1024, [](instruction&) {}));
  add(with_register("flags of members that are not there", isa_error::UNMAPPED, ~member_mask{0x7},
                    isa_regs::stream_members_offset(0), ~member_mask{0}, [](instruction&) {}));
  add(changed("a single address in no region", isa_error::UNMAPPED, 0,
              [](instruction& i) { i.is_single = true; }));
  add(with_register("a single address at the end of its region", isa_error::UNMAPPED, 0,
                    isa_regs::region_size_offset(0), 1000, [](instruction& i) {
                      i.is_single = true;
                      i.address[0] = 2;
                    }));
  add(changed("no sources", isa_error::BAD_OPERATION, 0, [](instruction& i) { i.source = 0; }));
  add(changed("no destinations", isa_error::BAD_OPERATION, 0,
              [](instruction& i) { i.destination = 0; }));
  add(changed("a type that is none", isa_error::BAD_OPERATION, 0,
              [](instruction& i) { i.type = static_cast<dtype>(9); }));
  add(changed("an operator that is none", isa_error::BAD_OPERATION, 0,
              [](instruction& i) { i.op = static_cast<reduce_op>(3); }));
  add(changed("the least of quantized operands", isa_error::BAD_OPERATION, 0, [=](instruction& i) {
    i.quant = int8;
    i.op = reduce_op::min;
  }));
  add(changed("a block of 16", isa_error::BAD_OPERATION, 0, [](instruction& i) {
    i.quant = quantization{8, 16};
  }));
  add(changed("a scale instruction alone", isa_error::BAD_OPERATION, 0,
              [](instruction& i) { i.is_scale = true; }));
  add({"a quantized instruction, then another", isa_error::NO_SCALE, 0,
       [=](isa_bench& bench, instruction i) {
         i.quant = int8;
         bench.stage(i, i.offset);
         CHECK(bench.error() == isa_error::NONE);
         i.quant.reset();
         bench.push(i);
       }});
  add(changed("odd addresses of scales", isa_error::UNALIGNED, 0x7, [=](instruction& i) {
    i.quant = int8;
    i.scale_offset = 8193;
  }));
  add(changed("scales beyond the memory", isa_error::UNMAPPED, 0x7, [=](instruction& i) {
    i.quant = int8;
    i.scale_offset = 64 * 1024 - 30;
  }));
  add(changed("a quantized barrier", isa_error::BAD_OPERATION, 0, [=](instruction& i) {
    i.is_barrier = true;
    i.quant = int8;
  }));
  add(with_register("a barrier of a member that is not there", isa_error::UNKNOWN_MEMBER, 0x10,
                    isa_regs::stream_members_offset(0), 0x17,
                    [](instruction& i) { i.is_barrier = true; }));
  add(with_register("a barrier of nobody", isa_error::BAD_OPERATION, 0,
                    isa_regs::stream_members_offset(0), 0,
                    [](instruction& i) { i.is_barrier = true; }));
  add(with_register("a barrier whose flags are unaligned", isa_error::UNALIGNED, 0x7,
                    isa_regs::stream_flag_offset_offset(0), 12,
                    [](instruction& i) { i.is_barrier = true; }));
  add(with_register("a wave larger than the table", isa_error::WAVE_TOO_LARGE, 0,
                    isa_regs::wave_bytes_offset, 4097, [](instruction&) {}));
  add(with_register("a block larger than the wave", isa_error::WAVE_TOO_SMALL, 0,
                    isa_regs::wave_bytes_offset, 128, [](instruction& i) {
                      i.quant = quantization{8, 256};
                    }));
  return all;
}

isa_bench_options small() {
  isa_bench_options options;
  options.members = size;
  options.isa = [](isa_parameters& p) {
    p.table.set({4096});
    p.wave.set({1024});
    p.queue.set(2);
  };
  return options;
}

}  // namespace

TEST_CASE("every refusal names its error and culprit, and the next good instruction works") {
  isa_bench bench(small());
  bench.thread([&] {
    bench.set_stream(0, 0x7);
    bench.write32(isa_regs::irq_enable_offset, 1);
    std::uint32_t done = 0;
    for (const refusal_case& each : refusals()) {
      INFO(each.name);
      std::size_t seen = 0;
      for (const memory_member* m : bench.members) seen += m->arrivals.size();
      const auto memory = bench.members[1]->memory;
      const std::size_t audited = bench.audit().size();
      const std::size_t interrupts = bench.line.changes.size();
      each.push(bench, good());
      isa_bench::wait_ns(10'000);
      CHECK(bench.error() == each.error);
      CHECK(bench.culprit() == each.culprit);
      CHECK(bench.state() == isa_bench::status::IDLE);
      CHECK(bench.audit().size() == audited + 1);
      CHECK(bench.line.changes.size() == interrupts + 1);
      CHECK(bench.read32(isa_regs::irq_status_offset) == 1);
      bench.write32(isa_regs::irq_status_offset, 1);
      CHECK(bench.line.changes.size() == interrupts + 2);
      for (const memory_member* m : bench.members) seen -= m->arrivals.size();
      CHECK(seen == 0);
      CHECK(memory == bench.members[1]->memory);

      bench.push(good());
      bench.arrive(0, 0x7);
      isa_bench::wait_ns(10'000);
      CHECK(bench.error() == isa_error::NONE);
      CHECK(bench.completed() == ++done);
      for (int m = 0; m < size; ++m) CHECK(bench.completions(m) == done);
    }
  });
  bench.run();
  CHECK(bench.completed() == refusals().size());
  CHECK(bench.count().errors.raw() == refusals().size());
  CHECK(bench.failures().empty());
}

TEST_CASE("a full queue refuses, and keeps what it has") {
  isa_bench bench(small());
  bench.thread([&] {
    bench.set_stream(0, 0x7);
    for (int i = 0; i < 2; ++i) bench.push(good());
    CHECK(bench.error() == isa_error::NONE);
    bench.push(good());
    CHECK(bench.error() == isa_error::QUEUE_FULL);
    CHECK(bench.read32(isa_regs::stream_queued_offset(0)) == 2);
    CHECK(bench.state() == isa_bench::status::WAIT);
    for (std::uint32_t done = 1; done <= 2; ++done) {
      bench.arrive(0, 0x7);
      isa_bench::wait_ns(10'000);
      CHECK(bench.completed() == done);
      CHECK(bench.completions(2) == done);
    }
  });
  bench.run();
  CHECK(bench.state() == isa_bench::status::IDLE);
}

TEST_CASE("what is pushed after a refusal is dropped until the interrupt is cleared") {
  isa_bench bench(small());
  bench.thread([&] {
    bench.set_stream(0, 0x7);
    bench.set_stream(1, 0x7);
    staged_instruction bad = good();
    bad.length = 0;
    bench.push(bad);
    bench.push(good());
    staged_instruction other = good();
    other.stream = 1;
    bench.push(other);
    CHECK(bench.error() == isa_error::ZERO_LENGTH);
    CHECK(bench.audit().size() == 1);
    CHECK(bench.read32(isa_regs::stream_queued_offset(0)) == 0);
    CHECK(bench.read32(isa_regs::stream_queued_offset(1)) == 1);
    bench.write32(isa_regs::irq_status_offset, 1);
    CHECK(bench.error() == isa_error::NONE);
    bench.push(good());
    CHECK(bench.read32(isa_regs::stream_queued_offset(0)) == 1);
  });
  bench.run_for(fs_per_ms);
}

TEST_CASE("a reset takes instructions again, whatever was refused before") {
  isa_bench bench(small());
  bench.thread([&] {
    bench.set_stream(0, 0x7);
    staged_instruction bad = good();
    bad.quant = quantization{8, 48};
    bench.push(bad);
    bench.reset();
    CHECK(bench.error() == isa_error::NONE);
    bench.push(good());
    CHECK(bench.read32(isa_regs::stream_queued_offset(0)) == 1);
  });
  bench.run_for(fs_per_ms);
}

TEST_CASE("waves keep their length while anything waits for them") {
  isa_bench bench(small());
  bench.thread([&] {
    bench.set_stream(0, 0x7);
    staged_instruction quantized = good();
    quantized.quant = quantization{8, 512};
    quantized.scale_offset = 8192;
    bench.push(quantized);
    bench.write32(isa_regs::wave_bytes_offset, 128);
    CHECK(bench.read32(isa_regs::wave_bytes_offset) == 1024);
    CHECK(bench.audit().size() == 1);
    bench.arrive(0, 0x7);
    isa_bench::wait_ns(10'000);
    CHECK(bench.completed() == 1);
    bench.write32(isa_regs::wave_bytes_offset, 4);
    CHECK(bench.read32(isa_regs::wave_bytes_offset) == 1024);
    bench.write32(isa_regs::wave_bytes_offset, 128);
    CHECK(bench.read32(isa_regs::wave_bytes_offset) == 128);
  });
  bench.run_for(fs_per_ms);
}

namespace {

// The arrivals of member 1 that were refused, by their responses.
std::uint64_t refused_arrivals(const isa_bench& bench) {
  return bench.members[1]->errors;
}

void check_arrival(member_mask members, std::uint64_t count, int times, isa_error error,
                   const std::string& reason) {
  isa_bench bench(small());
  bench.thread([&] {
    bench.set_stream(0, members);
    bench.write32(isa_regs::irq_enable_offset, 1);
    staged_instruction i = good();
    i.source = i.destination = 0x5;
    bench.push(i);
    for (int n = 0; n < times; ++n) bench.arrive(0, 0x2, count);
    isa_bench::wait_ns(1'000);
    CHECK(refused_arrivals(bench) == 1);
    CHECK(bench.error() == error);
    CHECK(bench.culprit() == 0x2);
    CHECK(bench.audit() == std::vector<std::string>{"gpu[1] " + reason});
    CHECK(bench.line.changes.size() == 1);
    CHECK(bench.state() == isa_bench::status::WAIT);
    bench.arrive(0, members & (times == 2 ? 0x5 : 0x7));
    isa_bench::wait_ns(10'000);
    CHECK(bench.completed() == 1);
    CHECK(bench.completions(0) == 1);
    CHECK(bench.completions(2) == 1);
  });
  bench.run();
}

}  // namespace

TEST_CASE("the arrival of no member is an error of its own") {
  check_arrival(0x5, 1, 1, isa_error::NOT_A_MEMBER, "is not a member of the stream");
}
TEST_CASE("to arrive twice is an error") {
  check_arrival(0x7, 1, 2, isa_error::ARRIVED_TWICE,
                "has arrived already: the counter would overflow");
}
TEST_CASE("to count more than one is an error") {
  check_arrival(0x7, 2, 1, isa_error::ARRIVED_TWICE, "counts 2 at once");
}
TEST_CASE("to count nothing is an error") {
  check_arrival(0x7, 0, 1, isa_error::ARRIVED_TWICE, "counts 0 at once");
}

TEST_CASE("an addition to what is no counter is an error") {
  isa_bench bench(small());
  bench.at(0, [&] {
    bench.set_stream(0, 0x7);
    bench.members[0]->add(isa_bench::isa_base() + isa_regs::stream_members_offset(0), 1);
    bench.members[0]->add(isa_bench::isa_base() + isa_regs::stream_counter_offset(7) + 0x400, 1);
  });
  bench.run();
  CHECK(bench.members[0]->responses == 2);
  CHECK(bench.members[0]->errors == 2);
  CHECK(bench.read64(isa_regs::stream_members_offset(0)) == 0x7);
}
