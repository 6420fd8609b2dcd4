// Results of ranks against what they must be. Tensors are compared in slices: what lies in a later
// one counts as what lies in the first.
#include "platform/workload/rank_check.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "platform/services/run_control.hpp"
#include "platform/tensor/reference.hpp"
#include "platform/unit/simulation.hpp"

using namespace heddle;

namespace {

constexpr std::size_t elements = 200'001;  // several slices, and one that is not whole
constexpr std::uint64_t window = 0x1000, data = 0x40;

const std::byte* bits_of(const std::vector<float>& tensor) {
  return reinterpret_cast<const std::byte*>(tensor.data());
}

class rank_with_tensor final : public rank_core {
 public:
  rank_with_tensor(std::string path, const std::vector<float>& tensor)
      : path_(std::move(path)), tensor_(tensor) {}

  const std::string& rank_path() const override { return path_; }
  site_id rank_site() const override { return {}; }
  rank_resources resources() const override {
    rank_resources own;
    own.window = window;
    return own;
  }
  void debug_write(std::uint64_t, const void*, std::uint64_t) override { FAIL("nobody writes"); }
  void debug_read(std::uint64_t address, void* to, std::uint64_t bytes) override {
    REQUIRE(address >= window + data);
    REQUIRE(address - (window + data) + bytes <= tensor_.size() * sizeof(float));
    std::memcpy(to, bits_of(tensor_) + (address - (window + data)), bytes);
  }

 private:
  std::string path_;
  const std::vector<float>& tensor_;
};

std::vector<float> ramp() {
  std::vector<float> values(elements);
  for (std::size_t i = 0; i < elements; ++i) values[i] = 1 + static_cast<float>(i % 1000);
  return values;
}

struct checked_ranks {
  simulation sim{simulation_settings{}};
  std::vector<float> wanted = ramp();
  std::vector<float> second = wanted;  // what rank 1 has
  expected_tensor expected;

  checked_ranks() {
    expected.what = "test";
    expected.type = dtype::fp32;
    expected.data = data;
    expected.for_rank = [this](std::size_t) { return expected_part(0, elements, bits_of(wanted)); };
  }

  rank_comparison compare() {
    rank_with_tensor first("first", wanted), other("other", second);
    const workload_context context{sim, {}, {{&first, &other}, {}}, "", {}};
    return compare_ranks(context, expected);
  }
  const std::vector<std::string>& failures() { return sim.service<run_control>().failures(); }
};

}  // namespace

TEST_CASE("equal tensors are verified") {
  checked_ranks ranks;
  const rank_comparison found = ranks.compare();
  CHECK(found.outcome == verdict::verified);
  CHECK(found.max_ulp == 0);
  CHECK(found.relative_error == 0);
  CHECK(ranks.failures().empty());
}

TEST_CASE("one wrong element anywhere fails the run and is named") {
  const std::size_t at = GENERATE(std::size_t{0}, std::size_t{65535}, std::size_t{65536},
                                  std::size_t{150'000}, elements - 1);
  checked_ranks ranks;
  ranks.second[at] = std::nextafterf(ranks.second[at], 0);
  const rank_comparison found = ranks.compare();
  CHECK(found.outcome == verdict::failed);
  CHECK(found.max_ulp == 1);
  REQUIRE(ranks.failures().size() == 1);
  CHECK(ranks.failures()[0] ==
        "wrong data: test: rank 1 (other): 1 of 200001 elements differ, first element " +
            std::to_string(at) + ", up to 1 ULP");
}

TEST_CASE("differences of all slices are counted") {
  checked_ranks ranks;
  for (const std::size_t at : {std::size_t{70'000}, std::size_t{70'001}, elements - 1})
    ranks.second[at] = -ranks.second[at];
  CHECK(ranks.compare().outcome == verdict::failed);
  REQUIRE(ranks.failures().size() == 1);
  CHECK(ranks.failures()[0].find("3 of 200001 elements differ, first element 70000") !=
        std::string::npos);
}

TEST_CASE("a part that does not begin the tensor is compared where it lies") {
  checked_ranks ranks;
  constexpr std::size_t begin = 66'000, count = 70'000;
  ranks.second[begin - 1] = ranks.second[begin + count] = 0;  // outside of it
  ranks.expected.for_rank = [&](std::size_t) {
    const std::byte* const first = bits_of(ranks.wanted) + begin * sizeof(float);
    return expected_part(begin, count, tensor_bytes(first, first + count * sizeof(float)));
  };
  CHECK(ranks.compare().outcome == verdict::verified);
  ranks.second[begin + count - 1] = 0;
  CHECK(ranks.compare().outcome == verdict::failed);
  CHECK(ranks.failures().at(0).find("first element 135999") != std::string::npos);
}

TEST_CASE("nothing is verified where every part is empty") {
  checked_ranks ranks;
  ranks.expected.for_rank = [](std::size_t) { return expected_part(); };
  CHECK(ranks.compare().outcome == verdict::not_checked);
}

TEST_CASE("the error of rank 0 is that of the whole tensor at once") {
  checked_ranks ranks;
  std::vector<double> reference(elements);
  for (std::size_t i = 0; i < elements; ++i)
    reference[i] = static_cast<double>(ranks.wanted[i]) * (1 + 1e-3 * static_cast<double>(i % 7));
  ranks.expected.reference = [&](std::size_t begin, std::size_t count, double* values) {
    std::copy_n(reference.begin() + static_cast<std::ptrdiff_t>(begin), count, values);
  };
  const double whole = relative_error(dtype::fp32, ranks.wanted.data(), reference.data(), elements);
  CHECK(whole > 1e-3);
  CHECK(ranks.compare().relative_error == whole);
}

TEST_CASE("a sum made in parts is the sum made at once") {
  const std::vector<float> first = ramp(), second(elements, 0.25F);
  const rank_inputs inputs = {bits_of(first), bits_of(second)};
  const std::vector<double> whole = float64_sum(dtype::fp32, inputs, elements);
  const std::size_t begin = GENERATE(std::size_t{0}, std::size_t{1}, std::size_t{1023},
                                     std::size_t{100'000}, elements - 1);
  std::vector<double> part(std::min<std::size_t>(3000, elements - begin), -1.0);
  float64_sum(dtype::fp32, inputs, begin, part.size(), part.data());
  CHECK(std::equal(part.begin(), part.end(), whole.begin() + static_cast<std::ptrdiff_t>(begin)));
}
