#include "platform/workload/workload_settings.hpp"

#include "platform/workload/rank_memory.hpp"

namespace heddle {

workload_settings read_workload_settings(yaml_mapping& mapping) {
  constexpr std::int64_t most_channels = 16;
  workload_settings settings;
  settings.place = settings.name_place = settings.ranks_place = settings.setup_place =
      settings.after_place = mapping.node().place();
  if (const auto n = mapping.optional("name")) {
    settings.name = as_text(*n);
    settings.name_place = n->place();
  }
  if (const auto n = mapping.optional("ranks")) {
    settings.ranks.clear();
    for (const yaml_node& each : as_list(*n)) settings.ranks.push_back(as_text(each));
    if (settings.ranks.empty()) throw user_error(n->place(), "expected a glob over cores");
    settings.ranks_place = n->place();
  }
  if (const auto n = mapping.optional("setup")) {
    settings.setup = as_text(*n);
    settings.setup_place = n->place();
  }
  if (const auto n = mapping.optional("start")) settings.start = as_duration(*n);
  if (const auto n = mapping.optional("after")) {
    settings.after = as_text(*n);
    settings.after_place = n->place();
  }
  if (const auto n = mapping.optional("channels")) {
    settings.channels = static_cast<std::uint64_t>(as_integer(*n, 1, most_channels));
    settings.channels_place = n->place();
  }
  constexpr rank_memory roomy(rank_memory::smallest_roomy);
  const auto most = static_cast<std::int64_t>(roomy.most_ring_entries(settings.channels));
  read_integer(mapping.optional("ring_entries"), settings.ring_entries, 4, most);
  if (const auto n = mapping.optional("timeout")) settings.timeout_ns = as_duration(*n) / fs_per_ns;
  if (const auto n = mapping.optional("check"))
    settings.is_checked = as_choice(*n, "check", {"exact", "off"}) == "exact";
  if (const auto n = mapping.optional("explain"))
    settings.is_explained = as_choice(*n, "explain", {"on", "off"}) == "on";
  return settings;
}

}  // namespace heddle
