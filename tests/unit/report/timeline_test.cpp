#include "platform/report/timeline.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "platform/trace/trace_scope.hpp"

using namespace heddle;

namespace {

enum class mode : std::uint64_t { idle, work, wait };

constexpr fs_t ps = fs_per_ps;

struct traced {
  trace_stream stream;
  timeline recorded;
  trace_scope scope;
  trace_signal<mode> state;
  trace_signal<std::uint64_t> level;
  trace_signal<std::string_view> job;

  traced() {
    stream.add_sink(recorded);
    scope = trace_scope(stream, "gpu[0].dma");
    state = scope.state<mode>("state", {"IDLE", "WORK", "WAIT"});
    level = scope.vector("level", 16);
    job = scope.text("job");
    state.set(mode::idle, 0);
    level.set(0, 0);
    job.set("", 0);
  }
  nlohmann::json finish(fs_t end) {
    stream.finish(end);
    return nlohmann::json::parse(recorded.json(end));
  }
};

}  // namespace

TEST_CASE("a time line holds what each signal did, and nothing of those at rest") {
  traced unit;
  unit.state.set(mode::work, 10 * ps);
  unit.state.set(mode::wait, 30 * ps);
  unit.state.set(mode::idle, 35 * ps);
  unit.job.set("a", 40 * ps);
  const auto all = unit.finish(50 * ps);
  CHECK(all["end_ps"] == 50);
  REQUIRE(all["tracks"].size() == 2);
  CHECK(all["tracks"][0] == nlohmann::json::parse(R"({"unit": "gpu[0].dma", "signal": "state",
    "kind": "state", "names": ["WORK", "WAIT"], "entries": [10, 20, 0, 1.0, 0, 5, 1, 1.0]})"));
  CHECK(all["tracks"][1]["names"] == nlohmann::json::parse(R"(["a"])"));
  CHECK(all["tracks"][1]["entries"] == nlohmann::json::parse("[40, 10, 0, 1.0]"));
}

TEST_CASE("levels keep their largest and their mean value") {
  traced unit;
  unit.level.set(4, 0);
  unit.level.set(2, 10 * ps);
  unit.level.set(0, 20 * ps);
  const auto all = unit.finish(20 * ps);
  CHECK(all["tracks"][0]["kind"] == "number");
  CHECK(all["tracks"][0]["entries"] == nlohmann::json::parse("[0, 10, 4.0, 4.0, 0, 10, 2.0, 2.0]"));
}

TEST_CASE("entries that are joined keep their busy time") {
  const std::size_t most = GENERATE(1, 2, 7, 64);
  std::vector<timeline_entry> entries;
  double area = 0;
  for (fs_t i = 0; i < 1000; ++i) {
    entries.push_back(
        {100 * i, 100 * i + 10 + i % 50, 1 + i % 2, static_cast<double>(10 + i % 50)});
    area += entries.back().area;
  }
  const timeline_entry first = entries.front(), last = entries.back();
  coarsen(entries, most, true);
  CHECK(entries.size() <= most);
  CHECK(entries.front().begin == first.begin);
  CHECK(entries.back().end == last.end);
  double kept = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    kept += entries[i].area;
    if (i > 0) CHECK(entries[i].begin >= entries[i - 1].end);
    CHECK(entries[i].area <= static_cast<double>(entries[i].end - entries[i].begin));
  }
  CHECK(kept == Approx(area));
}

TEST_CASE("a signal that never stops changing stays small") {
  traced unit;
  for (fs_t i = 1; i <= 100'000; ++i) unit.state.set(i % 2 == 1 ? mode::work : mode::idle, i * ps);
  const auto all = unit.finish(100'000 * ps);
  REQUIRE(all["tracks"].size() == 1);
  const auto& entries = all["tracks"][0]["entries"];
  CHECK(entries.size() <= 4 * 2000);
  double busy = 0;
  for (std::size_t i = 0; i < entries.size(); i += 4)
    busy += entries[i + 1].get<double>() * entries[i + 3].get<double>();
  CHECK(busy == Approx(50'000).epsilon(0.01));
}
