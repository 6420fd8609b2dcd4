// What a job becomes: instructions that cover the data of every collective once, over any number of
// planes, ranks, groups and streams.
#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

#include "regs/isa_regs.h"
#include "sw/collectives/algorithms.h"
#include "sw/collectives/scin.h"
#include "tests/firmware/register_hal.hpp"

using namespace heddle::test;

namespace {

constexpr std::uint64_t registers = 0x4000'0000, stride = 0x10000, peers = 0x100, window = 1 << 30;

struct pushed {
  std::uint32_t plane = 0, stream = 0, length = 0, control = 0;
  std::uint64_t source = 0, destination = 0;
  std::uint64_t offset = 0;  // in the memory of each rank
};

// Rank r is member `member_of(r)` of every plane.
int member_of(std::uint32_t rank) {
  return static_cast<int>((rank * 5 + 3) % 64);
}

class host {
 public:
  host(std::uint32_t ranks, std::uint32_t planes, std::uint32_t tenant = 0,
       std::uint32_t tenants = 1) {
    register_hal& block = fresh_hardware();
    boot_.ranks = ranks;
    boot_.tenant = tenant;
    boot_.tenants = tenants;
    boot_.peers = peers;
    for (std::uint32_t r = 0; r < ranks; ++r) block.words[peers + r * 8] = (r + 1) * window;
    for (std::uint32_t p = 0; p < planes; ++p) {
      const std::uint64_t base = registers + p * stride;
      block.devices[ISA_BLOCK_ID].push_back(base);
      block.words[base + ISA_ID] = ISA_ID_RESET_VALUE;
      block.words[base + ISA_QUEUE_ENTRIES] = 128;
      block.words[base + ISA_STREAMS] = 8;
      for (std::uint32_t r = 0; r < ranks; ++r) {
        block.words[base + ISA_PRESENT] |= std::uint64_t{1} << member_of(r);
        block.words[base + ISA_MEMBER_BASE(member_of(r))] = (r + 1) * window;
      }
    }
    block.on_write = [this](std::uint64_t address) { note(address); };
    REQUIRE(scin_open(&scin_, &boot_, 1) == STATUS_OK);
  }

  std::vector<pushed> push(const boot_job& job) {
    pushes_.clear();
    job_ = job;
    REQUIRE(scin_adapt(&scin_, &boot_, &job) == STATUS_OK);
    REQUIRE(scin_push(&scin_, &boot_, &job) == STATUS_OK);
    return pushes_;
  }
  status adapt(const boot_job& job) { return scin_adapt(&scin_, &boot_, &job); }
  status check() { return scin_check(&scin_); }

 private:
  void note(std::uint64_t address) {
    const auto plane = static_cast<std::uint32_t>((address - registers) / stride);
    const std::uint64_t base = registers + plane * stride;
    std::uint32_t stream = 0;
    while (stream < 8 && address != base + ISA_STREAM_PUSH(stream)) ++stream;
    if (stream == 8) return;
    auto& words = hardware().words;
    pushed p;
    p.plane = plane;
    p.stream = stream;
    p.length = static_cast<std::uint32_t>(words[base + ISA_STREAM_LENGTH(stream)]);
    p.control = static_cast<std::uint32_t>(words[base + ISA_STREAM_OPERATION(stream)]);
    p.source = words[base + ISA_STREAM_SOURCE(stream)];
    p.destination = words[base + ISA_STREAM_DESTINATION(stream)];
    if ((p.control & ISA_STREAM_OPERATION_SINGLE_MASK) != 0)
      p.offset = words[base + ISA_ADDRESS_OPERAND(64 * stream)];
    else if ((p.control & ISA_STREAM_OPERATION_BARRIER_MASK) == 0)
      p.offset = offset_in_group(base, stream);
    pushes_.push_back(p);
  }
  // The same in the window of every rank of the stream's group.
  std::uint64_t offset_in_group(std::uint64_t base, std::uint32_t stream) const {
    const auto& words = hardware().words;
    const std::uint32_t streams = std::max(job_.slots, 1U), groups = std::max(job_.groups, 1U);
    const std::uint32_t own = stream - scin_.first_stream;
    const std::uint32_t ranks = boot_.ranks / groups, first = own / streams * ranks;
    const auto address = [&](std::uint32_t r) {
      return words.at(base + ISA_ADDRESS_OPERAND(64 * stream + member_of(r)));
    };
    const std::uint64_t offset = address(first) - (first + 1) * window;
    for (std::uint32_t r = first; r < first + ranks; ++r)
      CHECK(address(r) == (r + 1) * window + offset);
    return offset;
  }

