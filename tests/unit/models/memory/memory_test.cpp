#include "models/memory/memory.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstring>
#include <numeric>
#include <vector>

#include "tests/support/memory_initiator.hpp"
#include "tests/support/test_bench.hpp"

using namespace heddle;

namespace {

constexpr std::uint64_t memory_bytes = 4 * sparse_store::page_bytes;

// 100 ns, 1 B/ps.
struct memory_bench : test_bench {
  memory& ram = add<memory>("ram", [](memory_parameters& p) {
    p.size.set({memory_bytes});
    p.latency.set({100 * fs_per_ns});
    p.rate.set(bandwidth(1'000'000'000'000));
  });
  memory_initiator& core = add_stimulus<memory_initiator>("core");
  std::array<unsigned char, 64> data{};

  memory_bench() {
    bind(core, "bus", ram, "in");
    std::iota(data.begin(), data.end(), static_cast<unsigned char>(1));
  }
  std::uint64_t count(int index) const { return ram.statistics()->all()[index]->raw(); }
};

}  // namespace

TEST_CASE("an access takes latency and bandwidth after its annotated start") {
  memory_bench bench;
  memory_initiator::result got;
  bench.at(1000, [&] { got = bench.core.write(0, bench.data.data(), 64, 500); });
  bench.run();
  CHECK(got.status == tlm::TLM_OK_RESPONSE);
  CHECK(got.done == 1500 + 100 * fs_per_ns + 64'000);
  CHECK(now_fs() == 1000);  // it annotates and never waits
}

TEST_CASE("latency overlaps but the data bus moves one access at a time") {
  memory_bench bench;
  memory_initiator::result first, second, third;
  bench.at(0, [&] {
    first = bench.core.read(0, bench.data.data(), 64);
    second = bench.core.read(0, bench.data.data(), 16);
    third = bench.core.read(0, bench.data.data(), 16, 70'000);
  });
  bench.run();
  CHECK(first.done == 100 * fs_per_ns + 64'000);
  CHECK(second.done == 100 * fs_per_ns + 64'000 + 16'000);
  CHECK(third.done == 100 * fs_per_ns + 64'000 + 16'000 + 16'000);
  CHECK(bench.count(4) == 96'000);  // busy
}

TEST_CASE("a word occupies the data bus for the stated least, and larger accesses do not") {
  constexpr fs_t latency = 100 * fs_per_ns, word = 5'000, atomic = 9'000;
  test_bench bench;
  auto& ram = bench.add<memory>("ram", [&](memory_parameters& p) {
    p.latency.set({latency});
    p.rate.set(bandwidth(1'000'000'000'000));  // 1 B/ps
    p.word.set({word});
    p.atomic.set({atomic});
  });
  auto& core = bench.add_stimulus<memory_initiator>("core");
  bench.bind(core, "bus", ram, "in");
  std::vector<fs_t> ends;
  bench.at(0, [&] {
    std::array<unsigned char, 64> data{};
    std::uint64_t before = 0;
    for (const std::uint32_t bytes : {1U, 4U, 5U, 6U, 8U, 9U, 64U})
      ends.push_back(core.read(0, data.data(), bytes).done);
    core.atomic_add(0, 1, before);
    ends.push_back(core.write(0, data.data(), 2).done);
  });
  bench.run();
  std::vector<fs_t> expected;
  fs_t free_at = latency;
  for (const fs_t occupied :
       {word, word, word, fs_t{6'000}, fs_t{8'000}, fs_t{9'000}, fs_t{64'000}})
    expected.push_back(free_at += occupied);
  expected.push_back(free_at + atomic + word);
  CHECK(ends == expected);
  CHECK(ram.statistics()->all()[4]->raw() == expected.back() - latency);  // busy
}

TEST_CASE("bytes come back as written, across pages, and as zeros where nobody wrote") {
  memory_bench bench;
  const std::uint64_t edge = sparse_store::page_bytes - 30;
  std::array<unsigned char, 64> got{};
  std::array<unsigned char, 64> untouched;
  untouched.fill(0xee);
  bench.at(0, [&] {
    bench.core.write(edge, bench.data.data(), 64);
    bench.core.read(edge, got.data(), 64);
    bench.core.read(3 * sparse_store::page_bytes, untouched.data(), 64);
  });
  bench.run();
  CHECK(got == bench.data);
  CHECK(untouched == std::array<unsigned char, 64>{});
  CHECK(bench.count(0) == 2);    // reads
  CHECK(bench.count(2) == 128);  // bytes_read
  CHECK(bench.count(3) == 64);   // bytes_written
}

namespace {

constexpr std::uint32_t frame_bytes = payload_slice::frame_bytes;

// A bulk transfer of a frame whose slice holds `value` everywhere.
struct bulk_access {
  tlm::tlm_generic_payload payload;
  bulk_extension bulk;

  bulk_access(tlm::tlm_command command, std::uint64_t address, unsigned char value) {
    bulk.slice = payload_slice::allocate(frame_bytes);
    std::memset(bulk.slice.data(), value, frame_bytes);
    bulk.may_lend = command == tlm::TLM_READ_COMMAND;
    set_access(payload, command, address, bulk.slice.data(), frame_bytes);
    payload.set_extension(&bulk);
  }
  ~bulk_access() { payload.clear_extension(&bulk); }
};

}  // namespace

TEST_CASE("bulk transfers pass on the bytes themselves, and a copy of the extension copies them") {
  memory_bench bench;
  std::vector<unsigned char> own(frame_bytes, 0xee);
  bench.at(0, [&] {
    bulk_access put(tlm::TLM_WRITE_COMMAND, frame_bytes, 7);
    bench.core.transport(put.payload, 0);
    bulk_access get(tlm::TLM_READ_COMMAND, frame_bytes, 0);
    bench.core.transport(get.payload, 0);
    CHECK(get.bulk.slice.data() == put.bulk.slice.data());

    // Somebody in between who has a buffer of its own.
    bulk_access elsewhere(tlm::TLM_READ_COMMAND, frame_bytes, 0);
    elsewhere.payload.set_data_ptr(own.data());
    bench.core.transport(elsewhere.payload, 0);
    CHECK(own == std::vector<unsigned char>(frame_bytes, 7));
    CHECK(elsewhere.bulk.slice.data()[0] == std::byte{0});

    // Or a payload of its own with the same pointer.
    bulk_access asked(tlm::TLM_READ_COMMAND, frame_bytes, 0);
    auto* const cloned = static_cast<bulk_extension*>(asked.bulk.clone());
    asked.payload.set_extension(cloned);
    bench.core.transport(asked.payload, 0);
    asked.payload.clear_extension(cloned);
    delete cloned;
    CHECK(std::memcmp(asked.payload.get_data_ptr(), own.data(), frame_bytes) == 0);

    // What is written is what the pointer points to.
    bulk_access changed(tlm::TLM_WRITE_COMMAND, frame_bytes, 9);
    changed.payload.set_data_ptr(own.data());
    bench.core.transport(changed.payload, 0);
    bench.core.read(frame_bytes, bench.data.data(), 1);
    CHECK(bench.data[0] == 7);
  });
  bench.run();
}

TEST_CASE("what a memory has lent stays as it was read") {
  memory_bench bench;
  bench.at(0, [&] {
    bulk_access put(tlm::TLM_WRITE_COMMAND, 0, 7);
    bench.core.transport(put.payload, 0);
    bulk_access get(tlm::TLM_READ_COMMAND, 0, 0);
    bench.core.transport(get.payload, 0);
    tlm::tlm_dmi dmi;
    bench.core.write(8, bench.data.data(), 64);
    REQUIRE(bench.core.ask_for_pointer(0, dmi));
    dmi.get_dmi_ptr()[100] = 3;
    CHECK(get.bulk.slice.data()[8] == std::byte{7});
    CHECK(get.bulk.slice.data()[100] == std::byte{7});
    std::array<unsigned char, 101> now{};
    bench.core.read(0, now.data(), now.size());
    CHECK(now[7] == 7);
    CHECK(now[8] == 1);
    CHECK(now[100] == 3);
  });
  bench.run();
}

TEST_CASE("byte enables select the bytes that are written and read") {
  memory_bench bench;
  unsigned char enables[3] = {0xff, 0x00, 0x00};
  std::array<unsigned char, 64> got{};
  std::array<unsigned char, 64> masked;
  masked.fill(0xee);
  bench.at(0, [&] {
    tlm::tlm_generic_payload payload;
    set_access(payload, tlm::TLM_WRITE_COMMAND, 0, bench.data.data(), 64);
    payload.set_byte_enable_ptr(enables);
    payload.set_byte_enable_length(3);
    bench.core.transport(payload, 0);
    bench.core.read(0, got.data(), 64);
    std::array<unsigned char, 64> all = bench.data;
    bench.core.write(0, all.data(), 64);
    set_access(payload, tlm::TLM_READ_COMMAND, 0, masked.data(), 64);
    payload.set_byte_enable_ptr(enables);
    payload.set_byte_enable_length(3);
    bench.core.transport(payload, 0);
  });
  bench.run();
  for (std::size_t i = 0; i < 64; ++i) {
    CHECK(got[i] == (i % 3 == 0 ? bench.data[i] : 0));
    CHECK(masked[i] == (i % 3 == 0 ? bench.data[i] : 0xee));
  }
}

TEST_CASE("an access without a data pointer is an error, unless nothing is to be moved") {
  memory_bench bench;
  const auto status_of = [&](tlm::tlm_command command) {
    tlm::tlm_generic_payload payload;
    set_access(payload, command, 0, nullptr, 64);
    CHECK(bench.core.debug(command, 0, nullptr, 64) ==
          (command == tlm::TLM_IGNORE_COMMAND ? 64 : 0));
    return bench.core.transport(payload, 0).status;
  };
  bench.at(0, [&] {
    CHECK(status_of(tlm::TLM_READ_COMMAND) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    CHECK(status_of(tlm::TLM_WRITE_COMMAND) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    CHECK(status_of(tlm::TLM_IGNORE_COMMAND) == tlm::TLM_OK_RESPONSE);
  });
  bench.run();
  CHECK(bench.count(0) == 0);
}

TEST_CASE("atomic adds return what was there") {
  memory_bench bench;
  std::uint64_t before[2] = {99, 99};
  std::uint64_t word = 0;
  memory_initiator::result got;
  bench.at(0, [&] {
    bench.core.atomic_add(8, 5, before[0]);
    got = bench.core.atomic_add(8, UINT64_MAX, before[1]);  // minus 1
    bench.core.read(8, &word, 8);
  });
  bench.run();
  CHECK(before[0] == 0);
  CHECK(before[1] == 5);
  CHECK(word == 4);
  CHECK(got.done == 100 * fs_per_ns + 16'000);
}

TEST_CASE("what memory cannot do gets an error and changes nothing") {
  memory_bench bench;
  std::vector<tlm::tlm_response_status> got;
  std::array<unsigned char, 64> seen{};
  unsigned char enables[1] = {0xff};
  bench.at(0, [&] {
    got.push_back(bench.core.write(memory_bytes - 63, bench.data.data(), 64).status);
    got.push_back(bench.core.write(UINT64_MAX - 3, bench.data.data(), 64).status);
    tlm::tlm_generic_payload payload;
    set_access(payload, tlm::TLM_WRITE_COMMAND, 0, bench.data.data(), 64);
    payload.set_streaming_width(8);
    got.push_back(bench.core.transport(payload, 0).status);
    set_access(payload, tlm::TLM_WRITE_COMMAND, 0, bench.data.data(), 64);
    payload.set_byte_enable_ptr(enables);
    got.push_back(bench.core.transport(payload, 0).status);
    atomic_extension add;
    set_access(payload, tlm::TLM_IGNORE_COMMAND, 0, bench.data.data(), 2);
    payload.set_extension(&add);
    got.push_back(bench.core.transport(payload, 0).status);
    payload.clear_extension(&add);
    bench.core.read(0, seen.data(), 64);
  });
  bench.run();
  CHECK(got == std::vector<tlm::tlm_response_status>{
                   tlm::TLM_ADDRESS_ERROR_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE,
                   tlm::TLM_BURST_ERROR_RESPONSE, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE,
                   tlm::TLM_BURST_ERROR_RESPONSE});
  CHECK(seen == std::array<unsigned char, 64>{});
}

TEST_CASE("a pointer for direct access sees the same bytes") {
  memory_bench bench;
  tlm::tlm_dmi dmi;
  unsigned char got = 0;
  bench.at(0, [&] {
    const std::uint64_t address = sparse_store::page_bytes + 5;
    REQUIRE(bench.core.ask_for_pointer(address, dmi));
    dmi.get_dmi_ptr()[address - dmi.get_start_address()] = 0x5a;
    bench.core.read(address, &got, 1);
  });
  bench.run();
  CHECK(got == 0x5a);
  CHECK(dmi.get_start_address() == sparse_store::page_bytes);
  CHECK(dmi.get_end_address() == 2 * sparse_store::page_bytes - 1);
  CHECK(to_fs(dmi.get_read_latency()) == 100 * fs_per_ns + 8'000);
  CHECK(dmi.is_read_write_allowed());
}

TEST_CASE("debug accesses take no time, move what fits and count nothing") {
  memory_bench bench;
  std::array<unsigned char, 64> got{};
  unsigned moved[3] = {};
  bench.at(0, [&] {
    moved[0] = bench.core.debug(tlm::TLM_WRITE_COMMAND, memory_bytes - 10, bench.data.data(), 64);
    moved[1] = bench.core.debug(tlm::TLM_READ_COMMAND, memory_bytes - 10, got.data(), 64);
    moved[2] = bench.core.debug(tlm::TLM_READ_COMMAND, memory_bytes, got.data(), 64);
  });
  bench.run();
  CHECK(moved[0] == 10);
  CHECK(moved[1] == 10);
  CHECK(moved[2] == 0);
  CHECK(std::memcmp(got.data(), bench.data.data(), 10) == 0);
  CHECK(got[10] == 0);
  CHECK(bench.count(0) + bench.count(1) + bench.count(4) == 0);
}
