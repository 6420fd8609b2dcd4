#include "platform/report/perfetto_writer.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

namespace heddle {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string microseconds(fs_t time) {
  constexpr fs_t fs_per_us = 1'000'000'000;
  return fmt::format("{}.{:09}", time / fs_per_us, time % fs_per_us);
}

}  // namespace

void perfetto_writer::put(const std::string& event) {
  file_.write(is_first_ ? "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n" : ",\n");
  file_.write(event);
  is_first_ = false;
}

void perfetto_writer::begun() {
  std::map<std::string, int> processes;
  for (const trace_declaration& each : catalog().signals) {
    const std::string unit = each.path.substr(0, each.path.find('.'));
    const std::string within =
        unit.size() < each.path.size() ? each.path.substr(unit.size() + 1) + "." : "";
    const auto [known, is_new] = processes.emplace(unit, static_cast<int>(processes.size()) + 1);
    const int process = known->second;
    const int thread = static_cast<int>(tracks_.size()) + 1;
    if (is_new)
      put(fmt::format(R"({{"ph":"M","pid":{},"tid":0,"name":"process_name","args":{{"name":{}}}}})",
                      process, quoted(unit)));
    if (each.has_names())
      put(fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":{}}}}})",
                      process, thread, quoted(within + each.leaf)));
    tracks_.push_back({process, thread, quoted(within + each.leaf)});
  }
}

void perfetto_writer::interval(std::uint32_t signal, fs_t begin, fs_t end, std::uint64_t bits) {
  const trace_declaration& declared = catalog().signals[signal];
  const track& to = tracks_[signal];
  if (!declared.has_names())
    return put(fmt::format(
        R"({{"ph":"C","pid":{},"tid":{},"ts":{},"name":{},"args":{{"value":{}}}}})", to.process,
        to.thread, microseconds(begin), to.name, level_of(declared, catalog(), bits)));
  if (is_at_rest(declared, catalog(), bits)) return;
  put(fmt::format(R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"cat":{},"name":{}}})",
                  to.process, to.thread, microseconds(begin), microseconds(end - begin),
                  quoted(declared.leaf), quoted(value_name(declared, catalog(), bits))));
}

void perfetto_writer::finish() {
  if (is_first_) file_.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
  file_.write("\n]}\n");
  file_.commit();
}

}  // namespace heddle
