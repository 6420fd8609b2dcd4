#include "platform/workload/boot_image.hpp"

namespace heddle {
namespace {

void write_boot_block(rank_core& core, std::uint32_t rank, const workload_context& context) {
  const rank_resources own = core.resources();
  const boot_block block = boot_block_of(core, rank, context);
  core.debug_write(block.self + rank_memory::boot, &block, sizeof block);
  if (own.mesh != 0) {  // whose tiles know each other's addresses
    const boot_mesh mesh{own.mesh, own.columns, own.memory, own.memory_size, own.gemm};
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

boot_block boot_block_of(const rank_core& core, std::uint32_t rank,
                         const workload_context& context) {
  const rank_memory layout = memory_of(context.cores);
  const rank_resources own = core.resources();
  boot_block block{};
  block.magic = BOOT_MAGIC;
  block.version = BOOT_VERSION;
  block.rank = rank;
  block.ranks = static_cast<std::uint32_t>(context.cores.ranks.size());
  block.self = own.window;
  block.peers = own.window + layout.peers;
  block.job = own.window + layout.job;
  block.dma = own.dma;
  block.vector = own.vector;
  block.rings = own.window + layout.rings;
  block.ring_entries = static_cast<std::uint32_t>(layout.ring_entries);
  block.channels = static_cast<std::uint32_t>(context.settings.channels);
  block.flags = own.window + layout.flags;
  block.flag_bytes = layout.flag_bytes();
  block.timeout_ns = context.settings.timeout_ns;
  block.isa = own.isa;
  block.isa_stride = own.isa_stride;
  block.isas = own.isas;
  block.multimem = own.multimem;
  block.multicast = own.multicast;
  return block;
}

void write_boot_blocks(const workload_context& context) {
  try {
    std::uint32_t rank = 0;
    for (rank_core* each : context.cores.ranks) write_boot_block(*each, rank++, context);
    for (rank_core* each : context.cores.setup) write_boot_block(*each, 0, context);
  } catch (const user_error& error) {
    throw user_error(context.settings.place, error.what());
  }
}

}  // namespace heddle
