#include "platform/trace/selected_sink.hpp"

#include <catch2/catch.hpp>

#include "platform/trace/trace_scope.hpp"
#include "tests/unit/trace/recording_sink.hpp"

using namespace heddle;

namespace {

// What a sink is told of its signals: their names and the texts that they have had.
class text_sink final : public trace_sink {
 public:
  std::vector<std::string> names, texts;

  void begin(const trace_catalog& catalog) override {
    catalog_ = &catalog;
    for (const trace_declaration& each : catalog.signals) names.push_back(each.name());
  }
  void open_window(fs_t, const std::vector<trace_value>& values) override {
    for (const trace_value& each : values) texts.push_back(catalog_->texts.at(each.bits));
  }
  void changes(const std::vector<trace_change>& batch) override {
    for (const trace_change& each : batch) texts.push_back(catalog_->texts.at(each.bits));
  }
  void close_window(fs_t) override {}
  void finish() override {}

 private:
  const trace_catalog* catalog_ = nullptr;
};

}  // namespace

TEST_CASE("a sink of some signals is told of no other", "[trace]") {
  recording_sink whole, part;
  selected_sink selected(part, [](const std::string& name) { return name != "gpu.b"; });
  trace_stream stream;
  stream.add_sink(selected);
  stream.add_sink(whole);
  const trace_scope scope(stream, "gpu");
  const auto a = scope.vector("a", 8), b = scope.vector("b", 8), c = scope.vector("c", 8);
  a.set(1, 0);
  b.set(2, 0);
  c.set(3, 0);
  b.set(4, 10);
  c.set(5, 20);
  stream.finish(30);
  CHECK(part.lines == std::vector<std::string>{"0 open 1 3", "20 c=5", "30 close", "finish"});
  CHECK(whole.lines ==
        std::vector<std::string>{"0 open 1 2 3", "10 b=4", "20 c=5", "30 close", "finish"});
}

TEST_CASE("a sink of some signals knows texts that appear during the run", "[trace]") {
  text_sink part;
  selected_sink selected(part, [](const std::string& name) { return name == "b.job"; });
  trace_stream stream;
  stream.add_sink(selected);
  const auto a = trace_scope(stream, "a").text("job"), b = trace_scope(stream, "b").text("job");
  a.set("first", 0);
  b.set("", 0);
  stream.advance(5);
  a.set("second", 10);
  b.set("third", 10);
  stream.finish(20);
  CHECK(part.names == std::vector<std::string>{"b.job"});
  CHECK(part.texts == std::vector<std::string>{"", "third"});
}
