// The PCIe bridge between a host and a device: what crosses it, when, and what is counted. 1 B/ps
// in each direction, 200 ns one way, transactions of 512 B with 24 B of header; both sides answer
// after 50 ns.
#include "models/nic/pcie/pcie.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "tests/support/memory_initiator.hpp"
#include "tests/support/memory_target.hpp"
#include "tests/support/statistic_of.hpp"
#include "tests/support/test_bench.hpp"

using namespace heddle;

namespace {

constexpr fs_t way = 200 * fs_per_ns, answer = 50 * fs_per_ns, per_byte = 1000, header = 24'000;

struct bridge_bench : test_bench {
  pcie_bridge& bridge;
  memory_initiator& host = add_stimulus<memory_initiator>("host");
  memory_initiator& device = add_stimulus<memory_initiator>("device");
  memory_target& registers = add_stimulus<memory_target>("registers");
  memory_target& memory = add_stimulus<memory_target>("memory");
  std::vector<unsigned char> data = std::vector<unsigned char>(4096);

  explicit bridge_bench(std::uint64_t outstanding = 768)
      : bridge(add<pcie_bridge>("bridge", [=](pcie_parameters& p) {
          p.rate.set(bandwidth(1'000'000'000'000));
          p.latency.set({way});
          p.header.set({24});
          p.outstanding.set(outstanding);
        })) {
    bind(host, "bus", bridge, "down");
    bind(bridge, "device", registers, "in");
    bind(device, "bus", bridge, "up");
    bind(bridge, "host", memory, "in");
    registers.latency = memory.latency = answer;
  }
  fs_t read(std::uint32_t bytes) { return device.read(0, data.data(), bytes).done; }
  fs_t write(std::uint32_t bytes) { return device.write(0, data.data(), bytes).done; }
};

}  // namespace

TEST_CASE("each transaction has its header, and each direction counts its own bytes and time") {
  bridge_bench bench;
  fs_t written = 0, read = 0, posted = 0, looked = 0;
  bench.at(0, [&] {
    written = bench.write(1200);  // three transactions
    read = bench.read(1000);      // one up without data, two down
    posted = bench.host.write(0, bench.data.data(), 4).done;
    looked = bench.host.read(0, bench.data.data(), 4).done;
  });
  bench.run();
  constexpr fs_t up = 1200 * per_byte + 3 * header, down = 1000 * per_byte + 2 * header;
  CHECK(written == up + way + answer + way);
  CHECK(read == up + header + way + answer + down + way);  // behind the write
  // Words of the host do not queue; a write is not answered.
  CHECK(posted == 4 * per_byte + header + way + answer);
  CHECK(looked == header + way + answer + 4 * per_byte + header + way);
  CHECK(statistic_of(bench.bridge, "bytes_up") == 1200 + 4);
  CHECK(statistic_of(bench.bridge, "bytes_down") == 1000 + 4);
  CHECK(statistic_of(bench.bridge, "busy_up") == up + header + 4 * per_byte + header);
  CHECK(statistic_of(bench.bridge, "busy_down") == down + 4 * per_byte + header + header);
  CHECK(statistic_of(bench.bridge, "read_stalls") == 0);
}

TEST_CASE("a read waits while as many as allowed are outstanding, and is counted") {
  bridge_bench bench(2);
  std::vector<fs_t> done;
  bench.at(0, [&] {
    for (int i = 0; i < 3; ++i) done.push_back(bench.read(64));
  });
  bench.run();
  constexpr fs_t answered = 64 * per_byte + header, there_and_back = way + answer + answered + way;
  const fs_t first = header + there_and_back;
  CHECK(done == std::vector<fs_t>{first, first + answered, first + header + there_and_back});
  CHECK(statistic_of(bench.bridge, "read_stalls") == 1);
}

TEST_CASE("writes of the device need no tag") {
  bridge_bench bench(1);
  std::vector<fs_t> done;
  bench.at(0, [&] {
    for (int i = 0; i < 2; ++i) done.push_back(bench.write(64));
  });
  bench.run();
  constexpr fs_t each = 64 * per_byte + header;
  CHECK(done == std::vector<fs_t>{each + way + answer + way, 2 * each + way + answer + way});
  CHECK(statistic_of(bench.bridge, "read_stalls") == 0);
}
