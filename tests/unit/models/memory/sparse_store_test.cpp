#include "models/memory/sparse_store.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "tests/support/random_numbers.hpp"

using namespace heddle;

namespace {

constexpr std::uint64_t frame = sparse_store::frame_bytes, page = sparse_store::page_bytes;

payload_slice filled(std::uint32_t bytes, unsigned char value) {
  payload_slice slice = payload_slice::allocate(bytes);
  std::memset(slice.data(), value, bytes);
  return slice;
}

unsigned byte_at(const sparse_store& store, std::uint64_t offset) {
  unsigned char byte = 0xee;
  store.read(offset, &byte, 1);
  return byte;
}

// What a store is asked to do, one after the other.
struct request {
  enum class kind { read, write, lend, adopt, copy, point, drop } what;
  std::uint64_t offset, bytes, value;
};

class request_list {
 public:
  explicit request_list(std::vector<request> all) : all_(std::move(all)) {}
  const std::vector<request>& all() const { return all_; }

  // Without half of them, a quarter, and so on, down to each of them.
  std::vector<request_list> simpler() const {
    std::vector<request_list> found;
    for (std::size_t piece = all_.size() / 2; piece > 0; piece /= 2)
      for (std::size_t first = 0; first + piece <= all_.size(); first += piece) {
        std::vector<request> rest(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(first));
        rest.insert(rest.end(), all_.begin() + static_cast<std::ptrdiff_t>(first + piece),
                    all_.end());
        found.emplace_back(std::move(rest));
      }
    return found;
  }
  std::string text() const {
    std::string text;
    for (const request& each : all_)
      text += std::to_string(static_cast<int>(each.what)) + " " + std::to_string(each.offset) +
              " + " + std::to_string(each.bytes) + " : " + std::to_string(each.value) + "\n";
    return text;
  }

 private:
  std::vector<request> all_;
};

constexpr std::uint64_t few_frames = 6;
constexpr std::uint64_t store_bytes = page + few_frames * frame;

// Most of it about a few frames, on both sides of a page's end.
request_list random_requests(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  std::vector<request> all;
  const std::uint64_t count = 1 + below(120);
  for (std::uint64_t i = 0; i < count; ++i) {
    request next{};
    next.what = static_cast<request::kind>(below(below(3) == 0 ? 7 : 5));
    next.value = 1 + below(255);
    const std::uint64_t first = page - few_frames / 2 * frame + below(few_frames) * frame;
    const std::array<std::uint64_t, 6> lengths = {1, 4, 8, 3000, frame, 2 * frame + 5};
    next.bytes = lengths[below(lengths.size())];
    next.offset = first + (below(2) == 0 ? 0 : below(frame));
    next.offset = std::min(next.offset, store_bytes - next.bytes);
    all.push_back(next);
  }
  return request_list(std::move(all));
}

struct held_slice {
  payload_slice slice;
  std::vector<unsigned char> expected;
};

// Against plain bytes; slices that were lent or given away keep what they held. "" or what is
// wrong.
std::string flaw_of(const request_list& requests) {
  sparse_store store(store_bytes);
  std::vector<unsigned char> plain(store_bytes);
  std::vector<held_slice> held;
  const auto* const at = plain.data();
  for (const request& each : requests.all()) {
    const auto value = static_cast<unsigned char>(each.value);
    switch (each.what) {
      case request::kind::read: {
        std::vector<unsigned char> got(each.bytes, 0xee);
        store.read(each.offset, got.data(), each.bytes);
        if (std::memcmp(got.data(), at + each.offset, each.bytes) != 0) return "read other bytes";
        break;
      }
      case request::kind::write: {
        const std::vector<unsigned char> from(each.bytes, value);
        store.write(each.offset, from.data(), each.bytes);
        std::memset(plain.data() + each.offset, value, each.bytes);
        break;
      }
      case request::kind::lend: {
        payload_slice slice;
        if (!store.lend(each.offset, each.bytes, slice)) break;
        held.push_back({slice, {at + each.offset, at + each.offset + each.bytes}});
        break;
      }
      case request::kind::adopt:
      case request::kind::copy: {  // of what was lent before, if that is a frame
        const bool is_copy = each.what == request::kind::copy && !held.empty();
        const std::uint64_t to = std::min(each.offset / frame * frame, store_bytes - frame);
        const payload_slice from =
            is_copy ? held[each.value % held.size()].slice : filled(frame, value);
        if (is_copy && held[each.value % held.size()].expected.size() != frame) break;
        if (!store.adopt(to, from, frame)) store.write(to, from.data(), frame);
        std::memcpy(plain.data() + to, from.data(), frame);
        held.push_back({from, {at + to, at + to + frame}});
        break;
      }
      case request::kind::point:
        store.contiguous_page(each.offset)[each.offset % page] = static_cast<std::byte>(value);
        plain[each.offset] = value;
        break;
      case request::kind::drop:
        if (!held.empty())
          held.erase(held.begin() + static_cast<std::ptrdiff_t>(value % held.size()));
        break;
    }
    for (const held_slice& kept : held)
      if (std::memcmp(kept.slice.data(), kept.expected.data(), kept.expected.size()) != 0)
        return "changed a slice that somebody holds";
  }
  std::vector<unsigned char> got(few_frames * frame);
  store.read(store_bytes - got.size(), got.data(), got.size());
  const bool is_same = std::memcmp(got.data(), at + store_bytes - got.size(), got.size()) == 0;
  return is_same ? "" : "ends with other bytes";
}

}  // namespace

