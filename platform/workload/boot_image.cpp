#include "platform/workload/boot_image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "platform/registers/register_file.hpp"
#include "platform/text/quantity.hpp"

namespace heddle {
namespace {

// What every core may know: who it is, and where its devices are.
boot_block block_of(const rank_core& core, const rank_memory& layout) {
  boot_block block{};
  block.magic = BOOT_MAGIC;
  block.version = BOOT_VERSION;
  block.self = core.resources().window;
  block.devices = block.self + layout.devices;
  block.device_count = static_cast<std::uint32_t>(core.devices().all().size());
  return block;
}

void write(rank_core& core, const rank_memory& layout, const boot_block& block) {
  std::vector<boot_device> table;
  for (const core_device& each : core.devices().all())
    table.push_back({each.block, each.instance, each.base});
  if (const std::uint64_t most = layout.device_bytes() / sizeof table[0]; table.size() > most)
    throw user_error(fmt::format(
        "{} has {} devices on its bus, its boot block has room for {}: name fewer by `devices`",
        core.rank_path(), table.size(), most));
  core.debug_write(block.self + rank_memory::boot, &block, sizeof block);
  if (!table.empty()) core.debug_write(block.devices, table.data(), table.size() * sizeof table[0]);
}

// A netlist may leave a core that runs nothing without memory.
bool has_memory(rank_core& core) {
  const rank_resources own = core.resources();
  if (own.window_bytes < sizeof(boot_block)) return false;
  boot_block there{};
  try {
    core.debug_read(own.window + rank_memory::boot, &there, sizeof there);
  } catch (const user_error&) {
    return false;
  }
  return true;
}

// Of its DMA engine; UINT64_MAX where it has none.
std::uint64_t channels_of(const rank_core& core) {
  for (const core_device& each : core.devices().all()) {
    if (each.registers->description().name != std::string_view("dma") || each.instance != 0)
      continue;
    for (const register_cell& cell : each.registers->cells())
      if (register_file::name_of(cell) == "channels") return cell.value;
  }
  return UINT64_MAX;
}

boot_block boot_block_of(const rank_core& core, std::uint32_t rank, std::uint64_t channels,
                         const workload_context& context) {
  const rank_memory layout = memory_of(context.cores);
  const rank_resources own = core.resources();
  boot_block block = block_of(core, layout);
  block.rank = rank;
  block.ranks = static_cast<std::uint32_t>(context.cores.ranks.size());
  block.peers = own.window + layout.peers;
  block.job = own.window + layout.job;
  block.rings = own.window + layout.rings;
  const std::uint64_t asked = context.settings.ring_entries;
  block.ring_entries = static_cast<std::uint32_t>(
      asked == 0 ? layout.ring_entries
                 : std::min(asked, layout.most_ring_entries(context.settings.channels)));
  block.channels = static_cast<std::uint32_t>(channels);
  block.flags = own.window + layout.flags;
  block.flag_bytes = layout.flag_bytes();
  if (layout.lines != 0) block.lines = own.window + layout.lines;
  block.timeout_ns = context.settings.timeout_ns;
  block.multicast = own.multicast;
  block.tenant = context.tenant.number;
  block.tenants = context.tenant.count;
  return block;
}

void write_rank(rank_core& core, std::uint32_t rank, std::uint64_t channels,
                const workload_context& context) {
  const rank_resources own = core.resources();
  const boot_block block = boot_block_of(core, rank, channels, context);
  write(core, memory_of(context.cores), block);
  if (core.has("network_interface")) {  // tiles know each other's addresses
    boot_mesh mesh{};
    mesh.columns = own.columns;
    mesh.memory = own.memory;
    mesh.memory_size = own.memory_size;
    core.debug_write(own.window + rank_memory::boot + BOOT_MESH_OFFSET, &mesh, sizeof mesh);
    return;
  }
  std::vector<std::uint64_t> peers;
  for (const rank_core* each : context.cores.ranks) peers.push_back(each->resources().window);
  core.debug_write(block.peers, peers.data(), peers.size() * sizeof peers[0]);
}

}  // namespace

rank_memory memory_of(const workload_cores& cores) {
  return rank_memory(cores.ranks.front()->resources().window_bytes);
}

void check_windows(const workload_context& context) {
  const rank_core& first = *context.cores.ranks.front();
  const auto is_roomy = [](const rank_core& core) {
    return core.resources().window_bytes >= rank_memory::smallest_roomy;
  };
  for (const rank_core* each : context.cores.ranks)
    if (is_roomy(*each) != is_roomy(first))
      throw user_error(
          context.settings.ranks_place,
          fmt::format("{} has a window of {}, {} one of {}: ranks have {} or more each, or less "
                      "each, because firmware lays out the ones and the others differently",
                      first.rank_path(), format_bytes(first.resources().window_bytes),
                      each->rank_path(), format_bytes(each->resources().window_bytes),
                      format_bytes(rank_memory::smallest_roomy)));
}

std::uint64_t common_channels(const workload_cores& cores) {
  std::uint64_t channels = UINT64_MAX;
  for (const rank_core* each : cores.ranks) channels = std::min(channels, channels_of(*each));
  return channels;
}

void check_channels(const workload_context& context) {
  const workload_settings& settings = context.settings;
  if (!settings.channels_place) return;
  for (const rank_core* each : context.cores.ranks)
    if (const std::uint64_t there = channels_of(*each); settings.channels > there)
      throw user_error(*settings.channels_place,
                       fmt::format("the DMA engine of {} has {} channels, not {}",
                                   each->rank_path(), there, settings.channels));
}

void write_boot_blocks(const workload_context& context) {
  try {
    const std::uint64_t most = context.settings.channels;
    // Credits of a ring are counted by channel, by the rank that gives them and the one that waits.
    const std::uint64_t of_ranks = std::min(most, common_channels(context.cores));
    std::uint32_t rank = 0;
    for (rank_core* each : context.cores.ranks) write_rank(*each, rank++, of_ranks, context);
    for (rank_core* each : context.cores.setup)
      write_rank(*each, 0, std::min(most, channels_of(*each)), context);
  } catch (const user_error& error) {
    throw user_error(context.settings.place, error.what());
  }
}

void boot_blocks::start_of_simulation() {
  for (rank_core* each : cores_) {
    if (!has_memory(*each)) continue;
    const rank_memory layout(each->resources().window_bytes);
    write(*each, layout, block_of(*each, layout));
  }
}

}  // namespace heddle
