// How long things take in the stand-in cluster, in ns.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <vector>

namespace heddle::test {

// A part of a copy: read at the source and visible at the destination so long from now.
struct fragment {
  std::uint64_t offset;
  std::uint64_t bytes;
  std::uint64_t read_after;
  std::uint64_t visible_after;
};

class timing {
 public:
  virtual ~timing() = default;

  virtual std::uint64_t access() = 0;       // of the core to memory or register
  virtual std::uint64_t skew() = 0;         // until a core begins with a job
  virtual std::uint64_t start() = 0;        // until a channel begins its next descriptor
  virtual std::uint64_t write() = 0;        // until a written value is visible
  virtual std::uint64_t acknowledge() = 0;  // until the engine knows
  virtual std::uint64_t reduce(std::uint64_t elements) = 0;
  virtual std::vector<fragment> copy(std::uint64_t now, std::uint32_t rank,
                                     std::uint64_t bytes) = 0;
};

// Anything that the hardware may do: copies fall apart into fragments that overtake each other.
class random_timing final : public timing {
 public:
  explicit random_timing(std::uint64_t seed) : random_(seed) {}

  std::uint64_t access() override { return below(4) == 0 ? below(20) : 0; }
  std::uint64_t skew() override { return below(2000); }
  std::uint64_t start() override { return below(50); }
  std::uint64_t write() override { return below(300); }
  std::uint64_t acknowledge() override { return below(100); }
  std::uint64_t reduce(std::uint64_t) override { return below(200); }
  std::vector<fragment> copy(std::uint64_t now, std::uint32_t rank, std::uint64_t bytes) override;

 private:
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

  std::mt19937_64 random_;
};

// One link a rank, whose messages follow each other; everything else has a constant latency.
class link_timing final : public timing {
 public:
  explicit link_timing(double bytes_per_ns) : bytes_per_ns_(bytes_per_ns) {}

  std::uint64_t access() override { return 5; }
  std::uint64_t skew() override { return 0; }
  std::uint64_t start() override { return 20; }
  std::uint64_t write() override { return one_way; }
  std::uint64_t acknowledge() override { return one_way; }
  std::uint64_t reduce(std::uint64_t) override { return 150; }
  std::vector<fragment> copy(std::uint64_t now, std::uint32_t rank, std::uint64_t bytes) override;

 private:
  static constexpr std::uint64_t one_way = 550;

  double bytes_per_ns_;
  std::map<std::uint32_t, double> free_at_;
};

}  // namespace heddle::test
