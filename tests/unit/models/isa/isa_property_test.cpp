// Random systems, down to one packet of table and of credits, with up to four streams and ordinary
// traffic beside them: everything completes, every byte of every memory is what it should be, no
// more was asked for than the tables hold, and no monitor complains.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <cstdlib>

#include "models/workloads/collective/golden/golden.hpp"
#include "models/workloads/collective/golden/golden_quantized.hpp"
#include "platform/tensor/random.hpp"
#include "tests/unit/models/isa/random_streams.hpp"

using namespace heddle;

namespace {

class experiment {
 public:
  explicit experiment(const random_streams& given)
      : given_(given), bench_(given.options()), instructions_(given.instructions()) {
    fill();
    rounds_.resize(bench_.members.size());
    for (std::size_t m = 0; m < bench_.members.size(); ++m) prepare(*bench_.members[m], m);
  }

  // "" or what is wrong.
  std::string run() {
    bench_.at(0, [this] {
      for (int s = 0; s < streams(); ++s) bench_.set_stream(s, given_.members_of(s));
      for (const staged_instruction& each : instructions_) bench_.push(each);
    });
    for (std::size_t m = 0; m < bench_.members.size(); ++m) start(static_cast<int>(m));
    bench_.run();
    return verdict();
  }

 private:
  int streams() const { return static_cast<int>(given_["streams"]); }

  void fill() {
    for (std::size_t m = 0; m < bench_.members.size(); ++m) {
      std::vector<std::byte>& memory = bench_.members[m]->memory;
      fill_random(dtype::int32, memory.data() + 64, (memory.size() - 64) / 4, given_["seed"], m);
    }
    for (std::size_t n = 0; n < instructions_.size(); ++n) fill(instructions_[n], n);
    for (const memory_member* each : bench_.members) expected_.push_back(each->memory);
    for (std::size_t n = 0; n < instructions_.size(); ++n) expect(instructions_[n], n);
  }
  std::vector<std::byte> operand(const staged_instruction& i, std::size_t n, std::size_t m) const {
    const std::size_t elements = elements_of(i);
    std::vector<std::byte> values(elements * size_of(i.type));
    fill_random(i.type, values.data(), elements, given_["seed"] + n, m);
    return values;
  }
  static std::size_t elements_of(const staged_instruction& i) {
    return i.quant ? i.length * std::size_t{8} / i.quant->bits : i.length / size_of(i.type);
  }
  void fill(const staged_instruction& i, std::size_t n) {
    for_each_member(i.source, [&](int member) {
      const auto m = static_cast<std::size_t>(member);
      const std::vector<std::byte> values = operand(i, n, m);
      if (!i.quant) return put(bench_.members[m]->memory, i.offset, values);
      const quantized_tensor own = golden_quantize(*i.quant, i.type, values.data(), elements_of(i));
      put(bench_.members[m]->memory, i.offset, own.data);
      put(bench_.members[m]->memory, i.scale_offset, own.scales);
    });
  }
  void expect(const staged_instruction& i, std::size_t n) {
    std::vector<std::vector<std::byte>> values(bench_.members.size());
    rank_inputs inputs(bench_.members.size());
    for_each_member(i.source, [&](int member) {
      const auto m = static_cast<std::size_t>(member);
      values[m] = operand(i, n, m);
      inputs[m] = values[m].data();
    });
    quantized_tensor result;
    if (i.quant)
      result = golden_inq_allreduce(*i.quant, i.type, inputs, elements_of(i));
    else
      result.data = golden_tree_allreduce(i.type, i.op, inputs, elements_of(i));
    for_each_member(i.destination, [&](int member) {
      put(expected_[static_cast<std::size_t>(member)], i.offset, result.data);
      put(expected_[static_cast<std::size_t>(member)], i.scale_offset, result.scales);
    });
    for_each_member(given_.members_of(i.stream), [&](int member) {
      std::byte& flag = expected_[static_cast<std::size_t>(member)][isa_bench::flag_of(i.stream)];
      flag = static_cast<std::byte>(static_cast<unsigned>(flag) + 1);
    });
  }
  template <class Bytes>
  static void put(std::vector<std::byte>& memory, std::uint64_t offset, const Bytes& bytes) {
    std::copy(bytes.begin(), bytes.end(), memory.begin() + static_cast<std::ptrdiff_t>(offset));
  }