  scin scin_{};
  boot_block boot_{};
  boot_job job_{};
  std::vector<pushed> pushes_;
};

std::uint64_t all_of(std::uint32_t ranks) {
  std::uint64_t mask = 0;
  for (std::uint32_t r = 0; r < ranks; ++r) mask |= std::uint64_t{1} << member_of(r);
  return mask;
}

std::uint64_t others(std::uint64_t all, std::uint64_t own) {
  return all == own ? own : all & ~own;
}

boot_job job_of(std::uint32_t collective, std::uint64_t elements, std::uint64_t element_bytes) {
  boot_job job{};
  job.collective = collective;
  job.algorithm = BOOT_SCIN;
  job.dtype = element_bytes == 2 ? BOOT_FP16 : BOOT_FP32;
  job.elements = elements;
  job.element_bytes = element_bytes;
  job.data = 0x20000;
  job.scratch = 0x2000000;
  job.quant_bits = 8;
  job.quant_block = 64;
  return job;
}

// Bytes of [data, data + bytes), each covered exactly once.
void check_cover(std::vector<pushed> list, std::uint64_t begin, std::uint64_t bytes) {
  std::sort(list.begin(), list.end(),
            [](const pushed& a, const pushed& b) { return a.offset < b.offset; });
  std::uint64_t at = begin;
  for (const pushed& each : list) {
    CHECK(each.length != 0);
    CHECK(each.offset == at);
    at += each.length;
  }
  CHECK(at == begin + bytes);
}

// On every stream of every plane that works, the first waits for all and the last tells them; no
// other does.
void check_order(const std::vector<pushed>& list, std::uint32_t active) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> by_share;
  for (const pushed& each : list)
    if ((each.control & ISA_STREAM_OPERATION_SCALE_MASK) == 0)
      by_share[{each.stream, each.plane}].push_back(each.control);
  CHECK(by_share.size() == active);
  for (const auto& [place, controls] : by_share) {
    CHECK(place.second < active);
    for (std::size_t i = 0; i < controls.size(); ++i) {
      CHECK(((controls[i] & ISA_STREAM_OPERATION_SYNC_MASK) != 0) == (i == 0));
      CHECK(((controls[i] & ISA_STREAM_OPERATION_NOTIFY_MASK) != 0) == (i + 1 == controls.size()));
    }
  }
}

}  // namespace

