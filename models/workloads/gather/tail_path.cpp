#include "models/workloads/gather/tail_path.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace heddle {
namespace {

double over_mean(const gather_figures& of, std::size_t tail,
                 std::uint64_t (*count)(const gather_node_figures&)) {
  double sum = 0;
  for (const gather_node_figures& each : of.nodes) sum += static_cast<double>(count(each));
  const auto nodes = static_cast<double>(of.nodes.size());
  return sum > 0 ? static_cast<double>(count(of.nodes[tail])) * nodes / sum : 0;
}

}  // namespace

tail_path tail_path_of(const gather_figures& of, std::size_t tail, double time) {
  tail_path path;
  const std::vector<rig_client_times>& units = of.units[tail];
  const auto last = std::max_element(units.begin(), units.end(), [](const auto& a, const auto& b) {
    return a.last_end < b.last_end;
  });
  path.unit = static_cast<std::size_t>(last - units.begin());
  const double host = std::max(0., time - seconds(last->busy()));
  path.parts = {{"host", host},
                {"indices", seconds(last->indices)},
                {"scan", seconds(last->scan)},
                {"filter", seconds(last->filter)},
                {"pending", seconds(last->pending)},
                {"transmit", seconds(last->transmit)},
                {"responses", seconds(last->responses)}};
  using node = gather_node_figures;
  path.over_mean = {
      {"nonzeros", over_mean(of, tail, [](const node& n) { return n.local + n.remote(); })},
      {"remote", over_mean(of, tail, [](const node& n) { return n.remote(); })},
      {"issued", over_mean(of, tail, [](const node& n) { return n.issued; })},
      {"served", over_mean(of, tail, [](const node& n) { return n.served; })},
      {"received_bytes", over_mean(of, tail, [](const node& n) { return n.received_bytes; })},
      {"sent_bytes", over_mean(of, tail, [](const node& n) { return n.sent_bytes; })}};
  return path;
}

void write_json(const tail_path& path, nlohmann::ordered_json& tail) {
  tail["unit"] = path.unit;
  for (const auto& [name, time] : path.parts) tail["path"][name] = time;
  for (const auto& [name, load] : path.over_mean) tail["over_mean"][name] = load;
}

}  // namespace heddle
