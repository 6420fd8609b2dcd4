// A hub behind a switch with dynamic multimem: GPU 0 is the hub, GPUs 1 and 2 are played. Each has
// one expert. GPU 1 returns zeros, GPU 2 threes.
#pragma once

#include <functional>
#include <vector>

#include "tests/unit/models/moe/hub_bench.hpp"

namespace heddle {

struct switched_bench : hub_bench {
  static constexpr std::uint64_t range = 1ULL << 40;

  packet_switch& plane = add<packet_switch>("plane", [](switch_parameters& p) {
    p.ports.set(3);
    p.forwarding.set({0});
  });
  dynamic_multimem& multimem;
  played_gpu& second = add_stimulus<played_gpu>("second", base + 2 * window, window, 3.0F);

  // `buffer`: bytes of the reduction buffer of each port.
  explicit switched_bench(std::uint64_t buffer)
      : hub_bench(100 * fs_per_ns, {}, false),
        multimem(add<dynamic_multimem>("multimem", [buffer](dynamic_multimem_parameters& p) {
          p.base.set({range});
          p.size.set({window});
          p.members.set(3);
          p.member_base.set({base});
          p.member_stride.set({window});
          p.experts_per_gpu.set(1);
          p.buffer.set({buffer});
        })) {
    bind(multimem, "switch", plane, "inc");
    join(hub, "port[0]", plane, "port[0]");
    join(peer, "port", plane, "port[1]");
    join(second, "port", plane, "port[2]");
  }

  // The hub's expert gets no tokens.
  void start_layer(const std::vector<std::uint16_t>& own_lists,
                   const std::function<void(token_layer&)>& spoil = {}) {
    start(own_lists, 0, [&spoil](token_layer& l) {
      l.range = range;
      l.traffic = TOKEN_MULTICAST;
      l.gpus = 3;
      if (spoil) spoil(l);
    });
    send_count(second);
  }
};

}  // namespace heddle