TEST_CASE("words come back wherever they lie, aligned or not") {
  sparse_store store(4 * page);
  std::array<unsigned char, 64> written{};
  std::iota(written.begin(), written.end(), static_cast<unsigned char>(1));
  const std::uint64_t start = page - 32;
  store.write(start, written.data(), written.size());
  const std::size_t bytes = GENERATE(1u, 2u, 4u, 8u);
  CAPTURE(bytes);
  for (std::size_t at = 0; at + bytes <= written.size(); ++at) {
    std::array<unsigned char, 10> got;
    got.fill(0xee);
    store.read(start + at, got.data() + 1, bytes);
    CHECK(std::memcmp(got.data() + 1, written.data() + at, bytes) == 0);
    CHECK(got[0] == 0xee);
    CHECK(got[bytes + 1] == 0xee);
  }
  std::uint64_t nobody_wrote = ~std::uint64_t{0};
  store.read(3 * page + 8, &nobody_wrote, bytes);
  CHECK(nobody_wrote << (64 - 8 * bytes) == 0);
}

TEST_CASE(
    "bytes exist once somebody has written to their frame, or wants a pointer to their page") {
  sparse_store store(1ULL << 40);
  CHECK(store.resident_bytes() == 0);
  char byte = 7;
  store.read((1ULL << 40) - 1, &byte, 1);
  CHECK(byte == 0);
  CHECK(store.resident_bytes() == 0);
  store.write((1ULL << 40) - 1, "x", 1);
  store.read((1ULL << 40) - 1, &byte, 1);
  CHECK(byte == 'x');
  CHECK(store.resident_bytes() == frame);
  CHECK(store.contiguous_page((1ULL << 40) - 1)[page - 1] == std::byte{'x'});
  CHECK(store.resident_bytes() == page);
}

TEST_CASE("what is lent stays as it was, and is no copy") {
  sparse_store store(page);
  store.write(frame, filled(frame, 5).data(), frame);
  payload_slice all, half;
  REQUIRE(store.lend(frame, frame, all));
  REQUIRE(store.lend(frame + 1000, 2500, half));
  CHECK(half.data() == all.data() + 1000);
  store.write(frame + 1000, "x", 1);
  CHECK(half.data()[0] == std::byte{5});
  CHECK(byte_at(store, frame + 1000) == 'x');
  CHECK(byte_at(store, frame + 1001) == 5);
  all.reset();
  half.reset();
  REQUIRE(store.lend(frame, frame, all));
  const std::byte* const place = all.data();
  all.reset();
  store.write(frame + 2000, "y", 1);  // nobody holds it: written in place
  REQUIRE(store.lend(frame, frame, all));
  CHECK(all.data() == place);
  CHECK(all.data()[2000] == std::byte{'y'});
}

TEST_CASE("a frame that is written as a whole is kept as it came, in several memories") {
  sparse_store store(page), other(page);
  const payload_slice written = filled(frame, 9);
  REQUIRE(store.adopt(3 * frame, written, frame));
  REQUIRE(other.adopt(0, written, frame));
  payload_slice lent;
  REQUIRE(store.lend(3 * frame, frame, lent));
  CHECK(lent.data() == written.data());
  store.write(3 * frame, "z", 1);
  CHECK(byte_at(store, 3 * frame) == 'z');
  CHECK(byte_at(other, 0) == 9);
  CHECK(written.data()[0] == std::byte{9});
}

TEST_CASE("bytes are copied where they are few, of two frames, of nobody, or of a pointer's page") {
  sparse_store store(3 * page);
  const payload_slice bytes = filled(2 * frame, 1);
  store.write(0, bytes.data(), 2 * frame);
  payload_slice lent;
  CHECK_FALSE(store.lend(0, 64, lent));
  CHECK_FALSE(store.lend(1, frame, lent));
  CHECK_FALSE(store.lend(2 * frame, frame, lent));
  CHECK_FALSE(store.lend(page, frame, lent));
  CHECK_FALSE(lent);
  CHECK_FALSE(store.adopt(0, bytes, frame));  // the block is larger
  const payload_slice one = filled(frame, 1);
  CHECK_FALSE(store.adopt(0, one.from(1), frame));
  CHECK_FALSE(store.adopt(1, one, frame));
  CHECK_FALSE(store.adopt(0, one, frame - 1));
  store.contiguous_page(0);
  CHECK_FALSE(store.adopt(0, one, frame));
  CHECK_FALSE(store.lend(0, frame, lent));
}

TEST_CASE("a store holds what plain memory would, whoever shares its frames") {
  constexpr std::uint64_t lists = 800;
  for (std::uint64_t seed = 0; seed < lists; ++seed) {
    const request_list drawn = random_requests(seed);
    if (flaw_of(drawn).empty()) continue;
    const request_list smallest =
        shrink(drawn, [](const request_list& each) { return !flaw_of(each).empty(); });
    FAIL("seed " << seed << ": " << flaw_of(smallest) << "\n" << smallest.text());
  }
}