TEST_CASE("instructions cover the data of every collective once") {
  std::mt19937_64 random(1);
  for (int n = 0; n < 300; ++n) {
    const auto ranks = static_cast<std::uint32_t>(1 + random() % 16);
    const auto planes = static_cast<std::uint32_t>(1 + random() % 16);
    const std::uint64_t elements = 1 + random() % (n % 3 == 0 ? 100 : 100'000);
    const std::uint32_t collectives[] = {BOOT_ALLREDUCE, BOOT_REDUCE, BOOT_BROADCAST,
                                         BOOT_REDUCE_SCATTER, BOOT_ALLGATHER};
    boot_job job = job_of(collectives[random() % 5], elements, random() % 2 == 0 ? 2 : 4);
    job.root = static_cast<std::uint32_t>(random() % ranks);
    INFO(ranks << " ranks, " << planes << " planes, " << elements << " elements, collective "
               << job.collective);
    host under_test(ranks, planes);
    const std::vector<pushed> list = under_test.push(job);
    check_cover(list, job.data, elements * job.element_bytes);
    check_order(list, scin_active_shares(&job, ranks, planes));
    const std::uint64_t all = all_of(ranks), root = std::uint64_t{1} << member_of(job.root);
    for (const pushed& each : list) {
      CHECK((each.source & ~all) == 0);
      CHECK((each.destination & ~all) == 0);
      if (job.collective == BOOT_ALLREDUCE) CHECK((each.source & each.destination) == all);
      if (job.collective == BOOT_REDUCE) CHECK((each.source == all && each.destination == root));
      if (job.collective == BOOT_BROADCAST)
        CHECK((each.source == root && each.destination == others(all, root)));
      if (job.collective == BOOT_REDUCE_SCATTER || job.collective == BOOT_ALLGATHER) {
        // The owner is the rank whose chunk it is.
        const std::uint64_t first = (each.offset - job.data) / job.element_bytes;
        std::uint32_t owner = 0;
        for (std::uint32_t r = 0; r < ranks; ++r) {
          const range chunk = chunk_of(elements, ranks, r);
          if (first >= chunk.begin && first < chunk.begin + chunk.count) owner = r;
        }
        const std::uint64_t own = std::uint64_t{1} << member_of(owner);
        if (job.collective == BOOT_REDUCE_SCATTER)
          CHECK((each.source == all && each.destination == own));
        else
          CHECK((each.source == own && each.destination == others(all, own)));
      }
    }
  }
}

TEST_CASE("quantized instructions come in pairs, over whole blocks") {
  std::mt19937_64 random(2);
  for (int n = 0; n < 200; ++n) {
    const auto planes = static_cast<std::uint32_t>(1 + random() % 16);
    const std::uint64_t elements = 1 + random() % 50'000;
    boot_job job = job_of(BOOT_ALLREDUCE, elements, 2);
    job.algorithm = BOOT_SCIN_INQ;
    job.quant_bits = random() % 2 == 0 ? 4 : 8;
    job.quant_block = 32U << random() % 5;
    INFO(planes << " planes, " << elements << " elements, INT" << job.quant_bits << " in blocks of "
                << job.quant_block);
    host under_test(4, planes);
    const std::vector<pushed> list = under_test.push(job);
    REQUIRE(list.size() % 2 == 0);
    std::vector<pushed> data;
    std::vector<std::uint64_t> scales;
    for (std::size_t i = 0; i < list.size(); i += 2) {
      CHECK((list[i].control & ISA_STREAM_OPERATION_QUANT_MASK) != 0);
      CHECK(list[i + 1].control == ISA_STREAM_OPERATION_SCALE_MASK);
      data.push_back(list[i]);
      const std::uint64_t first = (list[i].offset - job.scratch) * 8 / job.quant_bits;
      CHECK(first % job.quant_block == 0);
      scales.push_back(list[i + 1].offset - first / job.quant_block * 2);
    }
    check_cover(data, job.scratch, (elements * job.quant_bits + 7) / 8);
    for (const std::uint64_t each : scales) CHECK(each == scales.front());  // one array
    check_order(list, scin_active_shares(&job, 4, planes));
  }
}

TEST_CASE("groups and streams cover the data of each group once, on streams of their own") {
  std::mt19937_64 random(3);
  for (int n = 0; n < 200; ++n) {
    const auto groups = static_cast<std::uint32_t>(1 + random() % 4);
    const auto streams = static_cast<std::uint32_t>(1 + random() % (8 / groups));
    const auto size = static_cast<std::uint32_t>(1 + random() % 5);
    const auto planes = static_cast<std::uint32_t>(1 + random() % 6);
    const std::uint64_t elements = 1 + random() % (n % 3 == 0 ? 100 : 100'000);
    boot_job job = job_of(n % 2 == 0 ? BOOT_ALLREDUCE : BOOT_REDUCE_SCATTER, elements, 2);
    job.groups = groups;
    job.slots = streams;
    if (n % 5 == 0) job.flags = BOOT_JOB_SINGLE_ADDRESS;
    INFO(groups << " groups of " << size << " ranks, " << streams << " streams, " << planes
                << " planes, " << elements << " elements");
    host under_test(groups * size, planes);
    const std::vector<pushed> list = under_test.push(job);
    for (std::uint32_t group = 0; group < groups; ++group) {
      std::vector<pushed> own;
      for (const pushed& each : list)
        if (each.stream / streams == group) own.push_back(each);
      check_cover(own, job.data, elements * job.element_bytes);
      check_order(own, scin_active_shares(&job, size, planes * streams));
      const std::uint64_t members = all_of((group + 1) * size) & ~all_of(group * size);
      for (const pushed& each : own) {
        CHECK(each.source == members);
        const std::uint64_t base = registers + each.plane * stride;
        if (groups * streams > 1)
          CHECK(hardware().words[base + ISA_STREAM_MEMBERS(each.stream)] == members);
      }
    }
  }
}

TEST_CASE("one address costs one write, whatever the number of ranks") {
  for (const std::uint32_t ranks : {2U, 5U, 8U}) {
    host under_test(ranks, 1);
    boot_job job = job_of(BOOT_ALLREDUCE, 100, 2);
    hardware().writes.clear();
    under_test.push(job);
    const std::size_t each = hardware().writes.size();
    job.flags = BOOT_JOB_SINGLE_ADDRESS;
    under_test.push(job);  // and the region, once
    hardware().writes.clear();
    const std::vector<pushed> list = under_test.push(job);
    CHECK(hardware().writes.size() + ranks - 1 == each);
    REQUIRE(list.size() == 1);
    CHECK(list[0].offset == job.data);
    CHECK((list[0].control & ISA_STREAM_OPERATION_SINGLE_MASK) != 0);
    CHECK(hardware().words[registers + ISA_REGION_BASE(0)] == 0);
    CHECK(hardware().words[registers + ISA_REGION_SIZE(0)] == UINT64_C(1) << 48);
  }
}

TEST_CASE("a barrier is one instruction of one plane that moves nothing") {
  host under_test(4, 3);
  const std::vector<pushed> list = under_test.push(job_of(BOOT_BARRIER, 1, 2));
  REQUIRE(list.size() == 1);
  CHECK(list[0].plane == 0);
  const std::uint32_t meets = ISA_STREAM_OPERATION_SYNC_MASK | ISA_STREAM_OPERATION_NOTIFY_MASK;
  CHECK((list[0].control & meets) == meets);
  CHECK((list[0].control & ISA_STREAM_OPERATION_BARRIER_MASK) != 0);
}

TEST_CASE("more streams than there are, and groups that leave ranks over, are refused") {
  host under_test(6, 1);
  boot_job job = job_of(BOOT_ALLREDUCE, 100, 2);
  job.groups = 3;
  job.slots = 3;
  CHECK(under_test.adapt(job) == STATUS_UNSUPPORTED);
  job.groups = 4;
  job.slots = 1;
  CHECK(under_test.adapt(job) == STATUS_BAD_JOB);
}

TEST_CASE("tenants of the accelerators have as many streams each, and keep to them") {
  for (const std::uint32_t tenant : {0U, 1U, 2U}) {
    host under_test(4, 2, tenant, 3);  // of 8 streams
    boot_job job = job_of(BOOT_ALLREDUCE, 10'000, 2);
    job.slots = 2;
    for (const pushed& each : under_test.push(job)) CHECK(each.stream / 2 == tenant);
    for (std::uint32_t stream = 0; stream < 8; ++stream) {
      const bool is_own = stream / 2 == tenant;
      CHECK(hardware().words[registers + ISA_STREAM_MEMBERS(stream)] == (is_own ? all_of(4) : 0));
    }
    job.slots = 3;
    CHECK(under_test.adapt(job) == STATUS_UNSUPPORTED);
  }
}

TEST_CASE("a plane that refuses is named, and all planes drop the job") {
  host under_test(4, 3);
  under_test.push(job_of(BOOT_ALLREDUCE, 10'000, 2));
  CHECK(under_test.check() == STATUS_OK);
  register_hal& block = hardware();
  block.writes.clear();
  const std::uint64_t second = registers + stride;
  block.words[second + ISA_STREAM_STATUS(0)] = ISA_STREAM_STATUS_ERROR_UNMAPPED
                                               << ISA_STREAM_STATUS_ERROR_POS;
  block.words[second + ISA_STREAM_CULPRIT(0)] = 0x9;
  CHECK(under_test.check() == STATUS_ISA_ERROR);
  REQUIRE(block.logs.size() == 1);
  CHECK(block.logs[0] == std::pair<std::string, std::uint64_t>{"isa: unmapped address", 0x9});
  REQUIRE(block.writes.size() == 6);
  for (std::uint64_t p = 0; p < 3; ++p) {
    CHECK(block.writes[2 * p].first == registers + p * stride + ISA_STREAM_CONTROL(0));
    CHECK(block.writes[2 * p + 1].first == registers + p * stride + ISA_IRQ_STATUS);
  }
}

TEST_CASE("a root that is no rank is no job") {
  host under_test(4, 2);
  boot_job job = job_of(BOOT_BROADCAST, 100, 2);
  job.root = 4;
  scin scin{};
  boot_block boot{};
  boot.ranks = 4;
  scin.planes = 1;
  scin.registers[0] = registers;
  CHECK(scin_push(&scin, &boot, &job) == STATUS_BAD_JOB);
}

TEST_CASE("a share that is longer than an instruction can say takes several") {
  const std::uint64_t elements = (UINT64_C(3) << 30) + 64;  // 6 GiB, a length of 32 bits is 4 GiB
  host under_test(2, 1);
  const boot_job plain = job_of(BOOT_ALLREDUCE, elements, 2);
  const std::vector<pushed> list = under_test.push(plain);
  check_cover(list, plain.data, elements * 2);
  check_order(list, 1);
  boot_job quantized = plain;
  quantized.algorithm = BOOT_SCIN_INQ;
  std::vector<pushed> integers;
  for (const pushed& each : under_test.push(quantized))
    if ((each.control & ISA_STREAM_OPERATION_SCALE_MASK) == 0) integers.push_back(each);
  check_cover(integers, quantized.scratch, elements);
  check_order(integers, 1);
}