  void prepare(memory_member& member, std::size_t m) {
    member.keeps_arrivals = false;
    member.delay = random_times(given_["seed"] + m, given_["longest_delay_ns"]);
    member.hold = random_times(given_["seed"] - m, given_["longest_hold_ns"]);
    member.on_added = [this, m](std::uint64_t offset) {
      arrive_next(static_cast<int>(m), static_cast<int>(offset / 8));
    };
  }
  static std::function<fs_t(const packet&)> random_times(std::uint64_t seed, std::uint64_t ns) {
    return [seed, ns](const packet&) mutable {
      seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
      return (seed >> 33) % (ns + 1) * fs_per_ns;
    };
  }
  void start(int m) {
    bench_.at(static_cast<fs_t>(m * 7919) % (given_["late_ns"] + 1) * fs_per_ns + 1, [this, m] {
      for (int s = 0; s < streams(); ++s)
        if ((given_.members_of(s) & mask_of(m)) != 0) arrive_next(m, s);
    });
    for (const random_streams::traffic& each : given_.ordinary())
      if (each.from == m) bench_.at(1, [this, each] { send(each); });
  }
  void arrive_next(int m, int stream) {
    if (rounds_[static_cast<std::size_t>(m)][static_cast<std::size_t>(stream)]++ < given_["rounds"])
      bench_.arrive(stream, mask_of(m));
  }
  void send(const random_streams::traffic& t) {
    const std::uint32_t bytes = bench_.options.format.mtu;
    std::vector<std::byte> packet(bytes);
    for (std::uint32_t n = 0; n < t.packets; ++n) {
      for (std::uint32_t i = 0; i < bytes; ++i)
        packet[i] = static_cast<std::byte>(n * 31 + i * 7 + static_cast<std::uint32_t>(t.from));
      const std::uint64_t offset = t.offset + std::uint64_t{n} * bytes;
      bench_.members[static_cast<std::size_t>(t.from)]->write(isa_bench::base_of(t.to) + offset,
                                                              packet.data(), bytes);
      put(expected_[static_cast<std::size_t>(t.to)], offset, packet);
    }
  }

  std::string verdict() {
    if (!bench_.failures().empty()) return bench_.failures().front();
    if (!bench_.audit().empty()) return bench_.audit().front();
    for (int s = 0; s < streams(); ++s)
      if (bench_.completed(s) != given_["rounds"])
        return fmt::format("stream {}: {} completed; waits for {}; switch for {}", s,
                           bench_.completed(s), bench_.isa.waiting_for(), bench_.hub.waiting_for());
    if (!bench_.isa.waiting_for().empty()) return "still waits: " + bench_.isa.waiting_for();
    if (bench_.count().peak_waves.raw() > given_["entries"]) return "more waves than entries";
    const std::uint64_t table =
        given_["entries"] * (given_["wave"] + (given_["scales_fit"] != 0 ? 256 : 2));
    for (std::size_t m = 0; m < bench_.members.size(); ++m) {
      const memory_member& member = *bench_.members[m];
      if (member.most_asked_bytes > table)
        return fmt::format("member {} was asked for {} B at once", m, member.most_asked_bytes);
      if (member.errors != 0) return fmt::format("member {} got errors", m);
      const auto differ =
          std::mismatch(member.memory.begin(), member.memory.end(), expected_[m].begin()).first;
      if (differ != member.memory.end())
        return fmt::format("member {}: wrong byte at offset {}", m, differ - member.memory.begin());
    }
    return {};
  }

  const random_streams given_;
  isa_bench bench_;
  const std::vector<staged_instruction> instructions_;
  std::vector<std::vector<std::byte>> expected_;
  std::vector<std::array<std::uint64_t, 8>> rounds_;  // arrivals, by member and stream
};

// In a process of its own, because the kernel elaborates only once.
std::string outcome(const random_streams& given) {
  constexpr unsigned seconds = 600;  // far longer than any of them takes
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(seconds);
    std::string text;
    try {
      text = experiment(given).run();
    } catch (const std::exception& mistake) {
      text = mistake.what();
    }
    const bool is_told = write(ends[1], text.data(), text.size()) >= 0;
    _exit(is_told ? 0 : 1);  // the parent's buffers and modules are not this process's to tidy up
  }
  close(ends[1]);
  std::string text;
  char buffer[1024];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 ? text : "ended by " + std::to_string(status) + " " + text;
}

void check(std::uint64_t first_seed, std::uint64_t count, std::uint64_t packets,
           std::uint64_t longest) {
  for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    const random_streams given(seed, packets, longest);
    const std::string wrong = outcome(given);
    if (wrong.empty()) continue;
    const random_streams smallest =
        shrink(given, [](const random_streams& each) { return !outcome(each).empty(); });
    FAIL("seed " << seed << ": " << wrong << "\n"
                 << given.text() << "\nsmallest that fails: " << outcome(smallest) << "\n"
                 << smallest.text());
  }
}

std::uint64_t from_environment(const char* name, std::uint64_t fallback) {
  const char* const text = std::getenv(name);
  return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
}

}  // namespace

TEST_CASE("random streams give exact bytes and complete: one half") {
  check(1, 80, 20'000, 1 << 20);
}
TEST_CASE("random streams give exact bytes and complete: the other half") {
  check(1'001, 80, 20'000, 1 << 20);
}

TEST_CASE("many random streams up to 64 MiB", "[.][long]") {
  check(from_environment("HEDDLE_ADVERSITY_SEED", 100'000),
        from_environment("HEDDLE_ADVERSITY_RUNS", 200), 1'000'000, 64 << 20);
}
